// Asking a list again when something may have changed it: a command said so, or the person came back to the tab.
import { useEffect, useRef } from 'react';
import { usePage } from './page.tsx';

/** Coming back after less than this asks nothing. */
const FRESH_MS = 5000;

/**
 * Loads again after a command changed something or asked for it, and when the window gets the focus back; not so with `keeps`, for lists in
 * which someone has fetched more and would lose their place.
 */
export function useAgain(load: () => Promise<void>, keeps = false): void {
  const latest = useRef(load);
  latest.current = load;
  const { onChange } = usePage();
  useEffect(() => onChange(() => void latest.current()), [onChange]);
  useEffect(() => {
    if (keeps) return;
    let last = Date.now();
    const listener = (): void => {
      if (document.visibilityState !== 'visible' || Date.now() - last < FRESH_MS) return;
      last = Date.now();
      void latest.current();
    };
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  }, [keeps]);
}
