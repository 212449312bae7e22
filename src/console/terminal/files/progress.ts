// How far a transfer is, as people read it.
import type { Transfer } from './transfers.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
/** `12.3 MB`; thousands, as disks are sold. */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}
/** How far, how fast, and how long it still takes. */
export function progressText({ status, loaded, total, rate }: Readonly<Transfer>): string {
  if (status === 'waiting') return 'Waits for the others';
  if (status === 'cancelled') return 'Cancelled';
  if (status === 'done') return bytesText(total);
  const parts = [
    total > 0 ? `${bytesText(loaded)} of ${bytesText(total)}` : loaded > 0 ? bytesText(loaded) : 'Begins…',
  ];
  if (rate > 0) parts.push(`${bytesText(rate)}/s`);
  if (rate > 0 && total > loaded) parts.push(`${leftText((total - loaded) / rate)} left`);
  return parts.join(' · ');
}
const leftText = (seconds: number): string =>
  seconds < 60
    ? `${Math.ceil(seconds)} s`
    : seconds < 3600
      ? `${Math.ceil(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`;
