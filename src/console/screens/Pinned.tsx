import { Star } from 'lucide-react';
import type { ReactNode } from 'react';
import { joined } from '../ui/joined.ts';
import styles from './copyable.module.css';

/** The name of a row with the star that pins it. */
export function Pinned({
  title,
  isPinned,
  onToggle,
  children,
}: {
  readonly title: string;
  readonly isPinned: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}) {
  return (
    <span className={styles.place}>
      <span className={styles.text} title={title}>
        {children}
      </span>
      <button
        type="button"
        tabIndex={-1}
        className={joined(styles.pin, isPinned && styles.pinned)}
        aria-pressed={isPinned}
        aria-label={`Pin ${title}`}
        onClick={onToggle}
      >
        <Star aria-hidden="true" />
      </button>
    </span>
  );
}
