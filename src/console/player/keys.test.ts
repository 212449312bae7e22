import { expect, test, vi } from 'vitest';
import { player } from '../../../commands/player.ts';
import type { Turn } from './clock.ts';
import { isPlayerAct, type KeyTarget, marksOf, playerActs } from './keys.ts';

/** What pressing the keys of a command does, in words. */
function pressed(
  keys: string,
  clock: { readonly at: number; readonly playing?: boolean } = { at: 5000 },
): readonly string[] {
  const done: string[] = [];
  const say =
    (what: string) =>
    (...args: readonly unknown[]) =>
      void done.push([what, ...args].join(' '));
  const target = {
    playback: {
      state: { clock: { durationMs: 20_000, playing: false, speed: 1, skipIdle: true, ...clock } },
      apply: (turn: Turn) => done.push(Object.values(turn).join(' ')),
      step: say('hit'),
      frame: say('frame'),
    },
    marks: [1000, 4500, 9000],
    copyLink: say('link'),
    search: say('search'),
    commands: say('commands'),
    download: say('download'),
    video: say('video'),
    scroll: say('scroll'),
  } as unknown as KeyTarget;
  const row = player.find(one => one.keys?.split(', ').includes(keys));
  const act = row?.id.slice('player.'.length) ?? '';
  if (isPlayerAct(act)) playerActs[act](target);
  return done;
}

test.each([
  ['space', 'toggle'],
  ['k', 'toggle'],
  ['j', 'move -5000'],
  ['left', 'move -5000'],
  ['l', 'move 5000'],
  ['right', 'move 5000'],
  ['home', 'seek 0'],
  ['end', `seek ${Number.MAX_SAFE_INTEGER}`],
  ['<', 'faster -1'],
  ['>', 'faster 1'],
  [',', 'frame -1'],
  ['.', 'frame 1'],
  ['[', 'seek 4500'],
  [']', 'seek 9000'],
  ['0', 'seek 0'],
  ['1', 'seek 2000'],
  ['2', 'seek 4000'],
  ['3', 'seek 6000'],
  ['4', 'seek 8000'],
  ['5', 'seek 10000'],
  ['6', 'seek 12000'],
  ['7', 'seek 14000'],
  ['8', 'seek 16000'],
  ['9', 'seek 18000'],
  ['pageup', 'scroll -1'],
  ['pagedown', 'scroll 1'],
  ['s', 'skipIdle false'],
  ['/', 'search'],
  ['c', 'commands'],
  ['n', 'hit 1'],
  ['shift+n', 'hit -1'],
  ['y', 'link'],
])('%s: %s', (keys, does) => expect(pressed(keys)).toEqual([does]));

test('every key of the player is one of those above', () => {
  const listed = vi.fn(pressed);
  for (const row of player) for (const keys of row.keys?.split(', ') ?? []) expect(listed(keys), keys).toHaveLength(1);
});

test('[ goes behind a mark that was just passed while it plays, and to the beginning before the first; ] stays behind the last', () => {
  expect(pressed('[', { at: 4600, playing: true })).toEqual(['seek 1000']);
  expect(pressed('[', { at: 4600 })).toEqual(['seek 4500']);
  expect(pressed('[', { at: 1000 })).toEqual(['seek 0']);
  expect(pressed(']', { at: 9000 })).toEqual([]);
});

test('marks are commands, resizes, people and copied files, in order, each moment once', () => {
  expect(
    marksOf({
      commands: [{ ms: 7, text: 'ls', source: 'shell', status: 0, endMs: 8 }],
      resizes: [
        { ms: 9, cols: 80, rows: 24 },
        { ms: 3, cols: 80, rows: 24 },
      ],
      parties: [{ ms: 7, user: 'bob', change: 'join' }],
      transfers: [{ ms: 5, user: 'bob', action: 'upload', path: '/a', bytes: 1, isFailed: false }],
    }),
  ).toEqual([3, 5, 7, 9]);
});
