import { Plus } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import type { ListAct } from '../../../commands/command.ts';
import type { Label } from '../../contract/shapes.ts';
import type { ManualLinkId } from '../../features/manual.ts';
import { nouns } from '../../features/nouns.ts';
import { features } from '../../features/table.ts';
import type { NounId, Thing } from '../../features/thing.ts';
import { CommandButton } from '../palette/CommandButton.tsx';
import { Button } from '../ui/Button.tsx';
import { createAwaited } from '../ui/lazy.tsx';
import type { MenuHandle } from '../ui/Menu.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { type Column, type Sort, Table } from '../ui/Table.tsx';
import { scrollToTop } from '../ui/table-window.ts';
import { useAgain } from './again.ts';
import { BulkBar } from './BulkBar.tsx';
import { copied } from './Copyable.tsx';
import { useChoices } from './choices.ts';
import { ListFooter } from './ListFooter.tsx';
import { Empty, ListPage, NoneFound, spoken } from './ListPage.tsx';
import { ListTools } from './ListTools.tsx';
import { type LabelsSeen, seen } from './labels-seen.ts';
import { idsOf, pinned, thingKey } from './list-choices.ts';
import { askedOf, narrowedTo, readListQuery, readRow, withLabel, writeListQuery, writeRow } from './list-query.ts';
import { usePage } from './page.tsx';
import { createPagedList, type FetchPage } from './paged-list.ts';
import type { Suggestion } from './query-completion.ts';
import { useRowCommands } from './row-commands.tsx';
import { useColumns } from './use-columns.tsx';

/** Only some lists have a line to write at first, or anyone who writes a predicate. */
const QueryField = createAwaited(async () => (await import('./QueryField.tsx')).QueryField);

/** A view that stays this long is where someone is: then the address says so, ms. */
const SETTLED_MS = 300;

/** Pinned or recent rows shown above the rest. */
const ABOVE_MOST_ROWS = 50;

export interface PagedListProps<Row> {
  /** What a row is: its words and its commands are read from there. */
  readonly noun: NounId;
  /** Where one page shows several lists: which this is. Absent: the title of the page. */
  readonly title?: string;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly fetchPage: FetchPage<Row>;
  /** The order while nobody has chosen one; undefined: the order that the list has by itself. */
  readonly sort?: Sort;
  readonly actions?: ReactNode;
  readonly filters?: ReactNode;
  /** Between the tools and the rows. */
  readonly above?: ReactNode;
  readonly empty: ReactNode;
  /** A row as what commands can act on; null for one that stands for nothing. */
  readonly thingOf: (row: Row) => Thing | null;
  /** What "Copy the name of the row" copies; default: the thing's title. */
  readonly copyOf?: (row: Row) => string;
  /** Commands that act on all marked rows. */
  readonly bulk?: readonly string[];
  /** Of lists of resources: the gateway filters them by predicates, labels among them, and their rows can be pinned. */
  readonly labelsOf?: (row: Row) => readonly Label[];
  /** A line that the gateway reads. Without it, and but for resources, rows are filtered while one types. */
  readonly line?: {
    readonly placeholder: string;
    /** Written into the line and not searched for: that takes Enter. */
    readonly draft?: string | undefined;
    readonly fault: string | undefined;
    readonly suggest: (text: string, caret: number) => readonly Suggestion[];
    /** What the manual says of such a line. */
    readonly manual: ManualLinkId;
    /** Beside the line itself, why nothing may have been found. */
    readonly foundNone: ReactNode;
  };
  /** How far the screen is with what the pages are cut from, where it fetches that itself. */
  readonly source?:
    | {
        readonly status: 'initial' | 'processing' | 'success' | 'failed';
        readonly error: { readonly message: string; readonly requestId?: string | undefined } | null;
      }
    | undefined;
  /** Another value: what the pages are cut from has changed, and the list asks anew. */
  readonly version?: unknown;
  readonly onMore?: (() => void) | undefined;
  /** Hears what commands would act on: the marked rows, else the one under the cursor. */
  readonly onSelected?: (chosen: readonly Row[]) => void;
  /** What the screen's own tools do. */
  readonly onAct?: (what: ListAct, chosen: readonly Row[]) => void;
}

