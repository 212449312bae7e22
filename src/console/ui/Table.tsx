import { type KeyboardEvent, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { joined } from './joined.ts';
import { type ListAct, type ListHandle, ListSlotContext } from './list.ts';
import { TableHead } from './TableHead.tsx';
import { type RowEvents, TableRow } from './TableRow.tsx';
import styles from './table.module.css';
import { type Column, nextSort, type Sort } from './table-column.ts';
import { useDrawn } from './table-window.ts';

export type { Column, Sort };

/** Rows that PageUp and PageDown pass over. */
const PAGE_KEY_ROWS = 10;

export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  /** Rows stay while it loads; a 2 px bar says so. */
  readonly busy?: boolean;
  readonly dense?: boolean;
  /** 1-based place of the first row among all there are, and how many there are; undefined: not known. */
  readonly from?: number;
  readonly total?: number | undefined;
  /** Shown instead of rows when there are none. */
  readonly empty: ReactNode;
  readonly footer?: ReactNode;
  /** Drawn instead of the footer's left while rows are marked. */
  readonly bulk?: (count: number, clear: () => void) => ReactNode;
  /** The marked rows, else the one under the cursor: what commands act on. */
  readonly onSelection?: (rows: readonly Row[]) => void;
  /** Puts the keys into the list's filter. */
  readonly onFilter?: () => void;
  /** What the list does beside moving, on the marked rows, else the one under the cursor. */
  readonly onAct?: (what: ListAct, rows: readonly Row[]) => void;
  /** Called when the last rows come into view. Keep it the same while nothing has changed. */
  readonly onEnd?: (() => void) | undefined;
}

