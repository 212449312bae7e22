// Whoever comes late to a session on a desktop: what they are shown is what was drawn, from a moment on where that is much.
import { expect, test, vi } from 'vitest';
import type { DesktopMoment } from '../../../contract/desktop-sessions.ts';
import type { Who } from '../../ports/who.ts';
import { openDrawing } from '../desktop-drawing/drawing.ts';
import type { DesktopWatcher } from './desktop-seats.ts';
import { createDesktopWatching, type DesktopWatching } from './desktop-watching.ts';

const WAIT = { timeout: 20_000, interval: 50 };
const [WIDTH, HEIGHT] = [160, 120];
const begin = Buffer.concat([Buffer.of(0, WIDTH, 0, HEIGHT), Buffer.alloc(20)]);
/** The whole screen in one colour, not packed. */
const drawn = (colour: number): Buffer =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 0, WIDTH, 0, HEIGHT, 0, 0, 0, 0]),
    Buffer.alloc(4 * WIDTH * HEIGHT, colour),
  ]);

/** A session that has drawn this, and goes on drawing. */
function session(before: readonly Buffer[]) {
  const recorded = [...before];
  const total = () => recorded.reduce((sum, { length }) => sum + length, 0);
  const watchers: DesktopWatcher[] = [];
  const drawings: string[] = [];
  const watchDesktop: DesktopWatching = createDesktopWatching({
    wholeMostBytes: 1000,
    sessions: {
      watch(_sid, _who, watcher) {
        watchers.push(watcher);
        return { session: {}, protocol: 'vnc', offset: total(), leave: () => undefined } as never;
      },
    },
    recordings: { stream: async (_, offset, bytes) => Buffer.concat(recorded).subarray(offset, offset + bytes) },
    openDrawing(protocol) {
      const drawing = openDrawing({ protocol });
      drawings.push('opened');
      return {
        ...drawing,
        close() {
          drawings.push('closed');
          return drawing.close();
        },
      };
    },
  });
  return {
    watchDesktop,
    drawings,
    draw(bytes: Buffer): void {
      recorded.push(bytes);
      for (const watcher of watchers) watcher.drawn(bytes);
    },
  };
}
function viewer(watchDesktop: DesktopWatching) {
  const moments: DesktopMoment[] = [];
  const shown: Buffer[] = [];
  const ended = vi.fn<(why: string) => void>();
  const { leave } = watchDesktop({} as Who, 'one', {
    begin: async moment => void moments.push(moment),
    show: async bytes => void shown.push(Buffer.from(bytes)),
    ended,
  });
  return { moments, ended, leave, shown: () => Buffer.concat(shown) };
}
/** What somebody has on their screen who began at a moment, if there is one, and was shown this. */
async function screenOf(moment: DesktopMoment | undefined, shown: Buffer): Promise<string> {
  if (moment && shown.length === 0) return moment.png;
  const drawing = openDrawing({ protocol: 'vnc' });
  try {
    if (moment)
      await drawing.feed(Buffer.concat([Buffer.from(moment.before, 'base64'), Buffer.from(moment.after, 'base64')]));
    await drawing.feed(shown);
    return Buffer.from((await drawing.restored())?.png ?? []).toString('base64');
  } finally {
    await drawing.close();
  }
}

test('a short session is handed over from its beginning, a long one from a moment that shows what was drawn by then', async () => {
  const short = session([begin]);
  const one = viewer(short.watchDesktop);
  short.draw(Buffer.of(2));
  await vi.waitFor(() => expect(one.shown()).toEqual(Buffer.concat([begin, Buffer.of(2)])), WAIT);
  expect([one.moments, short.drawings]).toEqual([[], []]);

  const long = session([begin, drawn(1), drawn(2)]);
  const two = viewer(long.watchDesktop);
  await vi.waitFor(() => expect(two.moments).toHaveLength(1), WAIT);
  expect(two.moments[0]).toMatchObject({ width: WIDTH, height: HEIGHT });
  expect(await screenOf(two.moments[0], two.shown())).toBe(await screenOf(undefined, Buffer.concat([begin, drawn(2)])));
  expect(two.shown().length).toBe(0);
  long.draw(drawn(3));
  await vi.waitFor(() => expect(two.shown()).toEqual(drawn(3)), WAIT);
  one.leave();
  two.leave();
}, 60_000);

test('what is drawn while a moment is made is not lost, and whoever comes next is shown more from where it is', async () => {
  const long = session([begin, drawn(1)]);
  const one = viewer(long.watchDesktop);
  // In pieces, as a network has them.
  for (const piece of [drawn(2).subarray(0, 500), drawn(2).subarray(500), Buffer.of(2)]) long.draw(piece);
  const all = Buffer.concat([begin, drawn(1), drawn(2), Buffer.of(2)]);
  const whole = await screenOf(undefined, all);
  await vi.waitFor(async () => expect(await screenOf(one.moments[0], one.shown())).toBe(whole), WAIT);
  const two = viewer(long.watchDesktop);
  await vi.waitFor(() => expect(two.moments).toHaveLength(1), WAIT);
  expect(long.drawings).toEqual(['opened']);
  one.leave();
  expect(long.drawings).toEqual(['opened']);
  two.leave();
  expect(long.drawings).toEqual(['opened', 'closed']);
}, 60_000);

test('what cannot be drawn here is handed over from its beginning', async () => {
  const wild = Buffer.alloc(2000, 99);
  const strange = session([begin, wild]);
  const one = viewer(strange.watchDesktop);
  await vi.waitFor(() => expect(one.shown()).toEqual(Buffer.concat([begin, wild])), WAIT);
  expect([one.moments, strange.drawings]).toEqual([[], ['opened', 'closed']]);
  one.leave();
}, 60_000);
