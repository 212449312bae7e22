import { autoUpdate, flip, offset, shift, size, useFloating } from '@floating-ui/react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import styles from './menu.module.css';

export interface PopupProps {
  readonly anchor: HTMLElement;
  readonly label: string;
  readonly width?: number | undefined;
  readonly maxHeight?: number | undefined;
  readonly placement: 'bottom-start' | 'bottom-end';
  readonly kind: 'menu' | 'dialog';
  /** The entry that has the keys first. */
  readonly from: 'first' | 'last';
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Distance that a popup keeps from the window's edge, pixels (specification section 9). */
export const EDGE_MARGIN_PX = 16;
/** A menu that is taller scrolls, pixels. */
const HEIGHT_MOST_PX = 560;
/** Refused entries too: the keyboard comes to them to read why (W3C, menu pattern). */
const itemSelector = '[role^="menuitem"]:not(:disabled), [data-menu-field]';

/** The popup of a menu: arrows move, letters jump, Escape gives the focus back. */
export function FloatingPopup({
  anchor,
  label,
  width,
  maxHeight,
  placement,
  kind,
  from,
  onClose,
  children,
}: PopupProps) {
  const { refs, floatingStyles } = useFloating({
    elements: { reference: anchor },
    placement,
    // Fixed and in place: no portal, so that it stays in its landmark, its dialog and its tab order.
    strategy: 'fixed',
    whileElementsMounted: autoUpdate,
    middleware: [
      offset(4),
      flip({ padding: EDGE_MARGIN_PX }),
      shift({ padding: EDGE_MARGIN_PX }),
      size({
        padding: EDGE_MARGIN_PX,
        apply: ({ availableHeight, elements }) => {
          elements.floating.style.maxHeight = `${Math.min(maxHeight ?? HEIGHT_MOST_PX, Math.max(120, availableHeight))}px`;
        },
      }),
    ],
  });
  const popup = useRef<HTMLDivElement | null>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    const enter = (): void => {
      const items = [...(popup.current?.querySelectorAll<HTMLElement>(itemSelector) ?? [])];
      (items.at(from === 'first' ? 0 : -1) ?? popup.current)?.focus({ preventScroll: true });
    };
    enter();
    // What it holds may still be on its way.
    const arrival = new MutationObserver(() => document.activeElement === popup.current && enter());
    if (popup.current !== null) arrival.observe(popup.current, { childList: true });
    // A button closes its menu itself; anything else that it opens at, such as a row, is outside of it.
    const isWithin = (target: Node): boolean =>
      popup.current?.contains(target) === true || (anchor.ariaHasPopup !== null && anchor.contains(target));
    const outside = (event: PointerEvent): void => {
      if (!isWithin(event.target as Node)) close.current();
    };
    const left = (event: FocusEvent): void => {
      const target = event.relatedTarget;
      if (target instanceof Node && !isWithin(target)) close.current();
    };
    const element = popup.current;
    document.addEventListener('pointerdown', outside, true);
    element?.addEventListener('focusout', left);
    return () => {
      arrival.disconnect();
      document.removeEventListener('pointerdown', outside, true);
      element?.removeEventListener('focusout', left);
      // Focus goes back only when it would otherwise be lost; a choice may have moved it on purpose.
      queueMicrotask(() => {
        if (document.activeElement === document.body && anchor.isConnected) anchor.focus();
      });
    };
  }, [anchor, from]);

  const handleKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>(itemSelector)];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const typing = document.activeElement instanceof HTMLInputElement;
    const target = nextItem(event.key, items, at, typing);
    if (event.key === 'Escape') {
      anchor.focus();
      onClose();
    } else if (event.key === 'Tab') {
      onClose();
      return;
    } else if (target !== undefined) target.focus();
    else if (event.ctrlKey || event.metaKey || event.altKey || typing || event.key.length > 1 || event.key === ' ')
      return;
    if (!typing || target !== undefined || event.key === 'Escape') event.preventDefault();
    event.stopPropagation();
  };

  return (
    // biome-ignore lint/a11y: the role is a menu's or a dialog's, and both carry a label and hear keys.
    <div
      ref={element => {
        popup.current = element;
        refs.setFloating(element);
      }}
      role={kind}
      aria-label={label}
      tabIndex={-1}
      className={styles.menu}
      style={width === undefined ? floatingStyles : { ...floatingStyles, width }}
      onKeyDown={handleKeyDown}
    >
      {children}
    </div>
  );
}

function nextItem(key: string, items: readonly HTMLElement[], at: number, typing: boolean): HTMLElement | undefined {
  switch (key) {
    case 'ArrowDown':
      return items[(at + 1) % items.length];
    case 'ArrowUp':
      return items.at(at <= 0 ? -1 : at - 1);
    case 'Home':
      return typing ? undefined : items[0];
    case 'End':
      return typing ? undefined : items.at(-1);
    default: {
      if (typing || key.length !== 1 || key === ' ') return undefined;
      const rotated = [...items.slice(at + 1), ...items.slice(0, at + 1)];
      return rotated.find(item => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()));
    }
  }
}
