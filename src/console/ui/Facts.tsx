import { Fragment, type ReactNode } from 'react';
import styles from './facts.module.css';

/** What is known of one thing: names at the left, values at the right. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {rows.map(([name, value], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and none changes its place.
        <Fragment key={at}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
