import type { ReactNode } from 'react';
import { useGate } from '../palette/gate.ts';
import { Alert } from '../ui/Alert.tsx';
import { joined } from '../ui/joined.ts';
import { KeyCap } from '../ui/KeyCap.tsx';
import type { Sort } from '../ui/table-column.ts';
import styles from './list-page.module.css';

/** The frame of a page: title and actions, what went wrong, and what it holds; with `tools`, a list that fills the height. */
export function ListPage({
  title,
  actions,
  tools,
  error,
  says = '',
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly tools?: ReactNode;
  readonly error?: { readonly message: string; readonly requestId?: string | undefined } | null;
  /** Told to screen readers when it changes: how many there are, and their order. */
  readonly says?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={joined(styles.page, tools !== undefined && styles.list)}>
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
      <p className="visually-hidden" role="status">
        {says}
      </p>
    </div>
  );
}

/** "40 servers, sorted by hostname, descending": what a screen reader hears when a list has been loaded or sorted. */
export function spoken(
  { one, many }: { readonly one: string; readonly many: string },
  count: number,
  sort: Sort | undefined,
): string {
  const counted = `${count} ${count === 1 ? one : many}`;
  return sort === undefined ? counted : `${counted}, sorted by ${sort.key}, ${sort.down ? 'descending' : 'ascending'}`;
}

/** What a list says when it holds nothing: what belongs here, and how to add the first one. */
export function Empty({
  title,
  isPage,
  add,
  children,
}: {
  readonly title: string;
  readonly isPage?: boolean;
  /** Id of the command that adds the first one. */
  readonly add?: string | undefined;
  readonly children?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {add !== undefined && <AddFirst id={add} />}
      {children}
    </div>
  );
}

function AddFirst({ id }: { readonly id: string }) {
  const { hidden, refused } = useGate(id);
  const { keys } = useGate('list.add');
  if (hidden || keys === undefined) return null;
  return (
    <p>
      {refused ?? (
        <>
          Press <KeyCap chord={keys} /> to add the first one.
        </>
      )}
    </p>
  );
}

/** What a list says when its filter finds nothing. */
export function NoneFound({
  filter,
  onClear,
  children,
}: {
  readonly filter: string;
  readonly onClear: () => void;
  /** What else may be the reason. */
  readonly children?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <p>
        Nothing matches <code>{filter}</code>.
      </p>
      {children}
      <button type="button" className={styles.clear} onClick={onClear}>
        Clear the filter
      </button>
    </div>
  );
}
