import { Lock } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { EVENTS_MOST, type FoundRecording, searchRecordedText, searchSessionEvents } from '../../../contract/audit.ts';
import { isHeldBy, listHolds } from '../../../contract/holds.ts';
import { playerQuery } from '../../../features/player-query.ts';
import { heldText, holdableOf, recordingThing } from '../../../features/recording.ts';
import type { Thing } from '../../../features/thing.ts';
import { dateTime, durationText } from '../../../features/times.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { createAwaited, createLazy } from '../../ui/lazy.tsx';
import { useAgain } from '../again.ts';
import { Copyable } from '../Copyable.tsx';
import { useChoices } from '../choices.ts';
import { createEvents } from '../events.ts';
import { PagedList } from '../PagedList.tsx';
import { LinkTo, usePage } from '../page.tsx';
import { RangePicker } from '../RangePicker.tsx';
import { bounds, readRange, writeRange } from '../range.ts';
import { pagesOfWhole } from '../whole.ts';
import type { Seen } from './last-screens.ts';
import { readRecordingsQuery, recordingSuggestions } from './query.ts';
import { type HeldRecordings, type Recording, recordingOf } from './recording.ts';
import styles from './recordings.module.css';

const Holds = createAwaited(async () => (await import('./Holds.tsx')).Holds);
const LastScreen = createLazy(async () => (await import('./LastScreen.tsx')).LastScreen, null).Component;

const Thumbnail = createLazy(async () => (await import('./LastScreen.tsx')).Thumbnail, null).Component;