/** A list: sticky header, sort by header, rows by keyboard. Enter presses the row's `data-primary`, "." its `data-menu`. */
export function Table<Row>(props: TableProps<Row>) {
  const {
    label,
    columns,
    rows,
    rowKey,
    sort,
    onSort,
    busy,
    dense = true,
    from = 1,
    total,
    empty,
    footer,
    onSelection,
  } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const slot = useContext(ListSlotContext);
  // biome-ignore lint/correctness/useExhaustiveDependencies: how a row is named never changes, only the function's identity does.
  const ids = useMemo(() => rows.map(rowKey), [rows]);
  const shown = useMemo(() => ids.join('\n'), [ids]);
  const at = cursor === null ? -1 : ids.indexOf(cursor);
  const { drawn, setDrawn, see } = useDrawn(body, rows.length, props.onEnd);
  /** Where the cursor last stood, and whether the keys are in the list: a reload must not lose them. */
  const last = useRef({ at: 0, anchor: 0, isIn: false });
  if (at !== -1) last.current.at = at;

  const chosen = (nextCursor: string | null, nextMarked: ReadonlySet<string>): readonly Row[] =>
    nextMarked.size > 0
      ? rows.filter(row => nextMarked.has(rowKey(row)))
      : rows.filter(row => rowKey(row) === nextCursor);
  const tell = (nextCursor: string | null, nextMarked: ReadonlySet<string>): void =>
    onSelection?.(chosen(nextCursor, nextMarked));
  const rowAt = (index: number): HTMLElement | null | undefined =>
    body.current?.querySelector<HTMLElement>(`tr[aria-rowindex="${index + from + 1}"]`);
  const put = (index: number): void => {
    const to = Math.max(0, Math.min(ids.length - 1, index));
    const id = ids[to];
    if (id === undefined) return;
    const seen = to < drawn.first || to >= drawn.end ? see(to) : null;
    flushSync(() => {
      if (seen !== null) setDrawn(seen);
      setCursor(id);
    });
    tell(id, marked);
    last.current.anchor = to;
    rowAt(to)?.focus();
  };
  const markAll = (next: ReadonlySet<string>): void => {
    if (onSelection === undefined) return;
    setMarked(next);
    tell(cursor, next);
  };
  const toggle = (id: string | null | undefined): void => {
    if (id == null) return;
    const next = new Set(marked);
    if (!next.delete(id)) next.add(id);
    markAll(next);
  };
  const markTo = (index: number): void => {
    const start = Math.min(last.current.anchor, ids.length - 1);
    markAll(new Set([...marked, ...ids.slice(Math.min(start, index), Math.max(start, index) + 1)]));
  };
  const press = (what: 'primary' | 'menu'): void => rowAt(at)?.querySelector<HTMLElement>(`[data-${what}]`)?.click();
  const act = (what: ListAct): void => {
    const next =
      what === 'sort'
        ? nextSort(columns, sort)
        : what === 'reverse' && sort
          ? { ...sort, down: !sort.down }
          : undefined;
    if (next !== undefined) onSort?.(next);
    else if (what === 'clear') markAll(new Set());
    else props.onAct?.(what, chosen(cursor, marked));
  };

  const handle: ListHandle = {
    move: by =>
      put(by === 'first' ? 0 : by === 'last' ? ids.length - 1 : at === -1 ? (by > 0 ? 0 : ids.length - 1) : at + by),
    filter: () => props.onFilter?.(),
    mark: () => toggle(at === -1 ? null : cursor),
    menu: () => press('menu'),
    open: () => press('primary'),
    act,
  };

  const keyDown: RowEvents['keyDown'] = (event, index) => {
    const { key, shiftKey } = event;
    if (key === 'ArrowRight' || key === 'ArrowLeft' || event.target !== event.currentTarget) {
      inside(event);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (event.altKey || key !== 'a') return;
      markAll(new Set(ids));
    } else if (shiftKey && key === ' ') toggle(ids[index]);
    else if (shiftKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
      const to = Math.max(0, Math.min(ids.length - 1, index + (key === 'ArrowDown' ? 1 : -1)));
      const next = new Set([...marked, ids[index] ?? '', ids[to] ?? '']);
      markAll(next);
      put(to);
      tell(ids[to] ?? null, next);
    } else if (key === 'ArrowDown') put(index + 1);
    else if (key === 'ArrowUp') put(index - 1);
    else if (key === 'Home') put(0);
    else if (key === 'End') put(ids.length - 1);
    else if (key === 'PageDown') put(index + PAGE_KEY_ROWS);
    else if (key === 'PageUp') put(index - PAGE_KEY_ROWS);
    else if (key === 'Enter') press('primary');
    else if (key === 'Escape' && marked.size > 0) markAll(new Set());
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const click: RowEvents['click'] = (event, index) => {
    const onPart = event.target instanceof Element && event.target.closest('button, a, input') !== null;
    if (onPart || !event.currentTarget.contains(event.target as Node)) return;
    if (event.shiftKey) {
      getSelection()?.removeAllRanges();
      return markTo(index);
    }
    last.current.anchor = index;
    if (event.ctrlKey || event.metaKey) toggle(ids[index]);
  };
  const focus = (id: string): void => {
    last.current.isIn = true;
    if (cursor === id) return;
    setCursor(id);
    tell(id, marked);
  };

  const latest = useRef({ handle, keyDown, click, focus, put });
  latest.current = { handle, keyDown, click, focus, put };
  const events = useMemo<RowEvents>(
    () => ({
      focus: id => latest.current.focus(id),
      keyDown: (event, index) => latest.current.keyDown(event, index),
      click: (event, index) => latest.current.click(event, index),
    }),
    [],
  );
  /** A move that was asked for before the first rows were here: it is made once they are. */
  const early = useRef<Parameters<ListHandle['move']>[0] | null>(null);
  const isComing = useRef(false);
  isComing.current = rows.length === 0 && busy === true;
  useEffect(() => {
    const by = early.current;
    if (by === null || rows.length === 0) return;
    early.current = null;
    queueMicrotask(() => latest.current.handle.move(by));
  }, [rows.length]);
  useEffect(
    () =>
      slot.put({
        move: by => {
          if (isComing.current) early.current = by;
          else latest.current.handle.move(by);
        },
        filter: () => latest.current.handle.filter(),
        mark: () => latest.current.handle.mark(),
        menu: () => latest.current.handle.menu(),
        open: () => latest.current.handle.open(),
        act: what => latest.current.handle.act(what),
      }),
    [slot],
  );
  // What is chosen belongs to rows that are shown: another page, another choice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids stand for the rows, whose identity changes with every answer.
  useEffect(() => {
    const present = new Set(ids);
    const kept = [...marked].every(id => present.has(id)) ? marked : new Set([...marked].filter(id => present.has(id)));
    setMarked(kept);
    const isLost = last.current.isIn && document.activeElement === document.body;
    const next = cursor !== null && present.has(cursor) ? cursor : null;
    // After this effect, since drawing at once is not allowed within it.
    if (next === null && isLost && ids.length > 0)
      queueMicrotask(() => latest.current.put(Math.min(last.current.at, ids.length - 1)));
    else {
      setCursor(next);
      tell(next, kept);
    }
  }, [shown]);
  const unselect = useRef(onSelection);
  unselect.current = onSelection;
  useEffect(() => () => unselect.current?.([]), []);

  const tabbed = at >= drawn.first && at < drawn.end ? at : drawn.first;
  const spacer = (count: number): ReactNode =>
    count > 0 &&
    drawn.height > 0 && (
      // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row that keeps the place of those that are not drawn; nothing focuses it.
      <tr aria-hidden="true" className={styles.spacer} style={{ height: count * drawn.height }} />
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus left.
    <div
      className={joined(styles.place, !dense && styles.airy)}
      onBlur={event => {
        if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget))
          last.current.isIn = false;
      }}
    >
      <div className={joined(styles.bar, busy && styles.busy)} role="presentation" />
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid by the W3C pattern; a table element keeps rows and headers for free.
        role="grid"
        aria-label={label}
        aria-busy={busy || undefined}
        aria-multiselectable={onSelection ? true : undefined}
        aria-rowcount={total === undefined ? (footer ? -1 : rows.length + 1) : total + 1}
        aria-colcount={columns.length}
        className={styles.table}
      >
        <TableHead columns={columns} sort={sort} onSort={onSort} />
        <tbody ref={body}>
          {spacer(drawn.first)}
          {rows.slice(drawn.first, drawn.end).map((row, offset) => {
            const index = drawn.first + offset;
            const id = ids[index] ?? '';
            return (
              <TableRow
                key={id}
                row={row}
                id={id}
                index={index}
                place={index + from + 1}
                columns={columns}
                isCurrent={id === cursor}
                isTabbed={index === tabbed}
                isMarked={onSelection ? marked.has(id) : undefined}
                events={events}
              />
            );
          })}
          {spacer(rows.length - drawn.end)}
        </tbody>
      </table>
      <p className="visually-hidden" role="status">
        {marked.size > 0 && `${marked.size} marked`}
      </p>
      {rows.length === 0 && !busy && <div className={styles.empty}>{empty}</div>}
      {(footer || marked.size > 0) && (
        <div className={styles.footer}>
          {marked.size > 0 && <div className={styles.bulk}>{props.bulk?.(marked.size, () => markAll(new Set()))}</div>}
          {footer}
        </div>
      )}
    </div>
  );
}

/** Right goes into the row's parts, Left back out of them; Escape returns to the row. */
function inside(event: KeyboardEvent<HTMLTableRowElement>): void {
  const row = event.currentTarget;
  const target = event.target;
  if (
    !(target instanceof HTMLElement) ||
    !row.contains(target) ||
    target.closest('[role=menu],[role=dialog],input') !== null
  )
    return;
  const parts = [row, ...row.querySelectorAll<HTMLElement>('button:not(:disabled), a[href]')];
  const to =
    event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : event.key === 'Escape' ? -parts.length : 0;
  if (to === 0) return;
  parts[Math.max(0, Math.min(parts.length - 1, parts.indexOf(target) + to))]?.focus();
  event.preventDefault();
  event.stopPropagation();
}
