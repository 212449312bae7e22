import { expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import type { RecordingSegment, RecordingSummary } from '../../contract/recordings.ts';
import { activityPath } from './activity-path.ts';
import { playerActs } from './keys.ts';
import { openPlayback } from './playback.ts';
import { linkTo, momentOf, refusedQuery } from './player-address.ts';

const keyframes = [0, 10_000].map((ms, index) => ({ ms, offset: 0, cols: 80, rows: 24, index }));
const summary: RecordingSummary = {
  sid: 's',
  durationMs: 20_000,
  bytes: 8,
  cols: 80,
  rows: 24,
  started: '',
  ended: null,
  state: 'sealed',
  integrity: { ok: true },
  keyframes,
  activity: [],
  resizes: [],
  commands: [],
  parties: [],
  transfers: [],
  holds: [],
  serverId: 'db',
  login: 'root',
  hostname: 'db',
  participants: [],
};
const segments: RecordingSegment[] = [
  {
    screen: '',
    ms: 0,
    offset: 0,
    cols: 80,
    rows: 24,
    bytes: btoa('one two'),
    prints: [
      [100, 3],
      [4000, 4],
    ],
  },
  { screen: '', ms: 10_000, offset: 7, cols: 80, rows: 24, bytes: btoa(' three'), prints: [[10_000, 6]] },
];

function started(
  fetchSegment = async (index: number): Promise<RecordingSegment> => segments[index] as RecordingSegment,
  at: number | null = 0,
  found?: { readonly text: string; readonly beyond: (by: 1 | -1) => void },
) {
  let frame = (_now: number): void => {};
  let stopped = false;
  let screen = '';
  const playback = openPlayback({
    summary,
    fetchSegment,
    canvas: {
      write(output, done) {
        const text = typeof output === 'string' ? output : new TextDecoder().decode(output);
        screen = text.includes('\x1bc') ? '' : screen + text;
        done?.();
      },
      resize: () => {},
    },
    at,
    ...found,
    frames(run) {
      frame = run;
      return () => {
        stopped = true;
      };
    },
  });
  let now = 0;
  return {
    playback,
    screen: () => screen,
    stopped: () => stopped,
    /** Frames so far apart, with what they start given time to finish. */
    async frames(count: number, apartMs = 100): Promise<void> {
      for (let at = 0; at < count; at += 1) {
        frame(now);
        now += apartMs;
        await new Promise(done => setImmediate(done));
      }
    },
  };
}

test('a recording plays through, skipping what is idle, and stops at its end', async () => {
  const { playback, frames, screen } = started();
  await playback.begin();
  playback.apply({ kind: 'play' });
  await frames(60);
  expect(playback.state.clock).toMatchObject({ at: 20_000, playing: false });
  expect(screen()).toBe(' three');
});

test('a part that cannot be fetched pauses with what the gateway said, and seeking again tries again', async () => {
  let broken = true;
  const { playback, screen } = started(async index => {
    if (broken && index === 1) throw new Error('Too many requests');
    return segments[index] as RecordingSegment;
  });
  await playback.begin();
  playback.apply({ kind: 'play' });
  playback.apply({ kind: 'seek', to: 15_000 });
  await new Promise(done => setImmediate(done));
  expect([playback.state.error, playback.state.clock.playing]).toEqual(['Too many requests', false]);
  broken = false;
  playback.apply({ kind: 'seek', to: 15_000 });
  await new Promise(done => setImmediate(done));
  expect([playback.state.error, screen()]).toEqual(['', ' three']);
});

test('a page that slept goes on where it was', async () => {
  const { playback, frames } = started();
  await playback.begin();
  playback.apply({ kind: 'skipIdle', on: false });
  playback.apply({ kind: 'play' });
  await frames(1);
  await frames(1, 3_600_000);
  await frames(1);
  expect(playback.state.clock.at).toBe(350);
});

test('a search goes to the first hit from here on, and walks round', async () => {
  const { playback } = started();
  await playback.begin();
  playback.apply({ kind: 'seek', to: 5000 });
  await playback.find('t');
  const moments = [playback.state.clock.at];
  for (let count = 0; count < 2; count += 1) {
    playback.step(1);
    moments.push(playback.state.clock.at);
  }
  expect([moments, playback.state.clock.playing]).toEqual([[10_000, 4000, 10_000], false]);
});

test('opened at what was found, it goes from hit to hit and then to the recordings beside it', async () => {
  const steps: number[] = [];
  const { playback } = started(undefined, 4000, { text: 't', beyond: by => steps.push(by) });
  await playback.begin();
  const moments = [playback.state.clock.at];
  for (const by of [1, 1, -1, -1]) {
    playback.step(by);
    moments.push(playback.state.clock.at);
  }
  expect([moments, steps]).toEqual([
    [4000, 10_000, 10_000, 4000, 4000],
    [1, -1],
  ]);
  await playback.find('one');
  playback.step(1);
  expect(steps).toHaveLength(2);
});

test('it goes on and back by one picture, over the edges of its parts, and waits', async () => {
  const { playback } = started();
  await playback.begin();
  const moments: number[] = [];
  for (const by of [1, 1, 1, -1, -1, -1] as const) {
    playback.frame(by);
    await new Promise(done => setImmediate(done));
    moments.push(playback.state.clock.at);
  }
  expect([moments, playback.state.clock.playing]).toEqual([[100, 4000, 10_000, 9999, 100, 0], false]);
});

test('a session that goes on is followed at its end, and left alone where somebody looks at something earlier', async () => {
  const grown = { ...summary, durationMs: 30_000 };
  const { playback, screen } = started(async index => {
    const part = segments[index] as RecordingSegment;
    return index === 1
      ? {
          ...part,
          bytes: btoa(' three four'),
          prints: [
            [10_000, 6],
            [30_000, 5],
          ],
        }
      : part;
  });
  await playback.begin();
  playback.apply({ kind: 'seek', to: 4000 });
  playback.extend(grown);
  expect(playback.state.clock).toMatchObject({ at: 4000, durationMs: 30_000 });
  playback.apply({ kind: 'seek', to: 30_000 });
  playback.extend({ ...grown, durationMs: 40_000 });
  await new Promise(done => setImmediate(done));
  expect(playback.state.clock.at).toBe(40_000);
  expect(screen()).toBe(' three four');
});

test('a newer search drops the answer of an older one', async () => {
  const { playback } = started();
  await playback.begin();
  const older = playback.find('one');
  const newer = playback.find('three');
  await Promise.all([older, newer]);
  expect([playback.state.search.text, playback.state.search.hits.map(hit => hit.ms)]).toEqual(['three', [10_000]]);
});

test('closing stops the frames', () => {
  const { playback, stopped } = started();
  playback.dispose();
  expect(stopped()).toBe(true);
});

test('every command of the player does something here', () => {
  const acts = commands.filter(({ group }) => group === 'player').map(({ id }) => id.replace('player.', ''));
  expect(acts.toSorted()).toEqual(Object.keys(playerActs).toSorted());
});

// Rule 2: the player takes recordingType and optional durationMs
test.each([
  ['ssh', null, true],
  ['k8s', '0', true],
  ['app', null, true],
  [null, '5', false],
  ['', '5', false],
  ['SSH', '5', false],
  ['desktop', null, false],
  ['desktop', '-5', false],
  ['desktop', '1.5', false],
])('recordingType %j with durationMs %j can be played: %s', (type, duration, can) =>
  expect(refusedQuery(type, duration) === null).toBe(can),
);

test.each([
  [null, true],
  [0, false],
  [5000, false],
])('a recording that is opened at %j plays on: %j', async (at, plays) => {
  const { playback } = started(undefined, at);
  await playback.begin();
  expect(playback.state.clock).toMatchObject({ at: at ?? 0, playing: plays });
});

test.each([
  [null, null],
  ['', null],
  ['-3', null],
  ['x', null],
  ['Infinity', null],
  ['0', 0],
  ['12.5', 12_500],
])('the moment ?t=%j is %j ms', (t, ms) => expect(momentOf(t)).toBe(ms));

test('a link to a moment keeps the rest of the address, and leads to within a frame of it', () => {
  const link = linkTo('https://g/web/cluster/c/session/s?recordingType=ssh&t=5', 61_900.7);
  expect(momentOf(new URL(link).searchParams.get('t'))).toBe(61_900);
  expect(link).toBe('https://g/web/cluster/c/session/s?recordingType=ssh&t=61.9');
});

test('the heat strip shows the least output, and nothing where nothing was', () => {
  expect(activityPath([0, 1, 1_000_000])).toBe('M1 24v-1h1v1zM2 24v-24h1v24z');
  expect(activityPath([0, 0])).toBe('');
});
