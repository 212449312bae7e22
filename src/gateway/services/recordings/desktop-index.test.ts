import { expect, test } from 'vitest';
import { openDrawing } from '../desktop-drawing/drawing.ts';
import { openDesktopIndexer } from './desktop-index.ts';
import type { RecordingHeader } from './format.ts';
import type { StoredChunk } from './reader.ts';

const [WIDTH, HEIGHT] = [640, 400];
const header = { kind: 'desktop', proto: 'vnc', cols: WIDTH, rows: HEIGHT } as RecordingHeader;
const begin = Buffer.concat([Buffer.of(WIDTH >> 8, WIDTH & 255, HEIGHT >> 8, HEIGHT & 255), Buffer.alloc(20)]);
/** The whole screen in one colour, not packed. */
function drawn(colour: number): Buffer {
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, WIDTH >> 8, WIDTH & 255, HEIGHT >> 8, HEIGHT & 255, 0, 0, 0, 0]);
  return Buffer.concat([head, Buffer.alloc(4 * WIDTH * HEIGHT, colour)]);
}
const chunk = { next: { position: 0, skip: 0 } } as StoredChunk;

async function index(proto: 'vnc' | null, all: readonly (readonly [number, Buffer])[]) {
  const screens: string[] = [];
  const indexer = openDesktopIndexer(
    header,
    { position: 0, skip: 0 },
    {
      openScreen: null,
      openDrawing: proto && (protocol => openDrawing({ protocol })),
      onScreen(screen) {
        screens.push(screen);
        return { at: screens.length - 1, bytes: 1, digest: '' };
      },
    },
  );
  for (const [ms, bytes] of all) {
    indexer.take({ kind: 'output', ms, bytes });
    await indexer.endOfChunk(chunk, ms);
  }
  const found = indexer.contents(all.at(-1)?.[0] ?? 0);
  indexer.dispose();
  return { ...found, screens };
}

test('a desktop that is drawn has pictures to start from, and a small one for each minute, of what was shown then', async () => {
  const { keyframes, thumbnails, screens } = await index('vnc', [
    [0, begin],
    [100, drawn(1)],
    [2000, drawn(2)],
    [150_000, drawn(3)],
  ]);
  expect(keyframes.slice(1).every(({ screen }) => screen !== null)).toBe(true);
  expect(keyframes).toHaveLength(4);
  expect(thumbnails?.map(({ ms }) => ms)).toEqual([1000, 60_000, 120_000]);
  // The screen did not change between the first minute and the second.
  expect(thumbnails?.[1]?.screen).toBe(thumbnails?.[2]?.screen);
  expect(screens[thumbnails?.[0]?.screen.at ?? -1]).not.toBe(screens[thumbnails?.[1]?.screen.at ?? -1]);
});

test('parts begin at the same moments whether it is drawn or not: a player asks for them by number', async () => {
  const some = Array.from({ length: 6 }, (_, at) => [at * 1000, at === 0 ? begin : drawn(at)] as const);
  const moments = async (proto: 'vnc' | null) => (await index(proto, some)).keyframes.map(({ ms }) => ms);
  expect(await moments('vnc')).toEqual(await moments(null));
});

test('what cannot be drawn, or is not, has parts alone', async () => {
  const some = [begin, drawn(1), drawn(2)].map((bytes, at) => [at * 1000, bytes] as const);
  for (const { keyframes, thumbnails } of [
    await index(null, some),
    await index('vnc', [
      [0, begin],
      [10, Buffer.alloc(1024 * 1024, 99)],
      [2000, drawn(1)],
    ]),
  ]) {
    expect(keyframes.length).toBeGreaterThan(1);
    expect(keyframes.every(({ screen }) => screen === null)).toBe(true);
    expect(thumbnails).toEqual([]);
  }
});
