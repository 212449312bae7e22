import headless from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordingSegment } from '../../contract/recordings.ts';
import { createLoader, type Loader } from './loader.ts';
import { type Canvas, createPainter } from './painter.ts';

/** A recording of three parts in which every line says when it was printed; the middle part changes the size. */
function recording(): {
  segments: RecordingSegment[];
  keyframes: { ms: number; offset: number; cols: number; rows: number; index: number }[];
} {
  const segments: RecordingSegment[] = [];
  let screen: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    const lines: Buffer[] = [];
    const prints: RecordingSegment['prints'] = [];
    const began = screen.map(line => `${line}\r\n`).join('');
    const wide = index === 2;
    for (let count = 0; count < 20; count += 1) {
      const ms = index * 10_000 + count * 100;
      if (index === 1 && count === 10) prints.push([ms, 60, 12]);
      const text = `at ${ms} \x1b[3${count % 8}m${'.'.repeat(count)}\x1b[0m`;
      const line = Buffer.from(`${text}\r\n`);
      lines.push(line);
      prints.push([ms, line.length]);
      screen = [...screen, text];
    }
    segments.push({
      screen: began,
      ms: index * 10_000,
      offset: 0,
      cols: wide ? 60 : 40,
      rows: wide ? 12 : 10,
      bytes: Buffer.concat(lines).toString('base64'),
      prints,
    });
  }
  return {
    segments,
    keyframes: segments.map(({ ms, offset, cols, rows }, index) => ({ ms, offset, cols, rows, index })),
  };
}

function started() {
  const { segments, keyframes } = recording();
  const asked: number[] = [];
  const loader = createLoader({ keyframes }, async index => {
    asked.push(index);
    const segment = segments[index];
    if (!segment) throw new Error(`no segment ${index}`);
    return segment;
  });
  const terminal = new headless.Terminal({ cols: 40, rows: 10, allowProposedApi: true, scrollback: 100 });
  const canvas: Canvas = {
    write: (output, done) => terminal.write(output, done),
    resize: (cols, rows) => terminal.resize(cols, rows),
  };
  const painter = createPainter(loader, canvas);
  const screen = async (): Promise<string> => {
    await painter.flush();
    const buffer = terminal.buffer.active;
    const lines = Array.from({ length: buffer.length }, (_, at) => buffer.getLine(at)?.translateToString(true) ?? '');
    return `${terminal.cols}x${terminal.rows} ${buffer.cursorX},${buffer.cursorY}\n${lines.join('\n')}`;
  };
  return { painter, screen, asked, loader };
}

/** The screen at a moment, painted by someone who has never been elsewhere. */
async function straightTo(ms: number): Promise<string> {
  const { painter, screen } = started();
  await painter.show(ms);
  return screen();
}

test('wherever one comes from, a moment looks as if it was gone to straight', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(32_000), { minLength: 1, maxLength: 12 }), async moments => {
      const { painter, screen } = started();
      for (const moment of moments) await painter.show(moment);
      expect(await screen()).toBe(await straightTo(moments.at(-1) ?? 0));
    }),
    { numRuns: 40 },
  );
});

test('played step by step or at once, the end of a part looks the same', async () => {
  const { painter, screen } = started();
  for (let ms = 0; ms <= 1900; ms += 50) await painter.show(ms);
  expect(await screen()).toBe(await straightTo(1900));
});

test('a change of size takes place between the prints where it happened', async () => {
  expect((await straightTo(10_999)).split(' ')[0]).toBe('40x10');
  expect((await straightTo(11_000)).split(' ')[0]).toBe('60x12');
});

test('what was printed before a change of size is drawn in the size it was printed for', async () => {
  const jump = Buffer.from('\x1b[999GX');
  const segment: RecordingSegment = {
    screen: '',
    ms: 0,
    offset: 0,
    cols: 10,
    rows: 5,
    bytes: jump.toString('base64'),
    prints: [
      [0, jump.length],
      [1, 20, 5],
    ],
  };
  const loader = createLoader({ keyframes: [{ ms: 0, offset: 0, cols: 10, rows: 5, index: 0 }] }, async () => segment);
  const terminal = new headless.Terminal({ cols: 10, rows: 5, allowProposedApi: true });
  const painter = createPainter(loader, {
    write: (output, done) => terminal.write(output, done),
    resize: (cols, rows) => terminal.resize(cols, rows),
  });
  await painter.show(1);
  await painter.flush();
  expect([terminal.cols, terminal.buffer.active.getLine(0)?.translateToString(true)]).toEqual([20, '         X']);
});

test('only what lies ahead is written when time goes on inside a part', async () => {
  const { loader } = started();
  const written: number[] = [];
  const painter = createPainter(loader, {
    write(output, done) {
      written.push(output.length);
      done?.();
    },
    resize: () => {},
  });
  await painter.show(500);
  written.length = 0;
  await painter.show(600);
  expect(written.length).toBe(1);
});

test('a later wish overtakes an earlier one that still waits for its part', async () => {
  const { segments, keyframes } = recording();
  const answers: (() => void)[] = [];
  const slow: Loader = createLoader(
    { keyframes },
    index => new Promise(done => answers.push(() => done(segments[index] as RecordingSegment))),
  );
  const terminal = new headless.Terminal({ cols: 40, rows: 10, allowProposedApi: true });
  const painter = createPainter(slow, {
    write: (output, done) => terminal.write(output, done),
    resize: (cols, rows) => terminal.resize(cols, rows),
  });
  const first = painter.show(20_500);
  const second = painter.show(500);
  for (const answer of answers.reverse()) answer();
  expect([await first, await second, painter.index()]).toEqual([false, true, 0]);
});

test('what is around a moment is known for skipping idle time', async () => {
  const { painter } = started();
  await painter.show(550);
  expect(painter.around()).toEqual({ before: 500, next: 600 });
  await painter.show(5000);
  expect(painter.around()).toEqual({ before: 1900, next: null });
});
