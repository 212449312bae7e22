import { Fragment, type ReactNode } from 'react';
import styles from './facts.module.css';

/** What is known of one thing: names at the left, values at the right. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {rows.map(([name, value], at) => (
        <Fragment key={`${at} ${name}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
