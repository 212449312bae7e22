import { useEffect, useState } from 'react';
import styles from './spinner.module.css';

/** How long a spinner waits before it shows, so that fast answers do not flicker (specification section 9). */
export const SPINNER_DELAYS_MS = { none: 0, short: 400, long: 600 } as const;

/** A spinner that shows after its delay. */
export function Spinner({
  delay = 'short',
  label = 'Loading',
}: {
  readonly delay?: keyof typeof SPINNER_DELAYS_MS;
  readonly label?: string;
}) {
  const [shown, setShown] = useState(delay === 'none');
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SPINNER_DELAYS_MS[delay]);
    return () => clearTimeout(timer);
  }, [delay]);
  return (
    <div className={styles.place} role="status">
      {shown && (
        <>
          <span className={styles.ring} aria-hidden="true" />
          <span className="visually-hidden">{label}</span>
        </>
      )}
    </div>
  );
}
