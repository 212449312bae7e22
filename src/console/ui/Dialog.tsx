import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import styles from './dialog.module.css';
import { joined } from './joined.ts';

export interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  /** `side`: a panel at the right edge, as high as the window. */
  readonly size?: 'normal' | 'wide' | 'page' | 'side';
  /** A dialog stays on Escape (specification section 9); one that only shows something may close. */
  readonly onEscape?: () => void;
  readonly role?: 'dialog' | 'alertdialog';
}

/** What can take the focus of its own; a part that only scrolls is none, though browsers let it have the focus. */
const control = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]';

/** A modal. Focus goes in, to what is marked `data-first` or takes it by `autoFocus`, or else to the first control, stays in, and returns to where it was. Mod+Enter submits its form. It closes neither on a click outside nor, by default, on Escape. */
export function Dialog({ title, children, actions, size = 'normal', onEscape, role = 'dialog' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Read while drawing: React's autoFocus has moved the focus by the time an effect runs.
  const [before] = useState(() => document.activeElement);
  // Before anything is painted: no key may go past a dialog that can be seen.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog !== null && !dialog.open) {
      const inside = dialog.contains(document.activeElement) ? document.activeElement : null;
      const first = dialog.querySelector('[data-first]') ?? inside ?? dialog.querySelector(control);
      dialog.showModal();
      if (first instanceof HTMLElement) first.focus();
    }
    return () => {
      dialog?.close();
      const at = document.activeElement;
      if (at !== document.body && dialog?.contains(at) !== true) return;
      // What had the focus may be gone, as a terminal that was closed: then the page has the keys.
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
      (isThere ? before : document.querySelector('main'))?.focus();
    };
  }, [before]);
  // What had the focus may be gone with what was drawn before: then no key would be heard, Escape neither.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog?.open && document.activeElement === document.body) dialog.querySelector<HTMLElement>(control)?.focus();
  });
  return (
    <dialog
      ref={element}
      role={role}
      className={joined(styles.dialog, styles[size])}
      aria-labelledby={titleId}
      onCancel={event => event.preventDefault()}
      onKeyDown={event => {
        // Something inside may have taken it for itself.
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) {
          const submit = event.currentTarget.querySelector<HTMLButtonElement>('button[type="submit"]:enabled');
          submit?.form?.requestSubmit(submit);
        }
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        // Something inside has closed a list of its own by it.
        if (event.defaultPrevented) return;
        event.preventDefault();
        onEscape?.();
      }}
    >
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      <div className={styles.body}>{children}</div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </dialog>
  );
}
