import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { proxy, useSnapshot } from 'valtio';
import type { Label } from '../../contract/shapes.ts';
import type { NounId, Thing } from '../../features/thing.ts';
import { Button } from '../ui/Button.tsx';
import { holdKeysUntil } from '../ui/held-keys.ts';
import { Pager } from '../ui/Pager.tsx';
import { createPart, createPartAhead } from '../ui/part.tsx';
import { pressed } from '../ui/pressed.ts';
import { SearchField } from '../ui/SearchField.tsx';
import { type Column, type Sort, Table } from '../ui/Table.tsx';
import { scrollEnd } from '../ui/table-window.ts';
import { useAgain } from './again.ts';
import { copied } from './Copyable.tsx';
import { useChoices } from './choices.ts';
import { Empty, ListPage, NoneFound, spoken } from './ListPage.tsx';
import { ListTools } from './ListTools.tsx';
import { type LabelsSeen, seen } from './labels-seen.ts';
import { chosenColumns, idsOf, pinned, thingKey } from './list-choices.ts';
import {
  askedOf,
  narrowedTo,
  readListQuery,
  readPlace,
  readRow,
  withLabel,
  writeListQuery,
  writePlace,
  writeRow,
} from './list-query.ts';
import { Pinned } from './Pinned.tsx';
import { usePage } from './page.tsx';
import { createPager, type FetchPage } from './pager.ts';
import { useRowMenu } from './row-menu.tsx';
import type { createScrolled, Scrolled, ScrolledState } from './scrolled.ts';
import { createWhole } from './whole.ts';

const { Draw: BulkBar } = createPart(async () => (await import('./BulkBar.tsx')).BulkBar, null);
const queryField = createPartAhead(async () => (await import('./QueryField.tsx')).QueryField);

/** A scrolled list before it is there. */
const unscrolled = proxy<ScrolledState<never>>({
  status: 'initial',
  rows: [],
  start: 0,
  total: 0,
  asked: 0,
  error: null,
});

/** A view that stays this long is where someone is: then the address says so, ms. */
const SETTLED_MS = 300;

/** Pinned or recent rows shown above the rest. */
const ABOVE_MOST_ROWS = 50;

export interface ServerListProps<Row> {
  readonly title: string;
  /** What one row is called, such as "server". */
  readonly noun: string;
  readonly kind: NounId;
  readonly columns: (pick: (label: Label) => void) => readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly fetchPage: FetchPage<Row>;
  readonly sort: Sort;
  readonly actions?: ReactNode;
  readonly empty: ReactNode;
  /** Rows as things that commands can act on and that can be pinned. */
  readonly thingOf: (row: Row) => Thing;
  readonly labelsOf: (row: Row) => readonly Label[];
  /** Commands that act on all marked rows. */
  readonly bulk?: readonly string[];
  /** The command that Enter does on a row, if it is one. */
  readonly opens?: string;
}

