import type { KeyboardEvent, PointerEvent } from 'react';
import styles from './pane.module.css';
import { PANE_HEIGHT } from './saved-tabs.ts';

/** One press of an arrow key, CSS pixels: about two lines of text. */
const STEP_PIXELS = 32;

/** The pane's upper edge: drag it, or focus it and use the arrow keys. */
export function Splitter({
  height,
  setHeight,
}: {
  readonly height: number;
  readonly setHeight: (pixels: number) => void;
}) {
  const handleDown = (event: PointerEvent<HTMLHRElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const handleMove = (event: PointerEvent<HTMLHRElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const pane = event.currentTarget.parentElement?.getBoundingClientRect();
    if (pane) setHeight(pane.bottom - event.clientY);
  };
  const handleKey = (event: KeyboardEvent): void => {
    const to = {
      ArrowUp: height + STEP_PIXELS,
      ArrowDown: height - STEP_PIXELS,
      Home: PANE_HEIGHT.least,
      End: PANE_HEIGHT.most,
    }[event.key];
    if (to === undefined) return;
    setHeight(to);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <hr
      className={styles.splitter}
      tabIndex={0}
      data-keys="own"
      aria-orientation="horizontal"
      aria-label="Height of the terminal pane"
      aria-valuemin={PANE_HEIGHT.least}
      aria-valuemax={PANE_HEIGHT.most}
      aria-valuenow={height}
      onPointerDown={handleDown}
      onPointerMove={handleMove}
      onKeyDown={handleKey}
    />
  );
}
