import { type KeyboardEvent, type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { Popup } from './Popup.tsx';

/** Opens a menu for a command or a key, as its button does; it closes one that is open. */
export interface MenuHandle {
  readonly toggle: () => void;
}

export interface MenuProps {
  readonly ref?: Ref<MenuHandle> | undefined;
  /** Draws the button that opens it; spread the given props on it. */
  readonly trigger: (props: MenuTriggerProps) => ReactNode;
  readonly label: string;
  readonly children: (close: () => void) => ReactNode;
  /** Pixels; default: as wide as its words. */
  readonly width?: number;
  readonly maxHeight?: number;
  readonly placement?: 'bottom-start' | 'bottom-end';
  /** A dialog may hold fields and notes beside its entries; a menu holds entries only. */
  readonly kind?: 'menu' | 'dialog';
}
interface MenuTriggerProps {
  readonly ref: (button: HTMLElement | null) => void;
  readonly 'aria-haspopup': 'menu' | 'dialog';
  readonly 'aria-expanded': boolean;
  readonly onClick: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** A menu below its button, which the arrows open as well as a click. It closes on Escape, on a click outside and after a choice. */
export function Menu({
  ref,
  trigger,
  label,
  children,
  width,
  maxHeight,
  placement = 'bottom-start',
  kind = 'menu',
}: MenuProps) {
  const anchor = useRef<HTMLElement | null>(null);
  const [open, setOpen] = useState<false | 'first' | 'last'>(false);
  const toggle = (): void => setOpen(now => (now === false ? 'first' : false));
  useImperativeHandle(ref, () => ({
    toggle() {
      // It comes into view first, since what it opens is drawn beside it.
      anchor.current?.focus();
      toggle();
    },
  }));
  return (
    <>
      {trigger({
        ref: button => {
          anchor.current = button;
        },
        'aria-haspopup': kind,
        'aria-expanded': open !== false,
        onClick: toggle,
        onKeyDown: event => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          event.stopPropagation();
          setOpen(event.key === 'ArrowDown' ? 'first' : 'last');
        },
      })}
      {open !== false && anchor.current !== null && (
        <Popup
          anchor={anchor.current}
          label={label}
          width={width}
          maxHeight={maxHeight}
          placement={placement}
          kind={kind}
          from={open}
          onClose={() => setOpen(false)}
        >
          {children(() => setOpen(false))}
        </Popup>
      )}
    </>
  );
}
