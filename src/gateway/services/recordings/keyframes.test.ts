import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import headless from '@xterm/headless';
import * as fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import type { RecordingSegment } from '../../../contract/recordings.ts';
import { createRecordings } from './recordings.ts';
import { openScreen, SCROLLBACK_LINES } from './screen.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-keyframes-'));
let ms = 0;
const problems: string[] = [];
const recordings = createRecordings({
  folder,
  clock: () => ms,
  report: (problem, error) => problems.push(`${problem}: ${String(error)}`),
});
afterAll(async () => {
  await recordings.close();
  rmSync(folder, { recursive: true });
});

type Terminal = InstanceType<typeof headless.Terminal>;
function openTerminal(cols: number, rows: number): Terminal {
  const terminal = new headless.Terminal({
    cols,
    rows,
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
    logLevel: 'off',
  });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  return terminal;
}
const write = (terminal: Terminal, bytes: Uint8Array | string) =>
  new Promise<void>(resolve => terminal.write(bytes, resolve));
/** All a person can see of a terminal, and what decides how it goes on. */
function pictureOf(terminal: Terminal) {
  const { active, normal } = terminal.buffer;
  const rows: string[] = [];
  for (let row = 0; row < terminal.rows; row += 1) {
    const line = active.getLine(active.baseY + row);
    let text = '';
    for (let column = 0; column < terminal.cols; column += 1) {
      const cell = line?.getCell(column);
      text += `${cell?.getChars() || ' '}${cell?.getChars() ? `${cell.isBold()}${cell.getFgColor()}` : ''},${cell?.getBgColor() ?? ''};`;
    }
    rows.push(text);
  }
  return {
    rows,
    x: active.cursorX,
    y: active.cursorY,
    type: active.type,
    modes: { ...terminal.modes },
    above: normal.baseY > 0,
  };
}

/** Output as programs make it: text, colours, cursor moves, regions, alternate screen, modes, wide and combined characters. */
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom('\r\n', '\n', '\r', '\t', '\b', '漢字', '🙂', '👨‍👩‍👧', '🇩🇪', 'e\u0301', 'ñ'),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('A', 'B', 'C', 'D', 'G', 'd', 'J', 'K', 'L', 'M', 'P', 'X', '@', 'S', 'T'), fc.nat(9))
      .map(([letter, count]) => `\x1b[${letter === 'J' || letter === 'K' ? count % 3 : count}${letter}`),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 80 }))
      .map(([row, column]) => `\x1b[${row};${column}H`),
  },
  { weight: 3, arbitrary: fc.constantFrom('\x1b[0m', '\x1b[1;31m', '\x1b[44m', '\x1b[38;5;208m', '\x1b[7m') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\x1b[3;10r',
      '\x1b[r',
      '\x1b[?1049h',
      '\x1b[?1049l',
      '\x1b[?25l',
      '\x1b[?25h',
      '\x1b[?1h',
      '\x1b[?1l',
      '\x1b[?2004h',
      '\x1b[?1002h\x1b[?1006h',
      '\x1b[?1002l',
      '\x1b(0lqqk',
      '\x1b(B',
      '\x1b[4h',
      '\x1b[4l',
      '\x1b]2;title\x07',
    ),
  },
);
const program = fc.array(piece, { minLength: 5, maxLength: 80 }).map(pieces => pieces.join(''));

test('a screen that is written down and drawn again goes on as the one it was', async () => {
  await fc.assert(
    fc.asyncProperty(program, program, async (before, after) => {
      const screen = openScreen({ cols: 80, rows: 24 });
      const first = openTerminal(80, 24);
      const second = openTerminal(80, 24);
      await screen.write(Buffer.from(before));
      await write(first, before);
      // The one thing that cannot be drawn: a cursor waiting to wrap behind a last cell that was erased meanwhile.
      const { active } = first.buffer;
      const erased =
        active.cursorX === 80 &&
        !active
          .getLine(active.baseY + active.cursorY)
          ?.getCell(79)
          ?.getChars();
      if (screen.atRest() && !erased) {
        await write(second, screen.serialize());
        expect(pictureOf(second)).toEqual(pictureOf(first));
        // The pen, the region and the character set show only in what comes next.
        const next = `x\x1b[24;1H${after.replaceAll(/\x1b\[\?1049[hl]/g, '')}`;
        await write(first, next);
        await write(second, next);
        expect(pictureOf(second).rows).toEqual(pictureOf(first).rows);
      }
      for (const one of [screen, first, second]) one.dispose();
    }),
    { numRuns: 60 },
  );
}, 30_000);

test('a screen is not at rest inside a sequence or a character', async () => {
  const screen = openScreen({ cols: 80, rows: 24 });
  const states: boolean[] = [];
  for (const text of ['plain', '\x1b', '[3', '1m', '\x1b]2;ti', 'tle\x07']) {
    await screen.write(Buffer.from(text));
    states.push(screen.atRest());
  }
  await screen.write(Buffer.from([0xe2, 0x82]));
  states.push(screen.atRest());
  await screen.write(Buffer.from([0xac]));
  states.push(screen.atRest());
  expect(states).toEqual([true, false, false, true, false, true, false, true]);
  screen.dispose();
});

