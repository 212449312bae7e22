import { type ReactNode, type Ref, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { joined } from './joined.ts';
import { type ListHandle, ListSlotContext } from './list.ts';
import { keysInside } from './row-keys.ts';
import { TableHead } from './TableHead.tsx';
import { type RowEvents, TableRow } from './TableRow.tsx';
import styles from './table.module.css';
import { type Column, nextSort, type Sort } from './table-column.ts';
import { HELD_MOST_ROWS, OVER_ROWS, useRowWindow } from './table-window.ts';

export type { Column, Sort };

/** Rows that PageUp and PageDown pass over in a list that is drawn whole. */
const PAGE_KEY_ROWS = 10;

/** A list that is scrolled through instead of turned over: of `total` rows, `rows` are those in memory, beginning with number `from`. */
interface Scrolled {
  /** Hears which rows are seen, from 0; keep it the same while nothing has changed. Rows around them are to be brought. */
  readonly onView: (first: number, end: number) => void;
  /** Changes when the rows are others: a new question, or the same one asked again. Until then what is marked stays, also out of memory. */
  readonly asked: number;
  /** The row, from 0, that stands at the top when the list is first shown. */
  readonly begin: number;
}

export interface TableProps<Row> {
  /** The whole list, to be scrolled by whoever asks another question. */
  readonly ref?: Ref<HTMLDivElement>;
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
  readonly onAct?: (what: string, rows: readonly Row[]) => void;
  /** Does what is done first with a row; false: there is nothing, and its menu opens instead. */
  readonly onOpen?: (row: Row, anchor: HTMLElement) => boolean;
  /** Opens the menu of the marked rows, else of the one under the cursor, at its row or at the button that was pressed for it. */
  readonly onMenu?: (rows: readonly Row[], anchor: HTMLElement) => void;
  readonly scrolled?: Scrolled | undefined;
}

/**
 * A list: sticky header, sort by header, rows by keyboard. Enter opens a row; where there is nothing to open it opens the row's
 * menu, as ".", the right button and the row's `data-menu` do.
 */
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
    scrolled,
  } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  /** What is marked, with the rows as they were: in a scrolled list they may have left memory since. */
  const [marked, setMarked] = useState<ReadonlyMap<string, Row>>(new Map());
  const slot = useContext(ListSlotContext);
  // biome-ignore lint/correctness/useExhaustiveDependencies: how a row is named never changes, only the function's identity does.
  const ids = useMemo(() => alone(rows.map(rowKey)), [rows]);
  const joinedIds = useMemo(() => ids.join('\n'), [ids]);
  /** Rows are counted from 0 over the whole list; `ids` and `rows` begin at `base`. */
  const base = scrolled ? from - 1 : 0;
  const count = scrolled ? Math.min(HELD_MOST_ROWS, Math.max(total ?? 0, base + rows.length)) : rows.length;
  const [arrivedAt] = useState(() => scrolled?.begin ?? 0);
  const [hasBegun, setBegun] = useState(false);
  /** Until the list stands where it begins, nobody is told what is seen. */
  const begin = hasBegun ? 0 : (scrolled?.begin ?? 0);
  /** The row at the top of the view: without a cursor, a move down begins there. */
  const top = useRef(0);
  const tellView = scrolled?.onView;
  const onView = useMemo(
    () =>
      tellView &&
      ((first: number, end: number): void => {
        top.current = first;
        tellView(first, end);
      }),
    [tellView],
  );
  const { drawn, setDrawn, see, isLong } = useRowWindow(body, count, begin > 0 ? undefined : onView);
  // Not before their number is known: pinned rows may be here long before the list's own.
  const isHere = rows.length > 0 && total !== undefined;
  useEffect(() => {
    if (begin === 0 || !isHere) return;
    top.current = Math.min(begin, count - 1);
    const seen = see(top.current, 'top');
    if (seen !== null) setDrawn(seen);
    setBegun(true);
  }, [begin, isHere, count, see, setDrawn]);
  /** Where the cursor last stood, on which row, and whether the keys are in the list: a reload must not lose them. */
  const last = useRef<{ at: number; anchor: number; isIn: boolean; row: Row | undefined; goal: number | null }>({
    at: 0,
    anchor: 0,
    isIn: false,
    row: undefined,
    goal: null,
  });
  // Read while drawing, before rows go: a dialog that closes gives the keys back while React hears of no focus.
  if (body.current?.contains(document.activeElement)) last.current.isIn = true;
  const found = cursor === null ? -1 : ids.indexOf(cursor);
  if (found !== -1) {
    last.current.at = found + base;
    last.current.row = rows[found];
  }
  /** Where the cursor stands before anyone has moved it: on the row that the list was opened at, as long as that is in memory. */
  const arrival = Math.min(arrivedAt, count - 1);
  /** In a scrolled list the cursor stays on its row when that leaves memory. */
  const at =
    found !== -1
      ? found + base
      : cursor !== null
        ? scrolled
          ? last.current.at
          : -1
        : ids[arrival - base] === undefined
          ? -1
          : arrival;

  const chosen = (nextCursor: string | null, nextMarked: ReadonlyMap<string, Row>): readonly Row[] => {
    if (nextMarked.size > 0) return [...nextMarked.values()];
    const row = nextCursor === cursor && at !== -1 ? last.current.row : rows[ids.indexOf(nextCursor ?? '')];
    return nextCursor === null || row === undefined ? [] : [row];
  };
  /** What a key acts on. Before anyone has moved the cursor that is its row too, which no command may take for a choice. */
  const actedOn = (): readonly Row[] => {
    const row = rows[at - base];
    return cursor === null && marked.size === 0 && row !== undefined ? [row] : chosen(cursor, marked);
  };
  const tell = (nextCursor: string | null, nextMarked: ReadonlyMap<string, Row>): void =>
    onSelection?.(chosen(nextCursor, nextMarked));
  /** Of a row that may have left memory, when it has the cursor. */
  const idAt = (index: number): string => (index === at && cursor !== null ? cursor : (ids[index - base] ?? ''));
  const rowAt = (index: number): HTMLElement | null | undefined =>
    body.current?.querySelector<HTMLElement>(`tr[aria-rowindex="${index + (scrolled ? 1 : from) + 1}"]`);
  const put = (index: number): void => {
    const to = Math.max(0, Math.min(count - 1, index));
    const id = ids[to - base];
    const seen = to < drawn.first || to >= drawn.end ? see(to) : null;
    last.current.anchor = to;
    // Not in memory: the view is there, and the cursor follows when the row comes.
    last.current.goal = id === undefined && scrolled ? to : null;
    flushSync(() => {
      if (seen !== null) setDrawn(seen);
      if (id !== undefined) setCursor(id);
    });
    if (id === undefined) return;
    tell(id, marked);
    rowAt(to)?.focus();
  };
  const step = (by: number): void => put((last.current.goal ?? at) + by);
  const pageRows = drawn.height > 0 ? Math.max(1, drawn.end - drawn.first - OVER_ROWS) : PAGE_KEY_ROWS;
  const markAll = (next: ReadonlyMap<string, Row>): void => {
    if (onSelection === undefined) return;
    setMarked(next);
    tell(cursor, next);
  };
  /** What is marked, and the rows from one place to another as far as they are in memory. */
  const withRange = (one: number, other: number): ReadonlyMap<string, Row> => {
    const next = new Map(marked);
    for (let index = Math.max(base, Math.min(one, other)); index <= Math.max(one, other); index++) {
      const row = rows[index - base];
      if (row === undefined) break;
      next.set(ids[index - base] ?? '', row);
    }
    return next;
  };
  const toggle = (index: number): void => {
    const id = ids[index - base];
    const row = rows[index - base];
    if (id === undefined || row === undefined) return;
    const next = new Map(marked);
    if (!next.delete(id)) next.set(id, row);
    markAll(next);
  };
  const openMenu = (): void => {
    const element = rowAt(at);
    if (element != null) props.onMenu?.(actedOn(), element);
  };
  const press = (): void => {
    const row = rows[at - base] ?? (cursor === null ? undefined : last.current.row);
    const element = rowAt(at);
    if (row === undefined || element == null || props.onOpen?.(row, element) !== true) openMenu();
  };
  const act: ListHandle['act'] = what => {
    const next =
      what === 'sort'
        ? nextSort(columns, sort)
        : what === 'reverse' && sort
          ? { ...sort, down: !sort.down }
          : undefined;
    if (next !== undefined) onSort?.(next);
    else if (what === 'clear') markAll(new Map());
    else if (scrolled && what === 'nextPage') handle.move(pageRows);
    else if (scrolled && what === 'previousPage') handle.move(-pageRows);
    else props.onAct?.(what, actedOn());
  };

  const handle: ListHandle = {
    move: by => {
      if (by === 'first') put(0);
      else if (by === 'last') put(count - 1);
      // Nobody has moved the cursor, and it is out of view: a move begins with what is seen.
      else if (cursor === null && (at === -1 || at < top.current || at >= top.current + pageRows))
        put(by > 0 ? top.current : top.current + pageRows - 1);
      else step(by);
    },
    filter: () => props.onFilter?.(),
    mark: () => toggle(at),
    menu: openMenu,
    open: press,
    act,
  };

  const keyDown: RowEvents['keyDown'] = (event, index) => {
    const { key, shiftKey } = event;
    if (key === 'ArrowRight' || key === 'ArrowLeft' || event.target !== event.currentTarget) {
      keysInside(event);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (event.altKey || key !== 'a') return;
      markAll(withRange(base, base + ids.length - 1));
    } else if (shiftKey && key === ' ') toggle(index);
    else if (shiftKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
      const to = Math.max(0, Math.min(count - 1, index + (key === 'ArrowDown' ? 1 : -1)));
      const next = withRange(index, to);
      markAll(next);
      put(to);
      tell(ids[to - base] ?? null, next);
    } else if (key === 'ArrowDown') step(1);
    else if (key === 'ArrowUp') step(-1);
    else if (key === 'Home') put(0);
    else if (key === 'End') put(count - 1);
    else if (key === 'PageDown') step(pageRows);
    else if (key === 'PageUp') step(-pageRows);
    else if (key === 'Enter') press();
    else if (key === 'Escape' && marked.size > 0) markAll(new Map());
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** The menu of one row, at a place in it; of all marked ones when it is one of them. */
  const openMenuOf = (index: number, anchor: HTMLElement): void => {
    const id = ids[index - base] ?? '';
    const row = rows[index - base];
    if (row === undefined) return;
    put(index);
    const isMarked = marked.has(id);
    if (!isMarked && marked.size > 0) {
      setMarked(new Map());
      onSelection?.([row]);
    }
    props.onMenu?.(isMarked ? [...marked.values()] : [row], anchor);
  };
  const menu: RowEvents['menu'] = (event, index) => {
    const isPart =
      event.target instanceof Element && event.target.closest('a, input, [role=menu], [role=dialog]') !== null;
    if (isPart || props.onMenu === undefined || !event.currentTarget.contains(event.target as Node)) return;
    event.preventDefault();
    openMenuOf(index, event.currentTarget);
  };
  const click: RowEvents['click'] = (event, index) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-menu]') : null;
    if (button !== null) return openMenuOf(index, button);
    const onPart = event.target instanceof Element && event.target.closest('button, a, input') !== null;
    if (onPart || !event.currentTarget.contains(event.target as Node)) return;
    if (event.shiftKey) {
      getSelection()?.removeAllRanges();
      return markAll(withRange(Math.min(last.current.anchor, count - 1), index));
    }
    last.current.anchor = index;
    if (event.ctrlKey || event.metaKey) toggle(index);
  };
  const focus = (id: string): void => {
    last.current.isIn = true;
    if (cursor === id) return;
    last.current.goal = null;
    setCursor(id);
    tell(id, marked);
  };

  const latest = useRef({ handle, keyDown, click, menu, focus, put });
  latest.current = { handle, keyDown, click, menu, focus, put };
  const events = useMemo<RowEvents>(
    () => ({
      focus: id => latest.current.focus(id),
      keyDown: (event, index) => latest.current.keyDown(event, index),
      click: (event, index) => latest.current.click(event, index),
      menu: (event, index) => latest.current.menu(event, index),
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
  // What is chosen belongs to rows that are shown: another page, or another question of a scrolled list, another choice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids stand for the rows, whose identity changes with every answer.
  useEffect(() => {
    const present = new Set(ids);
    const kept = [...marked.keys()].every(id => present.has(id))
      ? marked
      : new Map([...marked].filter(([id]) => present.has(id)));
    setMarked(kept);
    const isLost = last.current.isIn && document.activeElement === document.body;
    const next = cursor !== null && present.has(cursor) ? cursor : null;
    const to = Math.min(last.current.at, count - 1);
    last.current.goal = null;
    // After this effect, since drawing at once is not allowed within it. Never where the wheel has taken the view away from the cursor.
    if (next === null && isLost && ids.length > 0 && to >= drawn.first && to < drawn.end)
      queueMicrotask(() => latest.current.put(to));
    else {
      setCursor(next);
      tell(next, kept);
    }
  }, [scrolled ? scrolled.asked : joinedIds]);
  // The row that the cursor went to has come.
  useEffect(() => {
    const { goal } = last.current;
    if (goal !== null && ids[goal - base] !== undefined) queueMicrotask(() => latest.current.put(goal));
  }, [ids, base]);
  const unselect = useRef(onSelection);
  unselect.current = onSelection;
  useEffect(() => () => unselect.current?.([]), []);

  const low = Math.max(drawn.first, base);
  const end = Math.max(low, Math.min(drawn.end, base + rows.length));
  // The cursor's row stays where it is when the view leaves it: it has the keys.
  const apart = scrolled && cursor !== null && at !== -1 && (at < low || at >= end) ? at : -1;
  const tabbed = at !== -1 ? at : low;
  const spacer = (key: string, count: number): ReactNode =>
    count > 0 && (
      // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row that keeps the place of those that are not drawn; nothing focuses it.
      <tr key={key} aria-hidden="true" className={styles.gap}>
        <td colSpan={columns.length} className={styles.spacer} style={{ height: `calc(${count} * var(--row))` }} />
      </tr>
    );
  const line = (index: number, row: Row | undefined = rows[index - base]): ReactNode => {
    const id = idAt(index);
    return (
      row !== undefined && (
        <TableRow
          key={id}
          row={row}
          id={id}
          index={index}
          place={index + (scrolled ? 1 : from) + 1}
          columns={columns}
          isCurrent={index === at}
          isTabbed={index === tabbed}
          isMarked={onSelection ? marked.has(id) : undefined}
          events={events}
        />
      )
    );
  };
  // One list of keyed rows: a row that changed places among them would be another element, and lose the keys.
  const lines: ReactNode[] = [];
  if (apart !== -1 && apart < low)
    lines.push(spacer('above it', apart), line(apart, last.current.row), spacer('above', low - apart - 1));
  else lines.push(spacer('above', low));
  for (let index = low; index < end; index++) lines.push(line(index));
  if (apart >= end) lines.push(spacer('below', apart - end), line(apart, last.current.row));
  lines.push(spacer('below it', count - (apart >= end ? apart + 1 : end)));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus left.
    <div
      ref={props.ref}
      className={joined(styles.place, !dense && styles.airy)}
      onBlur={event => {
        if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget))
          last.current.isIn = false;
      }}
    >
      <div className={joined(styles.bar, busy && styles.busy)} role="presentation" />
      <div className={styles.scroller}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid by the W3C pattern; a table element keeps rows and headers for free.
          role="grid"
          aria-label={label}
          aria-busy={busy || undefined}
          aria-multiselectable={onSelection ? true : undefined}
          aria-rowcount={total === undefined ? (footer ? -1 : rows.length + 1) : total + 1}
          aria-colcount={columns.length}
          className={joined(styles.table, isLong && styles.long)}
        >
          <TableHead columns={columns} sort={sort} onSort={onSort} />
          <tbody ref={body}>{lines}</tbody>
        </table>
        {rows.length === 0 && !busy && <div className={styles.empty}>{empty}</div>}
      </div>
      <p className="visually-hidden" role="status">
        {marked.size > 0 && `${marked.size} marked`}
      </p>
      {(footer || marked.size > 0) && (
        <div className={styles.footer}>
          {marked.size > 0 && <div className={styles.bulk}>{props.bulk?.(marked.size, () => markAll(new Map()))}</div>}
          {footer}
        </div>
      )}
    </div>
  );
}

/** Names of rows, each once: a row that stands twice, as pinned ones do above a scrolled list, is itself at its last place. */
function alone(ids: readonly string[]): readonly string[] {
  const places = new Map(ids.map((id, at) => [id, at]));
  return places.size === ids.length ? ids : ids.map((id, at) => (places.get(id) === at ? id : `${id} ${at}`));
}
