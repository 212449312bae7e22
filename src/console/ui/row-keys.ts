// The keys that move within one row of a table.
import type { KeyboardEvent } from 'react';

/** Right goes into the row's parts, Left back out of them; Escape returns to the row. */
export function keysInside(event: KeyboardEvent<HTMLTableRowElement>): void {
  const row = event.currentTarget;
  const target = event.target;
  if (
    !(target instanceof HTMLElement) ||
    !row.contains(target) ||
    target.closest('[role=menu],[role=dialog],input') !== null
  )
    return;
  const parts = [row, ...row.querySelectorAll<HTMLElement>('button:not(:disabled), a[href]')];
  const to =
    event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : event.key === 'Escape' ? -parts.length : 0;
  if (to === 0) return;
  parts[Math.max(0, Math.min(parts.length - 1, parts.indexOf(target) + to))]?.focus();
  event.preventDefault();
  event.stopPropagation();
}