/** Every list of the console: fetched page by page while it is scrolled, or turned over; filter, order and place are in the address. */
export function PagedList<Row>(props: PagedListProps<Row>) {
  const { noun, rowKey, thingOf, labelsOf, sort: first, line, source, version } = props;
  const { one, many } = nouns[noun];
  const page = usePage();
  const { clusterId, feature, setQuery } = page;
  const title = props.title ?? features[feature].title;
  const { adds } = features[feature];
  const { choices, choose } = useChoices();
  const fetchPage = useRef(props.fetchPage);
  fetchPage.current = props.fetchPage;
  const create = (name: string) =>
    createPagedList<Row>(
      (asked, isFresh) => fetchPage.current(asked, isFresh),
      page.answers?.of(`${clusterId} ${feature} ${noun} ${title} ${name}`),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cluster is another list; another question keeps the old rows until its answer.
  const [list, above] = useMemo(() => [create(''), create('pinned')], [clusterId]);
  const shown = useSnapshot(list.state);
  const pins = useSnapshot(above.state);
  const place = useRef<HTMLDivElement>(null);
  const filter = useRef<HTMLInputElement>(null);
  const menus = { views: useRef<MenuHandle>(null), columns: useRef<MenuHandle>(null) };
  const asks = readListQuery(page.query, first);
  // An empty predicate leaves no trace in the URL, yet someone is about to write one.
  const [isWriting, setWriting] = useState(false);
  const state = isWriting && asks.text === '' ? { ...asks, isAdvanced: true } : asks;
  const pinnedIds = labelsOf === undefined ? [] : idsOf(choices.pinned, noun).slice(0, ABOVE_MOST_ROWS);
  const only =
    labelsOf === undefined || state.show === undefined
      ? null
      : state.show === 'pinned'
        ? pinnedIds
        : idsOf(choices.recent, noun).slice(0, ABOVE_MOST_ROWS);
  const question = askedOf(state);
  const asked = JSON.stringify(only === null ? question : only.length === 0 ? null : narrowedTo(question, only));
  const pinsAsked = JSON.stringify(only !== null || pinnedIds.length === 0 ? null : narrowedTo(question, pinnedIds));

  /** The row that the address names, and the one that the list began at; another question begins at its first. */
  const row = readRow(page.query);
  const named = useRef(row);
  named.current = row;
  const begin = useRef(row);
  const loaded = useRef<{ readonly list: unknown; readonly asked: string }>({ list: null, asked: '' });
  useEffect(() => {
    const next = JSON.parse(asked);
    if (next === null || (loaded.current.list === list && loaded.current.asked === asked)) return;
    const isAnother = loaded.current.list === list;
    loaded.current = { list, asked };
    begin.current = isAnother ? 0 : named.current;
    if (isAnother) scrollToTop(place.current);
    void list.load(next, begin.current);
  }, [list, asked]);
  useEffect(() => {
    const next = JSON.parse(pinsAsked);
    if (next !== null) void above.load(next);
  }, [above, pinsAsked]);
  const again = async (): Promise<void> => {
    await Promise.all([
      asked === 'null' ? undefined : list.reload(),
      pinsAsked === 'null' ? undefined : above.reload(),
    ]);
  };
  useAgain(again);
  const versions = useRef(version);
  useEffect(() => {
    if (versions.current === version) return;
    versions.current = version;
    void list.reload();
  }, [list, version]);

  /** Rows on a page; 0: the list is scrolled through. */
  const size = choices.pageRows;
  const scrolls = size === 0;
  useEffect(() => {
    if (size > 0) list.see(row, row + size);
  }, [list, size, row]);
  const isHere = row >= shown.start && row < shown.start + shown.rows.length;
  const turnedTo = useRef(0);
  // Until the page that was turned to has come, the one before it stays.
  if (isHere) turnedTo.current = row;
  const start = scrolls ? shown.start : Math.max(shown.start, turnedTo.current);
  const pinnedRows = pinsAsked === 'null' ? none : (pins.rows as readonly Row[]);
  const isTop = start === 0;
  const rows = useMemo(() => {
    const all = asked === 'null' ? [] : (shown.rows as readonly Row[]);
    const own = scrolls ? all : all.slice(start - shown.start, start - shown.start + size);
    if (!isTop || pinnedRows.length === 0) return own;
    // A list that is scrolled keeps every row at its place: there the pinned ones stand twice.
    const ids = scrolls ? null : new Set(pinnedRows.map(rowKey));
    return [...pinnedRows, ...own.filter(one => ids?.has(rowKey(one)) !== true)];
  }, [shown.rows, shown.start, start, size, isTop, scrolls, pinnedRows, asked, rowKey]);
  const isComing = (status: string | undefined): boolean => status === 'processing' || status === 'initial';
  const busy = asked !== 'null' && (isComing(shown.status) || isComing(source?.status));
  /** The rows above the list move its own: a list that begins further down begins there once both are here. */
  const awaitsPins = scrolls && row > 0 && pinsAsked !== 'null' && pins.rows.length === 0 && isComing(pins.status);

  const labels = useRef<LabelsSeen>(new Map());
  const known = useMemo(() => {
    if (labelsOf !== undefined) labels.current = seen(labels.current, rows.flatMap(labelsOf));
    return [...labels.current.keys()];
  }, [rows, labelsOf]);

  const change = (changed: Partial<typeof state>): void => setQuery(writeListQuery({ ...state, ...changed }, first));
  const things = (of: readonly Row[]): readonly Thing[] => of.map(thingOf).filter(thing => thing !== null);
  const togglePin = (...pin: readonly Thing[]): void =>
    choose({ pinned: [...pinned(choices.pinned, pin.map(thingKey))] });
  const { open, onMenu, actions, popup, around } = useRowCommands<Row>({
    thingOf,
    bulk: props.bulk ?? none,
    canPin: labelsOf !== undefined,
  });
  const own = useMemo(() => [...props.columns, actions], [props.columns, actions]);
  const { all, columns, atFirst } = useColumns<Row>({
    own,
    chosen: choices.columns[feature],
    pins: choices.pinned,
    rows: shown.rows as readonly Row[],
    thingOf,
    labelsOf,
    onPin: togglePin,
    onPick: label => change({ text: withLabel(state.isAdvanced ? state.text : '', label), isAdvanced: true }),
  });

  const turn = (by: 1 | -1): void => {
    const to = Math.max(0, start + by * size);
    if (size > 0 && to < shown.total) setQuery(writeRow(to));
  };
  const aboveCount = pinnedRows.length;
  const settling = useRef(0);
  useEffect(() => () => clearTimeout(settling.current), []);
  /** The row that this list last put into the address: when it is gone from there, someone asked for the list anew. */
  const written = useRef(row);
  useEffect(() => {
    if (scrolls && row === 0 && written.current > 0) scrollToTop(place.current);
    written.current = row;
  }, [scrolls, row]);
  const onView = useCallback(
    (from: number, end: number) => {
      list.see(from - aboveCount, end - aboveCount);
      clearTimeout(settling.current);
      settling.current = window.setTimeout(() => {
        written.current = Math.max(0, from - aboveCount);
        setQuery(writeRow(written.current));
      }, SETTLED_MS);
    },
    [list, aboveCount, setQuery],
  );
  const isFaulty = state.isAdvanced && shown.error?.code === 'bad_request';
  const advance = (): void => {
    if (labelsOf === undefined) return;
    setWriting(!state.isAdvanced);
    change({ isAdvanced: !state.isAdvanced, text: '' });
  };
  const act = (what: string, chosen: readonly Row[]): void => {
    if (what === 'add' && adds !== undefined) page.run(adds);
    else if (what === 'nextPage') turn(1);
    else if (what === 'previousPage') turn(-1);
    else if (what === 'views' || what === 'columns') menus[what].current?.toggle();
    else if (what === 'advanced') advance();
    else if (what === 'pin' && labelsOf !== undefined && chosen.length > 0) togglePin(...things(chosen));
    else if (what === 'copy' && chosen.length > 0)
      void copied(
        page,
        (props.copyOf ? chosen.map(props.copyOf) : things(chosen).map(thing => thing.title)).join('\n'),
      );
    else props.onAct?.(what as ListAct, chosen);
  };
  const searched = (text: string): void => change({ text });
  const field = {
    label: `Filter ${title}`,
    placeholder: line?.placeholder ?? `Filter ${many}`,
    value: state.text,
    onSearch: searched,
  };
  const query =
    line ??
    (state.isAdvanced && labelsOf !== undefined
      ? {
          manual: 'filterResources' as const,
          placeholder: 'labels["env"] == "prod" && name == "db-3"',
          fault: isFaulty ? shown.error?.message : undefined,
          suggest: undefined,
        }
      : undefined);
  const plain = (
    <SearchField
      {...field}
      ref={filter}
      mono={state.isAdvanced}
      live={labelsOf === undefined && line === undefined}
      field={{
        autoFocus: isWriting,
      }}
    />
  );
  return around(
    <ListPage
      title={title}
      actions={props.actions ?? (adds && <CommandButton id={adds} icon={<Plus aria-hidden="true" />} kind="primary" />)}
      error={source?.error ?? (rows.length > 0 || isFaulty ? null : shown.error)}
      says={busy ? '' : spoken({ one, many }, shown.total > 0 ? shown.total : rows.length, state.sort)}
      tools={
        <>
          {query === undefined ? (
            plain
          ) : (
            <QueryField
              {...field}
              ref={filter}
              placeholder={query.placeholder}
              draft={line?.draft}
              manual={query.manual}
              suggest={query.suggest}
              labels={labels.current}
              autoFocus={isWriting}
              fault={query.fault}
            />
          )}
          {labelsOf !== undefined && (
            <Button kind="quiet" aria-pressed={state.isAdvanced} onClick={advance}>
              Advanced
            </Button>
          )}
          {props.filters}
          <ListTools
            list={feature}
            columns={all}
            atFirst={atFirst}
            labels={known}
            canPin={labelsOf !== undefined}
            menus={menus}
          />
        </>
      }
    >
      {props.above}
      <Table
        ref={place}
        label={title}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        sort={state.sort}
        onSort={sort => change({ sort })}
        busy={busy}
        dense={choices.dense}
        from={isTop ? 1 : start + (scrolls ? aboveCount : 0) + 1}
        total={shown.total > 0 && !awaitsPins ? shown.total + (scrolls ? aboveCount : 0) : undefined}
        scrolled={
          scrolls ? { onView, asked: shown.asked, begin: begin.current && begin.current + aboveCount } : undefined
        }
        empty={
          isFaulty || line?.fault !== undefined ? (
            'The filter cannot be read, so nothing was looked for.'
          ) : (source ?? shown).status === 'failed' ? (
            'Nothing could be loaded.'
          ) : state.text !== '' ? (
            <NoneFound filter={state.text} onClear={() => change({ text: '' })}>
              {line?.foundNone}
            </NoneFound>
          ) : only !== null ? (
            <NoneFound
              filter={state.show === 'pinned' ? 'pinned' : 'used lately'}
              onClear={() => change({ show: 'all' })}
            />
          ) : (
            <Empty title={`No ${many} yet`} add={adds}>
              {props.empty}
            </Empty>
          )
        }
        onSelection={chosen => {
          page.select(things(chosen));
          props.onSelected?.(chosen);
        }}
        onFilter={() => filter.current?.focus()}
        onAct={act}
        bulk={(count, clear) => <BulkBar count={count} commands={props.bulk ?? []} onClear={clear} />}
        footer={
          (rows.length > 0 || props.onMore !== undefined) && (
            <ListFooter
              list={list}
              isFaulty={isFaulty}
              above={aboveCount}
              page={scrolls ? null : { from: start, rows: size, busy, onTurn: turn }}
              onMore={props.onMore}
            />
          )
        }
        onOpen={open}
        onMenu={onMenu}
      />
      {popup}
    </ListPage>,
  );
}

const none: readonly never[] = [];
