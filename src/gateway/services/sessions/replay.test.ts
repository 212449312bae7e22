import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScan } from '../scan.ts';
import { blotOut, createReplay, RING_BYTES } from './replay.ts';

const openTerminal = () =>
  new headless.Terminal({ cols: 80, rows: 24, scrollback: 1000, allowProposedApi: true, logLevel: 'off' });
type Terminal = ReturnType<typeof openTerminal>;
const write = (terminal: Terminal, bytes: Uint8Array | string) =>
  new Promise<void>(resolve => terminal.write(bytes, resolve));
function pictureOf(terminal: Terminal) {
  const { active } = terminal.buffer;
  const rows = Array.from({ length: terminal.rows }, (_, row) => {
    const line = active.getLine(active.baseY + row);
    return Array.from({ length: terminal.cols }, (_cell, column) => {
      const cell = line?.getCell(column);
      return `${cell?.getChars() ?? ''}|${cell?.getFgColor()}|${cell?.getBgColor()}|${cell?.isBold()}|${cell?.isInverse()}`;
    }).join();
  });
  return { rows, x: active.cursorX, y: active.cursorY, type: active.type, modes: { ...terminal.modes } };
}
async function draw(bytes: Uint8Array | string): Promise<ReturnType<typeof pictureOf>> {
  const terminal = openTerminal();
  await write(terminal, bytes);
  const picture = pictureOf(terminal);
  terminal.dispose();
  return picture;
}

/** What real full-screen programs print, driven by keys; a program that this machine lacks prints one line. */
async function capture(command: string, keys: readonly string[]): Promise<Buffer> {
  const pty = spawn('/bin/sh', ['-c', command], {
    name: 'xterm-256color',
    cols: 80,
    rows: 24,
    encoding: null,
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', HOME: '/tmp' },
  });
  const parts: Buffer[] = [];
  const waiting = [...keys];
  pty.onData(text => {
    parts.push(Buffer.from(text as unknown as Uint8Array));
    const key = waiting.shift();
    if (key !== undefined) pty.write(key);
  });
  // Whatever it printed is as good as any other output: one that waits for more keys is not waited for.
  const enough = setTimeout(() => pty.kill('SIGKILL'), 5000);
  await new Promise<void>(resolve => pty.onExit(() => resolve()));
  clearTimeout(enough);
  return Buffer.concat(parts);
}
const programs: readonly (readonly [string, readonly string[]])[] = [
  ['ls -la --color=always / /etc', []],
  ['printf "\\033[?1049h\\033[5;10r\\033[31mred"; seq 100; printf "\\033(0lqqk\\033(B\\033[?25l"', []],
  [`less '${import.meta.filename}' || seq 10`, [' ', ' ', 'b', 'G', 'q']],
  [`vi -u NONE '${import.meta.filename}' || seq 10`, ['\x06', '\x06', 'ix\x1b', 'G', ':q!\r', ':q!\r', ':q!\r']],
  ['top -b -n 2 -d 0.1 || seq 10', []],
];

test('a client that comes back fresh sees the screen of one that never left', async () => {
  for (const [command, keys] of programs) {
    const output = await capture(command, keys);
    const replay = createReplay();
    for (let at = 0; at < output.length; at += 777) replay.push(output.subarray(at, at + 777));
    const picture = replay.picture(output.length);
    expect([picture.offset, picture.bytes.length]).toEqual([0, output.length]);
    expect(await draw(picture.bytes)).toEqual(await draw(output));
  }
}, 40_000);

test('coming back at any place goes on where the client was', async () => {
  const output = await capture('ls -la --color=always / /etc', []);
  const whole = await draw(output);
  const replay = createReplay();
  replay.push(output);
  for (let at = 0; at < output.length; at += Math.ceil(output.length / 20)) {
    const rest = replay.since(at);
    expect(rest).toMatchObject({ offset: at, fresh: false });
    expect(await draw(Buffer.concat([output.subarray(0, at), rest?.bytes ?? Buffer.alloc(0)]))).toEqual(whole);
  }
  expect([replay.since(output.length + 1), replay.since(-1)]).toEqual([null, null]);
});

