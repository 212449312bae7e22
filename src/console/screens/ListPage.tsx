import type { ReactNode } from 'react';
import { Alert } from '../ui/index.ts';
import styles from './list-page.module.css';

/** The frame of a page with a list: title and actions, filter, what went wrong, the list. */
export function ListPage({ title, actions, tools, error, children }: { readonly title: string; readonly actions?: ReactNode; readonly tools?: ReactNode; readonly error?: { readonly message: string; readonly requestId?: string | undefined } | null; readonly children: ReactNode }) {
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>{title}</h1>
        <div className={styles.actions}>{actions}</div>
      </div>
      {tools !== undefined && <div className={styles.tools}>{tools}</div>}
      {error != null && (
        <Alert>
          {error.message}
          {error.requestId !== undefined && <span className={styles.request}> Request {error.requestId}</span>}
        </Alert>
      )}
      {children}
    </div>
  );
}

/** What a list says when it holds nothing: what belongs here, and how to add the first one. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** What a list says when its filter finds nothing. */
export function NoneFound({ filter, onClear }: { readonly filter: string; readonly onClear: () => void }) {
  return (
    <div className={styles.empty}>
      <p>
        Nothing matches <code>{filter}</code>.
      </p>
      <button type="button" className={styles.clear} onClick={onClear}>
        Clear the filter
      </button>
    </div>
  );
}
