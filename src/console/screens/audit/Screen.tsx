import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import type { ListAct } from '../../../../commands/command.ts';
import { searchOf } from '../../../client/api.ts';
import { toApiError } from '../../../client/errors.ts';
import {
  type AuditEvent,
  countEvents,
  createExportLink,
  downloadEvents,
  EVENTS_MOST,
  type EventSlice,
  type EventsQuery,
  exportEvents,
  searchEvents,
} from '../../../contract/audit.ts';
import { codeDescription } from '../../../contract/audit-codes.ts';
import type { AuditFileKind } from '../../../contract/audit-file.ts';
import {
  type AuditQuery,
  hasPart,
  narrowed,
  readAuditQuery,
  toggledPart,
  userPart,
  withTimes,
} from '../../../contract/audit-query.ts';
import { describe } from '../../../contract/audit-text.ts';
import { pathOf } from '../../../contract/call.ts';
import { eventId, eventThing } from '../../../features/recording.ts';
import { dateTime } from '../../../features/times.ts';
import type { MenuHandle } from '../../ui/Menu.tsx';
import { chosenFile, followDownload, written } from '../../ui/save-file.ts';
import { useAgain } from '../again.ts';
import { createEvents } from '../events.ts';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { RangePicker } from '../RangePicker.tsx';
import { bounds, type Range, rangeText, readRange, writeRange } from '../range.ts';
import { pagesOfWhole } from '../whole.ts';
import { ExportMenu, FacetMenu, LiveButton, NOTHING, TypeFilter } from './AuditTools.tsx';
import { columnsOf } from './columns.tsx';
import { auditSuggestions } from './complete.ts';
import { Details } from './Details.tsx';
import { type Folded, folded, foldId } from './fold.ts';
import { Timeline } from './Timeline.tsx';

/** How often new events are asked for while the log is live. */
const LIVE_MS = 2000;
/** The order of the list while nobody has chosen one, as the address writes it. */
const NEWEST_FIRST = 'created:desc';