test('a picture that lost its beginning keeps the modes, colours and region that were set there', async () => {
  const setting =
    '\x1b[?1049h\x1b[?1h\x1b[?2004h\x1b[?1002h\x1b[?1006h\x1b[1;35m\x1b[44m\x1b[1;20r\x1b)0\x1b[4 q\x1b]2;Tïtle\x07';
  const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index} of many\r\n`).join('');
  const output = Buffer.from(setting + lines);
  const replay = createReplay();
  for (let at = 0; at < output.length; at += 10_000) replay.push(output.subarray(at, at + 10_000));
  const picture = replay.picture(output.length);
  expect(picture.offset + picture.bytes.length).toBe(output.length);
  expect(picture.bytes.length).toBeLessThan(RING_BYTES + 1000);
  expect(await draw(picture.bytes)).toEqual(await draw(output));
}, 20_000);

/** How much of a picture is output, behind the modes in front: the longest tail they share. */
function heldOf(picture: Buffer, output: Buffer): number {
  let length = 0;
  while (length < picture.length && picture.at(-1 - length) === output.at(-1 - length)) length += 1;
  return length;
}

test('a cut picture never begins inside a sequence or a character', () => {
  const piece = fc.constantFrom(
    'text ',
    '漢字🙂',
    '\x1b[38;5;196;48;5;21m',
    '\x1b]2;a title that is long\x07',
    '\x1b]8;;https://example.com/\x1b\\',
    '\x1bP+q544e\x1b\\',
    '\r\n',
    '\x1b[12;40H',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 900, maxLength: 1500 }),
      fc.integer({ min: 50, max: 999 }),
      (pieces, step) => {
        const output = Buffer.from(pieces.join(''));
        const replay = createReplay(8 * 1024);
        for (let at = 0; at < output.length; at += step) replay.push(output.subarray(at, at + step));
        const picture = replay.picture(0);
        expect(picture.offset + picture.bytes.length).toBe(output.length);
        const scan = createScan(() => {});
        scan.push(output.subarray(0, output.length - heldOf(picture.bytes, output)), 0);
        expect(scan.atRest()).toBe(true);
        const kept = picture.bytes.toString('utf8');
        expect(kept).not.toContain('\ufffd');
      },
    ),
    { numRuns: 40 },
  );
});

test('questions that were answered once are not asked again, and nothing else changes', async () => {
  const questions = [
    '\x1b[c',
    '\x1b[>0c',
    '\x1b[6n',
    '\x1b[?6n',
    '\x1b[5n',
    '\x1b[?2004$p',
    '\x1b]11;?\x07',
    '\x1b]4;1;?\x1b\\',
    '\x1b]52;c;?\x07',
    '\x1bP$qm\x1b\\',
    '\x1bP+q544e\x1b\\',
    '\x1b[>q',
    '\x1b[18t',
    '\x05',
    '\x1bZ',
  ];
  const statements = [
    '\x1b[31m',
    '\x1b[2J',
    '\x1b]2;what?\x07',
    '\x1b]8;;http://x/?q\x07',
    '\x1b[3;4r',
    '\x1b[2 q',
    '\x1b[?25h',
    'is it c? n?',
  ];
  const output = Buffer.from(`start ${questions.join('a')} middle ${statements.join('b')} end`);
  const answers: string[] = [];
  const terminal = openTerminal();
  terminal.onData(text => answers.push(text));
  const blotted = Buffer.from(output);
  blotOut(blotted, blotted.length);
  await write(terminal, blotted);
  expect(answers).toEqual([]);
  expect(pictureOf(terminal)).toEqual(await draw(output));
  for (const statement of statements) expect(blotted.includes(statement)).toBe(true);
  // What nobody has seen yet may still be asked.
  const replay = createReplay();
  replay.push(output);
  expect(replay.picture(0).bytes.equals(output)).toBe(true);
  expect(replay.picture(output.length).bytes.equals(output)).toBe(false);
  terminal.dispose();
});

test('however output is cut into pieces, the scan finds the same in it', () => {
  const part = fc.oneof(
    fc.uint8Array({ maxLength: 30 }),
    fc
      .constantFrom(
        '\x1b[1;2H',
        '\x1b]2;é\x07',
        '\x1bPq\x1b\\',
        '\x1b',
        '\x18',
        '\x05',
        '\x0e',
        '\x0f',
        'plain text',
        '漢🙂',
      )
      .map(text => Buffer.from(text)),
  );
  const found = (pieces: readonly Uint8Array[]) => {
    const sequences: unknown[] = [];
    const scan = createScan((...sequence) => sequences.push(sequence));
    let at = 0;
    for (const piece of pieces) {
      scan.push(piece, at);
      at += piece.length;
    }
    return { sequences, rests: scan.atRest() };
  };
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), parts => {
      const whole = Buffer.concat(parts);
      const bytes = Array.from(whole, (_, index) => whole.subarray(index, index + 1));
      expect(found([whole])).toEqual(found(bytes));
    }),
    { numRuns: 300 },
  );
});

test('random bytes never break the scan, and it rests where a terminal does', async () => {
  const part = fc.oneof(
    fc.uint8Array({ maxLength: 20 }),
    fc
      .constantFrom('\x1b[', '\x1b]', '\x1bP', '\x1b\\', '\x07', '\x18', '?25h', 'x', '\x1b(', 'é')
      .map(text => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 40 }), async parts => {
      const output = Buffer.concat(parts);
      const scan = createScan(() => {});
      let at = 0;
      for (const one of parts) {
        scan.push(one, at);
        at += one.length;
      }
      // C1 controls, as UTF-8, are sequences to a terminal and text to the scan: leave them out.
      if (/[\x80-\x9f]/.test(output.toString('utf8'))) return;
      const terminal = openTerminal();
      await write(terminal, output);
      const parser = (
        terminal as unknown as {
          _core: { _inputHandler: { _parser: { currentState: number }; _utf8Decoder: { interim: Uint8Array } } };
        }
      )._core._inputHandler;
      const rests = parser._parser.currentState === 0 && parser._utf8Decoder.interim.every(byte => byte === 0);
      terminal.dispose();
      // Never says rest where a terminal does not rest; the other way round costs some bytes only.
      if (scan.atRest()) expect(rests).toBe(true);
    }),
    { numRuns: 300 },
  );
}, 20_000);
