import { type ReactNode, useRef } from 'react';
import { joined } from '../ui/joined.ts';
import styles from './slide.module.css';

/** A wizard's step, by its place among them: it slides in from the right, or from the left when it comes before the one it follows. */
export function Slide({ at, children }: { readonly at: number; readonly children: ReactNode }) {
  const shown = useRef<{ readonly at: number; readonly way?: 'next' | 'previous' }>({ at });
  if (shown.current.at !== at) shown.current = { at, way: at > shown.current.at ? 'next' : 'previous' };
  const { way } = shown.current;
  return (
    <div className={styles.place}>
      <div key={at} className={joined(styles.step, way && styles[way])}>
        {children}
      </div>
    </div>
  );
}
