import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { joined } from './joined.ts';
import { ListSlotContext } from './list.ts';
import styles from './table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly draw: (row: Row) => ReactNode;
  readonly sorts?: boolean;
  /** CSS width; the rest is shared. */
  readonly width?: string;
  readonly mono?: boolean;
  /** On a phone: the first line of a row, the second, or not at all. */
  readonly phone?: 'first' | 'second' | 'action' | 'hidden';
  /** Not a heading anyone needs to see, such as that of the actions. */
  readonly quiet?: boolean;
}
export interface Sort {
  readonly key: string;
  readonly down: boolean;
}
export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  /** Rows stay while it loads; a 2 px bar says so. */
  readonly busy?: boolean;
  /** Shown instead of rows when there are none. */
  readonly empty: ReactNode;
  readonly footer?: ReactNode;
  /** The marked rows, else the one under the cursor: what commands act on. */
  readonly onSelection?: (rows: readonly Row[]) => void;
  /** Puts the keys into the list's filter. */
  readonly onFilter?: () => void;
}

/** A list: sticky header, sort by header, rows by keyboard. Enter presses the row's `data-primary`, "." its `data-menu`. */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  sort,
  onSort,
  busy,
  empty,
  footer,
  onSelection,
  onFilter,
}: TableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const slot = useContext(ListSlotContext);
  const ids = rows.map(rowKey);
  const at = cursor === null ? -1 : ids.indexOf(cursor);

  const tell = (nextCursor: string | null, nextMarked: ReadonlySet<string>): void => {
    const chosen =
      nextMarked.size > 0
        ? rows.filter(row => nextMarked.has(rowKey(row)))
        : rows.filter(row => rowKey(row) === nextCursor);
    onSelection?.(chosen);
  };
  const put = (index: number): void => {
    const id = ids[Math.max(0, Math.min(ids.length - 1, index))];
    if (id === undefined) return;
    setCursor(id);
    tell(id, marked);
    const row = body.current?.querySelectorAll<HTMLTableRowElement>('tr')[ids.indexOf(id)];
    row?.focus();
  };
  const mark = (id: string | null): void => {
    if (id === null) return;
    const next = new Set(marked);
    if (!next.delete(id)) next.add(id);
    setMarked(next);
    tell(id, next);
  };
  const press = (what: 'primary' | 'menu'): void => {
    const row = body.current?.querySelectorAll<HTMLTableRowElement>('tr')[at];
    row?.querySelector<HTMLElement>(`[data-${what}]`)?.click();
  };
  const handle = {
    move: (by: number | 'first' | 'last') =>
      put(by === 'first' ? 0 : by === 'last' ? ids.length - 1 : at === -1 ? (by > 0 ? 0 : ids.length - 1) : at + by),
    filter: () => onFilter?.(),
    mark: () => mark(at === -1 ? null : cursor),
    menu: () => press('menu'),
    open: () => press('primary'),
  };
  const latest = useRef(handle);
  latest.current = handle;
  useEffect(
    () =>
      slot.put({
        move: by => latest.current.move(by),
        filter: () => latest.current.filter(),
        mark: () => latest.current.mark(),
        menu: () => latest.current.menu(),
        open: () => latest.current.open(),
      }),
    [slot],
  );
  // What is chosen belongs to rows that are shown: another page, another choice.
  const shown = ids.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids stand for the rows, whose identity changes with every answer.
  useEffect(() => {
    const present = new Set(ids);
    setMarked(before =>
      [...before].every(id => present.has(id)) ? before : new Set([...before].filter(id => present.has(id))),
    );
    setCursor(before => (before !== null && present.has(before) ? before : null));
    return () => onSelection?.([]);
  }, [shown]);

  const handleKeyDown = (event: KeyboardEvent<HTMLTableRowElement>, index: number): void => {
    if (event.target !== event.currentTarget) return;
    if (event.shiftKey && event.key === ' ') mark(ids[index] ?? null);
    else if (event.shiftKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      mark(ids[index] ?? null);
      put(index + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.key === 'ArrowDown') put(index + 1);
    else if (event.key === 'ArrowUp') put(index - 1);
    else if (event.key === 'Home') put(0);
    else if (event.key === 'End') put(ids.length - 1);
    else if (event.key === 'Enter') press('primary');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className={styles.place}>
      <div className={joined(styles.bar, busy && styles.busy)} role="presentation" />
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid by the W3C pattern; a table element keeps rows and headers for free.
        role="grid"
        aria-label={label}
        aria-busy={busy || undefined}
        aria-multiselectable={onSelection ? true : undefined}
        aria-rowcount={rows.length + 1}
        className={styles.table}
      >
        <thead>
          <tr>
            {columns.map(column => (
              <th
                key={column.key}
                scope="col"
                style={column.width === undefined ? undefined : { width: column.width }}
                aria-sort={
                  !column.sorts ? undefined : sort?.key !== column.key ? 'none' : sort.down ? 'descending' : 'ascending'
                }
              >
                {column.quiet ? (
                  <span className="visually-hidden">{column.title}</span>
                ) : column.sorts && onSort ? (
                  <button
                    type="button"
                    className={styles.sort}
                    onClick={() => onSort({ key: column.key, down: sort?.key === column.key && !sort.down })}
                  >
                    {column.title}
                    {sort?.key === column.key &&
                      (sort.down ? <ArrowDown aria-hidden="true" /> : <ArrowUp aria-hidden="true" />)}
                  </button>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, index) => {
            const id = ids[index] ?? '';
            return (
              <tr
                key={id}
                tabIndex={index === (at === -1 ? 0 : at) ? 0 : -1}
                aria-selected={onSelection ? marked.has(id) : undefined}
                className={joined(id === cursor && styles.current, marked.has(id) && styles.marked)}
                onFocus={() => {
                  if (cursor === id) return;
                  setCursor(id);
                  tell(id, marked);
                }}
                onKeyDown={event => handleKeyDown(event, index)}
              >
                {columns.map(column => (
                  // biome-ignore lint/a11y: cells of a grid; the row takes the focus, as the pattern allows.
                  <td
                    key={column.key}
                    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: cells of a grid.
                    role="gridcell"
                    data-phone={column.phone ?? 'second'}
                    className={joined(column.mono && styles.mono, column.quiet && styles.actions)}
                  >
                    {column.draw(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length === 0 && !busy && <div className={styles.empty}>{empty}</div>}
      {footer !== undefined && <div className={styles.footer}>{footer}</div>}
    </div>
  );
}