/** Sessions that have ended, newest first, and the way to play them. */
export default function Recordings() {
  const page = usePage();
  const { api, answers, clusterId } = page;
  const range = readRange(page.query);
  const read = readRecordingsQuery(page.query.search ?? '');
  const text = typeof read === 'string' ? '' : read.text;
  const asked = JSON.stringify({ range, text });
  /** Where the text stands in the recordings that were found, by their sessions. */
  const places = useRef(new Map<string, FoundRecording['places']>());
  const waiting = useRef(0);
  const list = useMemo(
    () =>
      createEvents(
        async query => {
          if (text === '')
            return api(searchSessionEvents, { params: { clusterId }, query: { ...query, limit: EVENTS_MOST } });
          const found = await api(searchRecordedText, { params: { clusterId }, query: { ...query, text } });
          waiting.current = found.waiting;
          for (const { event, places: at } of found.recordings) places.current.set(String(event.sid), at);
          return { events: found.recordings.map(({ event }) => event), startKey: found.startKey };
        },
        answers?.of(`${clusterId} recordings`),
      ),
    [api, answers, clusterId, text],
  );
  const shown = useSnapshot(list.state);
  const load = useCallback(() => list.load(bounds(JSON.parse(asked).range, new Date()), asked), [list, asked]);
  useEffect(() => void load(), [load]);
  useAgain(load, true);
  const { onListChanged } = page;
  useEffect(
    () =>
      onListChanged('recordings', () => {
        const now = new Date();
        // A session that has just ended is not indexed yet.
        if (text === '' && bounds(JSON.parse(asked).range, now).to >= now.toISOString()) void list.tail(now);
      }),
    [onListChanged, list, asked, text],
  );
  const current = useRef(read);
  current.current = read;
  const rowsOf = useCallback(
    () =>
      list.state.events
        .map(event => recordingOf(event as Recording['event'], places.current))
        .filter(row => row !== null),
    [list],
  );
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<Recording>(
        () => {
          const wanted = current.current;
          return typeof wanted === 'string' ? [] : rowsOf().filter(row => wanted.fits(row, wordsOf(row)));
        },
        { sortBy: (row, key) => sortKeys[key as keyof typeof sortKeys]?.(row) ?? row.hostname },
      ),
    [rowsOf],
  );
  const { choices, choose } = useChoices();
  const screens = useMemo(() => new Map<string, Seen>(), []);
  const [chosen, setChosen] = useState<Recording>();
  const [held, setHeld] = useState<HeldRecordings>(nothingHeld);
  const loadHeld = useCallback(
    // Without them the list is whole; the next look asks again.
    () => api(listHolds, { params: { clusterId } }).then(setHeld, () => undefined),
    [api, clusterId],
  );
  useEffect(() => void loadHeld(), [loadHeld]);
  useAgain(loadHeld);
  const holdsOn = useCallback(
    ({ event }: Recording) => held.holds.filter(({ on }) => isHeldBy(on, holdableOf(event))),
    [held],
  );
  const thingOf = (row: Recording) => foundThing(recordingThing(row.event), row, text);
  return (
    <PagedList<Recording>
      noun="recording"
      bulk={bulk}
      sort={{ key: 'created', down: true }}
      source={shown}
      version={`${page.query.search ?? ''}\n${shown.events.length}\n${shown.events[0]?.uid ?? ''}`}
      line={{
        placeholder: 'Words, text:"disk full", user:alice, host:db-3, kind:ssh, is:cut',
        manual: 'searchRecordings',
        fault: typeof read === 'string' ? read : undefined,
        suggest: (line, caret) => recordingSuggestions(line, caret, rowsOf()),
        foundNone:
          text !== '' && waiting.current > 0 ? <p>{waiting.current} recordings are still being indexed.</p> : null,
      }}
      fetchPage={fetchPage}
      rowKey={row => row.sid}
      thingOf={thingOf}
      copyOf={row => row.sid}
      filters={
        <>
          <RangePicker range={range} onChange={next => page.setQuery({ ...writeRange(next), row: undefined })} />
          <CommandButton id="recording.lastScreen" isPressed={choices.lastScreen}>
            Last screen
          </CommandButton>
          {(held.mayHold || held.holds.length > 0) && (
            <Button kind="quiet" onClick={() => page.setQuery({ holds: 'yes' })}>
              Holds ({held.holds.length})
            </Button>
          )}
        </>
      }
      actions={page.query.holds === 'yes' && <Holds held={held} onClose={() => page.setQuery({ holds: undefined })} />}
      above={choices.lastScreen && <LastScreen recording={chosen} kept={screens} />}
      onSelected={rows => setChosen(rows.at(-1))}
      onAct={what => what === 'lastScreen' && choose({ lastScreen: !choices.lastScreen })}
      onMore={shown.startKey !== '' ? () => void list.more() : undefined}
      columns={[
        { key: 'type', title: 'Type', sorts: true, width: '80px', phone: 'hidden', draw: row => row.type },
        {
          key: 'name',
          title: 'Name',
          sorts: true,
          mono: true,
          // The place where a text was found says more than anything else of its recording.
          width: text === '' ? '20%' : '14%',
          phone: 'first',
          draw: row => (
            <>
              {row.hostname}
              {holdsOn(row).map(one => (
                <Lock key={one.id} className={styles.held} role="img" aria-label={`${heldText(one)}: ${one.why}`}>
                  <title>{`${heldText(one)}: ${one.why}`}</title>
                </Lock>
              ))}
            </>
          ),
        },
        ...(choices.lastScreen
          ? [
              {
                key: 'screen',
                title: 'Last screen',
                width: '108px',
                phone: 'hidden' as const,
                draw: (row: Recording) => <Thumbnail recording={row} kept={screens} />,
              },
            ]
          : []),
        { key: 'users', title: 'User(s)', sorts: true, width: text === '' ? '16%' : '11%', draw: row => row.users },
        { key: 'duration', title: 'Duration', sorts: true, width: '110px', draw: row => durationText(row.durationMs) },
        {
          key: 'created',
          title: 'Created (UTC)',
          sorts: true,
          mono: true,
          width: '176px',
          draw: row => dateTime(row.created),
        },
        ...(text === ''
          ? []
          : [
              {
                key: 'text',
                title: 'Found',
                mono: true,
                draw: (row: Recording) => {
                  const [first] = row.places ?? [];
                  const recording = thingOf(row)?.recording;
                  return (
                    first &&
                    recording && (
                      <LinkTo id="player" params={{ clusterId, sid: row.sid }} query={playerQuery(recording)}>
                        {durationText(first.ms)} {first.line}
                      </LinkTo>
                    )
                  );
                },
              },
            ]),
        // Beside a place that was found there is no room for it.
        ...(text === ''
          ? [
              {
                key: 'sid',
                title: 'Session ID',
                mono: true,
                phone: 'hidden' as const,
                draw: (row: Recording) => <Copyable label="the session id" text={row.sid} />,
              },
            ]
          : []),
      ]}
      empty={<p>A session is listed here when it has ended. None has in this time.</p>}
    />
  );
}

/** What can be done with several at once. */
const bulk = ['recording.compareMarked'];
const nothingHeld: HeldRecordings = { holds: [], mayHold: false, mayRelease: false };

/** What a row can be found by. */
const wordsOf = (row: Recording): string =>
  [row.hostname, row.users, row.sid, row.type, dateTime(row.created), durationText(row.durationMs)].join(' ');

const sortKeys = {
  duration: (row: Recording) => row.durationMs,
  created: (row: Recording) => row.created,
  users: (row: Recording) => row.users,
  type: (row: Recording) => row.type,
} as const;

/** A recording that was found by its text is played from there. */
function foundThing(thing: Thing | null, { places }: Recording, text: string): Thing | null {
  const first = places?.[0];
  if (!thing?.recording || first === undefined || text === '') return thing;
  return { ...thing, recording: { ...thing.recording, found: { text, ms: first.ms } } };
}