/** A list that the gateway pages, sorts and filters, with its question in the URL. */
export function ServerList<Row>(props: ServerListProps<Row>) {
  const { title, noun, rowKey, fetchPage, kind, sort: first, actions, empty, thingOf, labelsOf } = props;
  const page = usePage();
  const { clusterId, feature } = page;
  const { choices, choose } = useChoices();
  const latest = useRef({ fetchPage, rowKey });
  latest.current = { fetchPage, rowKey };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cluster is another list.
  const pager = useMemo(
    () =>
      createPager<Row>(asked => latest.current.fetchPage(asked), undefined, page.answers?.of(`${clusterId} ${kind}`)),
    [clusterId],
  );
  const scrolls = choices.pageRows === 0;
  const create = useScrolledCode(scrolls);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cluster is another list.
  const roll = useMemo(
    () =>
      create?.<Row>(asked => latest.current.fetchPage(asked), page.answers?.of(`${clusterId} ${kind} scrolled`)) ??
      null,
    [clusterId, create],
  );
  const turned = useSnapshot(pager.state);
  const rolled = useSnapshot<ScrolledState<Row>>(roll?.state ?? unscrolled);
  const shown = scrolls ? rolled : turned;
  const filter = useRef<HTMLInputElement>(null);
  const places = { views: useRef<HTMLButtonElement>(null), columns: useRef<HTMLButtonElement>(null) };
  const asks = readListQuery(page.query, first);
  // An empty predicate leaves no trace in the URL, yet someone is about to write one.
  const [isWriting, setWriting] = useState(false);
  const state = isWriting && asks.text === '' ? { ...asks, isAdvanced: true } : asks;
  const limit = choices.pageRows;
  const pins = idsOf(choices.pinned, kind).slice(0, ABOVE_MOST_ROWS);
  const only =
    state.show === 'pinned'
      ? pins
      : state.show === 'recent'
        ? idsOf(choices.recent, kind).slice(0, ABOVE_MOST_ROWS)
        : null;
  const asked = JSON.stringify(
    only === null ? askedOf(state) : only.length === 0 ? null : narrowedTo(askedOf(state), only),
  );
  const pinsAsked = JSON.stringify(only !== null || pins.length === 0 ? null : narrowedTo(askedOf(state), pins));
  const place = JSON.stringify(readPlace(page.query));

  /** The row that the address names, and the one that the list began at; another question begins at its first. */
  const row = readRow(page.query);
  const named = useRef(row);
  named.current = row;
  const begin = useRef(row);
  const loaded = useRef<{ readonly pager: unknown; readonly wanted: string }>({ pager: null, wanted: '' });
  useEffect(() => {
    const question = JSON.parse(asked);
    const at = JSON.parse(place);
    if (question === null) return;
    const wanted = `${asked} ${limit}`;
    if (scrolls) {
      if (roll === null) return;
      if (loaded.current.pager === roll && loaded.current.wanted === wanted) return;
      // Another question is seen from its first row, however far down someone was.
      if (loaded.current.pager === roll) {
        filter.current?.scrollIntoView({ block: 'nearest' });
        begin.current = 0;
      } else begin.current = named.current;
      loaded.current = { pager: roll, wanted };
      void roll.load(question, begin.current);
      return;
    }
    // The address follows the pager: it has no news when it names the page that is shown.
    if (loaded.current.pager === pager && loaded.current.wanted === wanted && pager.place().key === at.key) return;
    loaded.current = { pager, wanted };
    void pager.load(question, { limit, at });
  }, [pager, roll, scrolls, asked, place, limit]);

  const pinsWanted = useRef(pinsAsked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cluster is another list; another question keeps the old rows until its answer.
  const above = useMemo(
    () =>
      createWhole<Row>(
        async () => {
          const question = JSON.parse(pinsWanted.current);
          return question === null
            ? []
            : (await latest.current.fetchPage({ ...question, limit: ABOVE_MOST_ROWS })).items;
        },
        page.answers?.of(`${clusterId} ${kind} ${pinsAsked}`),
      ),
    [clusterId],
  );
  const pinnedRows = useSnapshot(above.state).rows as readonly Row[];
  useEffect(() => {
    pinsWanted.current = pinsAsked;
    void above.load();
  }, [above, pinsAsked]);
  const again = async (): Promise<void> => {
    await Promise.all([asked === 'null' ? undefined : scrolls ? roll?.reload() : pager.reload(), above.load()]);
  };
  useAgain(again);

  const change = (changed: Partial<typeof state>): void =>
    page.setQuery(writeListQuery({ ...state, ...changed }, first));
  const pick = useRef((_label: Label): void => {});
  pick.current = label => change({ text: withLabel(state.isAdvanced ? state.text : '', label), isAdvanced: true });

  const isTop = scrolls ? rolled.start === 0 : turned.from <= 1;
  const rows = useMemo(() => {
    const own = asked === 'null' ? [] : (shown.rows as readonly Row[]);
    if (!isTop || pinnedRows.length === 0) return own;
    // A list that is scrolled keeps every row at its place: there the pinned ones stand twice.
    const ids = scrolls ? null : new Set(pinnedRows.map(row => latest.current.rowKey(row)));
    return [...pinnedRows, ...own.filter(row => ids?.has(latest.current.rowKey(row)) !== true)];
  }, [shown.rows, isTop, scrolls, pinnedRows, asked]);
  const busy = asked !== 'null' && (shown.status === 'processing' || shown.status === 'initial');

  const labels = useRef<LabelsSeen>(new Map());
  const labelNames = useMemo(() => {
    labels.current = seen(labels.current, rows.flatMap(labelsOf));
    return [...labels.current.keys()];
  }, [rows, labelsOf]);

  const togglePin = (...things: readonly Thing[]): void =>
    choose({ pinned: [...pinned(choices.pinned, things.map(thingKey))] });
  const pinnedNow = useRef({ togglePin, thingOf });
  pinnedNow.current = { togglePin, thingOf };
  const isPinned = useMemo(() => new Set(choices.pinned), [choices.pinned]);
  const chosen = choices.columns[feature];
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew when what they show changes, not with every render: rows stay as they are.
  const all = useMemo(
    () =>
      props
        .columns(label => pick.current(label))
        .map((column, index) =>
          index > 0
            ? column
            : {
                ...column,
                draw: (row: Row) => {
                  const thing = pinnedNow.current.thingOf(row);
                  return (
                    <Pinned
                      title={thing.title}
                      isPinned={isPinned.has(thingKey(thing))}
                      onToggle={() => pinnedNow.current.togglePin(thing)}
                    >
                      {column.draw(row)}
                    </Pinned>
                  );
                },
              },
        ),
    [isPinned, clusterId],
  );
  const columns = useMemo(() => chosenColumns(all, chosen, labelsOf), [all, chosen, labelsOf]);

  const turn = async (way: 'next' | 'previous'): Promise<void> => {
    await pager[way]();
    page.setQuery(writePlace(pager.place()));
  };
  const aboveCount = pinnedRows.length;
  const settling = useRef(0);
  useEffect(() => () => clearTimeout(settling.current), []);
  /** The row that this list last put into the address: when it is gone from there, someone asked for the list anew. */
  const written = useRef(row);
  useEffect(() => {
    if (scrolls && row === 0 && written.current > 0) filter.current?.scrollIntoView({ block: 'nearest' });
    written.current = row;
  }, [scrolls, row]);
  const { setQuery } = page;
  const onView = useCallback(
    (first: number, end: number) => {
      roll?.see(first - aboveCount, end - aboveCount);
      clearTimeout(settling.current);
      settling.current = window.setTimeout(() => {
        written.current = Math.max(0, first - aboveCount);
        setQuery(writeRow(written.current));
      }, SETTLED_MS);
    },
    [roll, aboveCount, setQuery],
  );
  const isFaulty = state.isAdvanced && shown.error?.code === 'bad_request';
  const advance = (): void => {
    const turnOver = (): void => {
      setWriting(!state.isAdvanced);
      change({ isAdvanced: !state.isAdvanced, text: '' });
    };
    if (state.isAdvanced || queryField.isHere()) turnOver();
    else holdKeysUntil(queryField.bring(), turnOver);
  };
  const searched = (text: string): void => change({ text });
  const plain = (
    <SearchField
      ref={filter}
      label={`Filter ${title}`}
      placeholder={`Filter ${noun}s`}
      mono={state.isAdvanced}
      value={state.text}
      onSearch={searched}
      field={{ autoFocus: isWriting }}
    />
  );
  const { onMenu, menu } = useRowMenu({ thingOf, opens: props.opens, bulk: props.bulk, canPin: true });
  return (
    <ListPage
      title={title}
      actions={actions}
      error={isFaulty ? null : shown.error}
      says={busy ? '' : spoken(noun, shown.total > 0 ? shown.total : rows.length, state.sort)}
      tools={
        <>
          {state.isAdvanced ? (
            <queryField.Draw
              waiting={plain}
              ref={filter}
              label={`Filter ${title}`}
              value={state.text}
              onSearch={searched}
              labels={labels.current}
              autoFocus={isWriting}
              fault={isFaulty ? shown.error?.message : undefined}
            />
          ) : (
            plain
          )}
          <Button kind="quiet" aria-pressed={state.isAdvanced} onClick={advance}>
            Advanced
          </Button>
          <ListTools list={feature} columns={all} labels={labelNames} isPaged places={places} />
        </>
      }
    >
      <Table
        label={title}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        sort={state.sort}
        onSort={sort => change({ sort })}
        busy={busy}
        dense={choices.dense}
        from={scrolls ? (isTop ? 1 : rolled.start + aboveCount + 1) : Math.max(1, turned.from)}
        total={shown.total > 0 ? shown.total + (scrolls ? aboveCount : 0) : undefined}
        scrolled={
          scrolls ? { onView, asked: rolled.asked, begin: begin.current && begin.current + aboveCount } : undefined
        }
        empty={
          isFaulty ? (
            'The filter cannot be read, so nothing was looked for.'
          ) : shown.status === 'failed' ? (
            'Nothing could be loaded.'
          ) : state.text !== '' ? (
            <NoneFound filter={state.text} onClear={() => change({ text: '' })} />
          ) : only !== null ? (
            <NoneFound
              filter={state.show === 'pinned' ? 'pinned' : 'used lately'}
              onClear={() => change({ show: 'all' })}
            />
          ) : (
            <Empty title={`No ${noun}s yet`}>{empty}</Empty>
          )
        }
        onSelection={selected => page.select(selected.map(thingOf))}
        onFilter={() => filter.current?.focus()}
        onAct={(what, selected) => {
          if (what === 'nextPage') void turn('next');
          else if (what === 'previousPage') void turn('previous');
          else if (what === 'views' || what === 'columns') pressed(places[what].current);
          else if (what === 'advanced') advance();
          else if (what === 'pin' && selected.length > 0) togglePin(...selected.map(thingOf));
          else if (what === 'copy' && selected.length > 0)
            void copied(page, selected.map(row => thingOf(row).title).join('\n'));
        }}
        bulk={(count, clear) => <BulkBar count={count} commands={props.bulk ?? []} onClear={clear} />}
        footer={
          rows.length > 0 &&
          (scrolls ? (
            roll && <InView roll={roll} above={aboveCount} />
          ) : (
            <Pager
              from={turned.from}
              to={turned.from + turned.rows.length - 1}
              of={turned.total > 0 ? turned.total : undefined}
              busy={busy}
              onPrevious={turned.hasPrevious ? () => void turn('previous') : undefined}
              onNext={turned.nextKey !== '' ? () => void turn('next') : undefined}
            />
          ))
        }
        onMenu={onMenu}
      />
      {menu}
    </ListPage>
  );
}

/** What makes a scrolled list, brought when someone has chosen one. */
function useScrolledCode(isWanted: boolean): typeof createScrolled | null {
  const [code, setCode] = useState<{ readonly create: typeof createScrolled } | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    import('./scrolled.ts').then(
      ({ createScrolled: create }) => setCode({ create }),
      // Thrown while drawing: the page says what could not be loaded.
      error =>
        setCode(() => {
          throw error;
        }),
    );
  }, [isWanted]);
  return code?.create ?? null;
}

/**
 * Which rows are seen, and what finds the others: the browser's own search knows only those. What went wrong is said here too: above the list
 * nobody sees it who has scrolled.
 */
function InView<Row>({ roll, above }: { readonly roll: Scrolled<Row>; readonly above: number }) {
  const { first, end } = useSnapshot(roll.view);
  const { total, error } = useSnapshot(roll.state);
  return (
    <>
      {error !== null && (
        <>
          <span>{error.message}</span>
          <Button size="dense" onClick={() => void roll.retry()}>
            Try again
          </Button>
        </>
      )}
      <span>{scrollEnd(total, above) ?? '/ searches all of them'}</span>
      <span>
        Showing {Math.min(total, first + 1)} – {Math.min(total, end)} of {total}
      </span>
    </>
  );
}