/** Some two megabytes that look like work: listings, colours, a full-screen program now and then, sizes that change. */
async function longRecording() {
  const sid = randomUUID();
  const head = {
    sid,
    user: 'alice',
    login: 'root',
    serverId: 's',
    hostname: 'h',
    addr: 'h:22',
    clusterName: 'c',
    size: { cols: 80, rows: 24 },
    started: new Date(0),
    kind: 'terminal' as const,
    proto: 'ssh' as const,
  };
  const recorder = await recordings.open(head, 'strict');
  for (let index = 0; index < 1500; index += 1) {
    ms = index * 100;
    if (index % 500 === 250) recorder.resize({ cols: 60 + (index % 7) * 10, rows: 20 + (index % 5) });
    if (index % 400 === 300) recorder.output(Buffer.from('\x1b[?1049h\x1b[2;10r\x1b[?25l'));
    if (index % 400 === 350) recorder.output(Buffer.from('\x1b[r\x1b[?1049l\x1b[?25h'));
    // Cut where a sequence is half written, as a network does.
    const text = Buffer.from(`\x1b[3${index % 8}m${'drwxr-xr-x 2 root root 4096 '.repeat(20)}${index} 漢字\r\n`);
    recorder.output(text.subarray(0, 3 + (index % 200)));
    recorder.output(text.subarray(3 + (index % 200)));
  }
  await recorder.end();
  return { sid, settle: () => recorder.settle() };
}
/** Plays a segment's prints up to a moment, as the player does. */
async function play(terminal: Terminal, segment: RecordingSegment, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  const bytes = Buffer.from(segment.bytes, 'base64');
  let from = 0;
  let to = 0;
  for (const [when, one, rows] of segment.prints) {
    if (when > untilMs) break;
    if (rows === undefined) {
      to += one;
      continue;
    }
    await write(terminal, bytes.subarray(from, to));
    from = to;
    terminal.resize(one, rows);
  }
  await write(terminal, bytes.subarray(from, to));
}

test('every point of a recording shows from its key frame what playing from the start shows', async () => {
  const { sid, settle } = await longRecording();
  const summary = await recordings.summary(sid);
  if (!summary) throw new Error('no recording');
  expect(summary.keyframes.length).toBeGreaterThan(2);
  const segments: RecordingSegment[] = [];
  for (const { index } of summary.keyframes) {
    const segment = await recordings.segment(sid, index);
    if (segment) segments.push(segment);
  }
  // Segments join without a gap, and each is small enough to draw at once.
  expect(segments.map(({ offset, bytes }) => offset + Buffer.from(bytes, 'base64').length)).toEqual([
    ...summary.keyframes.slice(1).map(({ offset }) => offset),
    summary.bytes,
  ]);
  expect(Math.max(...segments.map(({ bytes }) => bytes.length * 0.75))).toBeLessThan(400 * 1024);

  const whole = openTerminal(80, 24);
  for (const [index, segment] of segments.entries()) {
    if (index > 0) {
      const fresh = openTerminal(segment.cols, segment.rows);
      await write(fresh, segment.screen);
      expect(pictureOf(fresh)).toEqual(pictureOf(whole));
      fresh.dispose();
    }
    await play(whole, segment);
  }
  whole.dispose();
  const last = segments.at(-1);

  // The sidecar is used when it fits, and made anew when it is damaged or the recording changed.
  const path = join(folder, `${sid}.idx`);
  expect(existsSync(path)).toBe(true);
  const size = statSync(path).size;
  writeFileSync(path, 'not an index');
  const again = createRecordings({ folder });
  expect((await again.summary(sid))?.keyframes).toEqual(summary.keyframes);
  expect(statSync(path).size).toBe(size);
  truncateSync(path, size - 1000);
  expect(await again.segment(sid, segments.length - 1)).toEqual(last);
  rmSync(path);
  expect(await again.segment(sid, 1)).toEqual(segments[1]);
  await again.close();
  utimesSync(join(folder, `${sid}.rec`), 1, 1);
  expect((await recordings.stream(sid, 300_000, 5))?.length).toBe(5);
  const before = statSync(join(folder, `${sid}.rec`)).size;
  await settle();
  await vi.waitFor(() => expect(existsSync(join(folder, `${sid}.unpacked`))).toBe(false), { timeout: 20_000 });
  // Packed, it is another file of the same recording, and each point of it is where it was.
  expect(statSync(join(folder, `${sid}.rec`)).size).toBeLessThan(before / 4);
  expect(await recordings.summary(sid)).toEqual(summary);
  expect(await recordings.verify(sid)).toEqual({ ok: true });
  for (const [index, segment] of segments.entries()) expect(await recordings.segment(sid, index)).toEqual(segment);
  expect(problems).toEqual([]);
}, 30_000);
