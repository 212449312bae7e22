import { useCallback, useEffect, useMemo } from 'react';
import { useSnapshot } from 'valtio';
import { EVENTS_MOST, searchSessionEvents } from '../../../contract/audit.ts';
import { recordingThing } from '../../../features/recording.ts';
import { dateTime, durationText } from '../../../features/times.ts';
import { useAgain } from '../again.ts';
import { Copyable } from '../Copyable.tsx';
import { createEvents } from '../events.ts';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { RangePicker } from '../RangePicker.tsx';
import { bounds, readRange, writeRange } from '../range.ts';
import { pagesOfWhole } from '../whole.ts';
import { type Recording, recordingOf } from './recording.ts';

/** Sessions that have ended, newest first, and the way to play them. */
export default function Recordings() {
  const page = usePage();
  const { api, answers, clusterId } = page;
  const range = readRange(page.query);
  const asked = JSON.stringify(range);
  const list = useMemo(
    () =>
      createEvents(
        query => api(searchSessionEvents, { params: { clusterId }, query: { ...query, limit: EVENTS_MOST } }),
        answers?.of(`${clusterId} recordings`),
      ),
    [api, answers, clusterId],
  );
  const shown = useSnapshot(list.state);
  const load = useCallback(() => list.load(bounds(JSON.parse(asked), new Date()), asked), [list, asked]);
  useEffect(() => void load(), [load]);
  useAgain(load, true);
  const { onListChanged } = page;
  useEffect(
    () =>
      onListChanged('recordings', () => {
        const now = new Date();
        if (bounds(JSON.parse(asked), now).to >= now.toISOString()) void list.tail(now);
      }),
    [onListChanged, list, asked],
  );
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<Recording>(
        () => list.state.events.map(event => recordingOf(event as Recording['event'])).filter(row => row !== null),
        {
          words: row =>
            [row.hostname, row.users, row.sid, row.type, dateTime(row.created), durationText(row.durationMs)].join(' '),
          sortBy: (row, key) =>
            key === 'duration'
              ? row.durationMs
              : key === 'created'
                ? row.created
                : key === 'users'
                  ? row.users
                  : key === 'type'
                    ? row.type
                    : row.hostname,
        },
      ),
    [list],
  );
  return (
    <PagedList<Recording>
      noun="recording"
      sort={{ key: 'created', down: true }}
      source={shown}
      version={shown.events}
      fetchPage={fetchPage}
      rowKey={row => row.sid}
      thingOf={row => recordingThing(row.event)}
      copyOf={row => row.sid}
      filters={<RangePicker range={range} onChange={next => page.setQuery({ ...writeRange(next), row: undefined })} />}
      onMore={shown.startKey !== '' ? () => void list.more() : undefined}
      columns={[
        { key: 'type', title: 'Type', sorts: true, width: '80px', phone: 'hidden', draw: row => row.type },
        {
          key: 'name',
          title: 'Name',
          sorts: true,
          mono: true,
          width: '20%',
          phone: 'first',
          draw: row => row.hostname,
        },
        { key: 'users', title: 'User(s)', sorts: true, width: '16%', draw: row => row.users },
        { key: 'duration', title: 'Duration', sorts: true, width: '110px', draw: row => durationText(row.durationMs) },
        {
          key: 'created',
          title: 'Created (UTC)',
          sorts: true,
          mono: true,
          width: '176px',
          draw: row => dateTime(row.created),
        },
        {
          key: 'sid',
          title: 'Session ID',
          mono: true,
          phone: 'hidden',
          draw: row => <Copyable label="the session id" text={row.sid} />,
        },
      ]}
      empty={<p>A session is listed here when it has ended. None has in this time.</p>}
    />
  );
}
