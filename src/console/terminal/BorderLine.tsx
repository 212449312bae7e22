import type { KeyboardEvent, PointerEvent } from 'react';
import type { Border } from './layout.ts';
import styles from './pane.module.css';

/** One press of an arrow key moves it by this part of both halves. */
const STEP = 0.05;
const percent = (part: number): string => `${part * 100}%`;

/** The border between two halves of a tab: drag it, or focus it and use the arrow keys. */
export function BorderLine({ border, onMove }: { readonly border: Border; readonly onMove: (share: number) => void }) {
  const { direction, share, box } = border;
  const isUpright = direction === 'right';
  const handleMove = (event: PointerEvent<HTMLHRElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const room = event.currentTarget.parentElement?.getBoundingClientRect();
    if (!room) return;
    const at = isUpright ? (event.clientX - room.left) / room.width : (event.clientY - room.top) / room.height;
    onMove(isUpright ? (at - box.left) / box.width : (at - box.top) / box.height);
  };
  const handleKey = (event: KeyboardEvent): void => {
    const step = { [isUpright ? 'ArrowLeft' : 'ArrowUp']: -STEP, [isUpright ? 'ArrowRight' : 'ArrowDown']: STEP }[
      event.key
    ];
    if (step === undefined) return;
    onMove(share + step);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <hr
      className={styles.border}
      tabIndex={0}
      data-keys="own"
      aria-orientation={isUpright ? 'vertical' : 'horizontal'}
      aria-label={isUpright ? 'Border between terminals side by side' : 'Border between terminals one below the other'}
      aria-valuemin={10}
      aria-valuemax={90}
      aria-valuenow={Math.round(share * 100)}
      style={
        isUpright
          ? { left: percent(box.left + box.width * share), top: percent(box.top), height: percent(box.height) }
          : { left: percent(box.left), top: percent(box.top + box.height * share), width: percent(box.width) }
      }
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId);
        event.preventDefault();
      }}
      onPointerMove={handleMove}
      onKeyDown={handleKey}
    />
  );
}
