import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { EventSlice } from '../../../contract/audit.ts';
import { dateTime } from '../../../features/times.ts';
import { type Brush, firstOf, lastOf, moved, timesOf } from './brush.ts';
import styles from './timeline.module.css';

/** When events happened: a bar for each slice of the time that was looked through. A stretch that is chosen narrows the list to it. */
export function Timeline({
  range,
  slices,
  onNarrow,
}: {
  readonly range: { readonly from: string; readonly to: string };
  readonly slices: readonly EventSlice[];
  readonly onNarrow: (times: { readonly from: string; readonly to: string }) => void;
}) {
  const last = slices.length - 1;
  const [brush, setBrush] = useState<Brush>({ from: last, at: last });
  const [isDrawing, setDrawing] = useState(false);
  const highest = Math.max(1, ...slices.map(({ count }) => count));
  const chosen = timesOf(range, brush, slices.length);
  const inside = slices.slice(firstOf(brush), lastOf(brush) + 1);
  const count = inside.reduce((sum, slice) => sum + slice.count, 0);
  const words = `${count.toLocaleString('en')}${inside.some(({ isPart }) => isPart) ? ' events or more' : count === 1 ? ' event' : ' events'}, ${dateTime(chosen.from)} to ${dateTime(chosen.to)}`;

  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const next = moved(brush, event.key, event.shiftKey, slices.length);
    if (next !== null) setBrush(next);
    else if (event.key === 'Enter') onNarrow(chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const sliceAt = ({ currentTarget, clientX }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * slices.length)));
  };
  return (
    <div className={styles.timeline}>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Timeline: arrows move, Shift draws a stretch, Enter narrows the list to it"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={brush.at}
        aria-valuetext={words}
        className={styles.bars}
        onKeyDown={press}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const at = sliceAt(event);
          setBrush({ from: at, at });
          setDrawing(true);
        }}
        onPointerMove={event => isDrawing && setBrush({ ...brush, at: sliceAt(event) })}
        onPointerUp={() => {
          if (isDrawing) onNarrow(chosen);
          setDrawing(false);
        }}
        onPointerCancel={() => setDrawing(false)}
      >
        {slices.map((slice, at) => (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: a slice is its place.
            key={at}
            data-chosen={at >= firstOf(brush) && at <= lastOf(brush)}
            data-part={slice.isPart}
            style={{ height: `${slice.count === 0 ? 0 : Math.max(6, (slice.count / highest) * 100)}%` }}
          />
        ))}
      </div>
      <p className={styles.words}>{words}</p>
    </div>
  );
}
