import { useEffect, useRef } from 'react';
import { Button } from '../ui/Button.tsx';
import styles from './desktop.module.css';

interface WarningsProps {
  readonly warnings: readonly string[];
  readonly onRemove: (warning: string) => void;
  readonly onClose: () => void;
}

/** The list of warnings over a desktop; each can be taken out of it. Escape closes it. */
export function Warnings({ warnings, onRemove, onClose }: WarningsProps) {
  const root = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the button that had the focus is gone with its warning
  useEffect(() => root.current?.querySelector('button')?.focus(), [warnings.length]);
  return (
    <section
      ref={root}
      className={styles.warnings}
      aria-label="Warnings about the desktop"
      onKeyDown={event => event.key === 'Escape' && onClose()}
    >
      {warnings.length === 0 && <p>There are none.</p>}
      <ul>
        {warnings.map(warning => (
          <li key={warning}>
            <span>{warning}</span>
            <Button size="dense" onClick={() => onRemove(warning)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <Button size="dense" onClick={onClose}>
        Close
      </Button>
    </section>
  );
}