/** What happened, newest first; filtered at the gateway, every event can be read whole, and what was found can be saved. */
export default function Audit() {
  const page = usePage();
  const { api, download, answers, clusterId } = page;
  const range = readRange(page.query);
  const line = page.query.search ?? '';
  const read = readAuditQuery(line);
  const isLive = page.query.live === 'yes';
  const asked = JSON.stringify({ range, read });
  /** What the rows on screen were asked with: "Fetch More" and the live log go on with it. */
  const filter = useRef<Omit<EventsQuery, 'from' | 'to'>>({});
  const list = useMemo(
    () =>
      createEvents(
        times =>
          api(searchEvents, { params: { clusterId }, query: { ...filter.current, ...times, limit: EVENTS_MOST } }),
        answers?.of(`${clusterId} audit`),
      ),
    [api, answers, clusterId],
  );
  const shown = useSnapshot(list.state);
  const types = useRef<MenuHandle>(null);
  const facets = useRef<MenuHandle>(null);
  const [timeline, setTimeline] = useState<{
    readonly times: ReturnType<typeof timesOf>;
    readonly slices: readonly EventSlice[];
  } | null>(null);
  const latest = useRef('');
  const load = useCallback(async (): Promise<void> => {
    latest.current = asked;
    const { range: wanted, read: query } = JSON.parse(asked) as { range: Range; read: AuditQuery | string };
    if (typeof query === 'string') return;
    filter.current = {
      ...(query.types.length > 0 ? { include: query.types.join(',') } : {}),
      ...(query.except.length > 0 ? { exclude: query.except.join(',') } : {}),
      ...(query.user === '' ? {} : { user: query.user }),
      ...(query.search === '' ? {} : { search: query.search }),
    };
    const times = timesOf(wanted, query, new Date());
    await list.load(times, asked);
    // Behind the rows: nobody waits for it, and without it the list is whole.
    const { slices } = await api(countEvents, { params: { clusterId }, query: { ...filter.current, ...times } }).catch(
      () => ({ slices: [] }),
    );
    if (latest.current === asked) setTimeline({ times, slices });
  }, [list, asked, api, clusterId]);
  useEffect(() => void load(), [load]);
  useAgain(load, true);
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void list.tail(new Date());
    }, LIVE_MS);
    return () => clearInterval(timer);
  }, [list, isLive]);

  const events = shown.events as readonly AuditEvent[];
  const search = (text: string): void => page.setQuery({ search: text, row: undefined, draft: undefined });
  const save = async (format: AuditFileKind): Promise<void> => {
    if (typeof read === 'string' || events.length === 0) return page.notify(NOTHING);
    const now = new Date();
    const name = `audit-${clusterId}-${dateTime(now.toISOString()).replace(/[: ]/g, '-')}.${format}`;
    const query = { ...filter.current, ...timesOf(range, read, now), format };
    try {
      const file = await chosenFile(name);
      page.notify('Fetching the events of this search…');
      if (file) {
        await written(await download(exportEvents, { params: { clusterId }, query }), file);
        page.notify('All events of this search have been exported');
        return;
      }
      // Held by the page it would have to fit into memory: the browser fetches it by itself.
      const { token } = await api(createExportLink, { params: { clusterId } });
      followDownload(pathOf(downloadEvents, { clusterId, token }) + searchOf(query), name);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      page.notify(`The events could not be exported: ${toApiError(error).message}`);
    }
  };
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  // In another order what follows upon itself says nothing.
  const isByTime = (page.query.sort ?? NEWEST_FIRST) === NEWEST_FIRST;
  const rows = useMemo(() => folded(events, isByTime ? unfolded : null), [events, isByTime, unfolded]);
  const current = useRef(rows);
  current.current = rows;
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<Folded>(() => current.current, {
        sortBy: ({ event }, key) =>
          key === 'created' ? event.time : key === 'user' ? (event.user ?? '') : codeDescription(event.code),
      }),
    [],
  );
  const unfold = ({ events: run }: Folded): void => {
    const id = foldId(run);
    setUnfolded(before => (before.has(id) ? new Set([...before].filter(one => one !== id)) : new Set([...before, id])));
  };
  const act = (what: ListAct, [row]: readonly Folded[]): void => {
    if (what === 'live') page.setQuery({ live: isLive ? undefined : 'yes' });
    else if (what === 'types') types.current?.toggle();
    else if (what === 'facets') facets.current?.toggle();
    else if (what === 'unfold') {
      if (row !== undefined && row.events.length > 0) unfold(row);
      else page.notify('The row under the cursor stands for one event only');
    } else if (what === 'exportCsv') void save('csv');
    else if (what === 'exportNdjson') void save('ndjson');
  };
  const users = useMemo(() => [...new Set(events.flatMap(({ user }) => user || []))].sort(), [events]);
  const byUser = (name: string): void => search(toggledPart(line, userPart(name)));
  return (
    <>
      <PagedList<Folded>
        noun="event"
        sort={{ key: 'created', down: true }}
        source={typeof read === 'string' ? { status: 'success', error: null } : shown}
        version={rows}
        fetchPage={fetchPage}
        line={{
          placeholder: 'Words, type:user.login, -type:resize, user:alice, since:yesterday',
          manual: 'searchEvents',
          // What the assistant made of words: a person reads it first.
          draft: page.query.draft,
          fault: typeof read === 'string' ? read : undefined,
          suggest: (text, caret) => auditSuggestions(text, caret, users),
          foundNone: typeof read === 'string' ? null : <LookedThrough range={range} query={read} />,
        }}
        rowKey={rowId}
        thingOf={({ event, events: run }) => ({
          ...eventThing(event),
          title: codeDescription(event.code),
          detail: describe(event),
          ...(run.length > 0 && { isFold: true }),
        })}
        copyOf={({ event }) => eventId(event)}
        filters={
          <>
            <TypeFilter
              chosen={typeof read === 'string' ? [] : read.types}
              onToggle={type => search(toggledPart(line, `type:${type}`))}
              menu={types}
            />
            <FacetMenu
              events={events}
              isPart={shown.startKey !== ''}
              isChosen={part => hasPart(line, part)}
              onToggle={part => search(toggledPart(line, part))}
              menu={facets}
            />
            <RangePicker range={range} onChange={next => page.setQuery({ ...writeRange(next), row: undefined })} />
            <LiveButton isOn={isLive} />
            <ExportMenu isEmpty={events.length === 0} />
          </>
        }
        onAct={act}
        above={
          timeline !== null &&
          timeline.slices.length > 0 && (
            <Timeline
              range={timeline.times}
              slices={timeline.slices}
              onNarrow={({ from, to }) => search(withTimes(line, from, to))}
            />
          )
        }
        onMore={shown.startKey !== '' ? () => void list.more() : undefined}
        columns={columnsOf(byUser)}
        empty={<p>Nothing was written down in {rangeText(range)}. Choose a longer range.</p>}
      />
      <Details events={events} />
    </>
  );
}

/** The times that a search looks through. */
const timesOf = (range: Range, query: AuditQuery, now: Date) => narrowed(bounds(range, now), query, now);

/** Why a line may have found nothing: the time that was looked through. */
function LookedThrough({ range, query }: { readonly range: Range; readonly query: AuditQuery }) {
  const { from, to } = timesOf(range, query, new Date());
  return (
    <p>
      Only events from {dateTime(from)} to {dateTime(to)} (UTC) were looked through. <code>since:30d</code> or a longer
      range looks further back.
    </p>
  );
}

/** A fold is a row beside the event that it is named by. */
const rowId = ({ event, events }: Folded): string => (events.length === 0 ? eventId(event) : `fold ${foldId(events)}`);
