import { expect, test, vi } from 'vitest';
import type { DesktopReplay } from '../desktop/replay.ts';
import { createDesktopCanvas } from './desktop-canvas.ts';

const RESET = '\x18\x1bc';
/** What each screen was shown, in order; and moments that are read when they are let. */
function screens() {
  const shown: string[][] = [];
  const reading: (() => void)[] = [];
  const open = (): DesktopReplay => {
    const mine: string[] = [];
    shown.push(mine);
    return {
      feed(bytes, drawn) {
        mine.push(String.fromCharCode(...bytes));
        drawn();
      },
      restore: ({ width }) => void mine.push(`moment ${width}`),
      dispose: () => void mine.push('gone'),
    };
  };
  const canvas = createDesktopCanvas({} as HTMLElement, open, screen => {
    const { promise, resolve } = Promise.withResolvers<Parameters<DesktopReplay['restore']>[0]>();
    reading.push(() => resolve({ ...JSON.parse(screen) }));
    return promise;
  });
  return { canvas, shown, reading };
}
const bytes = (text: string) => Uint8Array.from(text, letter => letter.charCodeAt(0));

test('what comes behind a moment waits until that is read, and is drawn behind it', async () => {
  const { canvas, shown, reading } = screens();
  canvas.write(RESET);
  canvas.write('{"width": 1}');
  const drawn = vi.fn<() => void>();
  canvas.write(bytes('a'), drawn);
  expect([shown, drawn.mock.calls.length]).toEqual([[[]], 0]);
  reading[0]?.();
  await vi.waitFor(() => expect(drawn).toHaveBeenCalledOnce(), 4_000);
  expect(shown).toEqual([['moment 1', 'a']]);
});

test('whoever goes elsewhere before a moment is read is shown nothing of it there, and nothing waits for it any longer', async () => {
  const { canvas, shown, reading } = screens();
  canvas.write(RESET);
  canvas.write('{"width": 1}');
  const drawn = vi.fn<() => void>();
  canvas.write(bytes('of the end'), drawn);
  canvas.write(RESET);
  canvas.write('{"width": 2}');
  canvas.write(bytes('b'));
  expect(drawn).toHaveBeenCalledOnce();
  reading[1]?.();
  reading[0]?.();
  await vi.waitFor(() => expect(shown[1]).toHaveLength(2), 4_000);
  expect(shown).toEqual([['gone'], ['moment 2', 'b']]);
});
