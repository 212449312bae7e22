import { Terminal } from '@xterm/headless';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClipboardFilter } from './clipboard-filter.ts';

const filtered = (pieces: readonly Uint8Array[]): Buffer => {
  const filter = createClipboardFilter();
  return Buffer.concat(pieces.map(piece => filter.apply(piece)));
};
const shown = (text: string): string => filtered([Buffer.from(text)]).toString();

/** What a terminal takes for a clipboard write, and what it shows afterwards. */
async function read(bytes: Uint8Array): Promise<{ writes: string[]; text: string }> {
  const terminal = new Terminal({ cols: 80, rows: 24, allowProposedApi: true, logLevel: 'off' });
  const writes: string[] = [];
  terminal.parser.registerOscHandler(52, payload => {
    // Without a selection and a text, as when the number ends the sequence, nothing is written.
    if (payload !== '') writes.push(payload);
    return true;
  });
  await new Promise<void>(done => terminal.write(bytes, done));
  const lines = Array.from({ length: 24 }, (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true));
  terminal.dispose();
  return { writes, text: lines.join('\n').trimEnd() };
}

test.each([
  ['\x1b]52;c;c3VkbyBybQ==\x07', 'ended by a bell'],
  ['\x1b]52;c;c3VkbyBybQ==\x1b\\', 'ended by ST'],
  ['\u009d52;c;c3VkbyBybQ==\u009c', 'with C1 controls'],
  ['\x1b]052;c;c3VkbyBybQ==\x07', 'with a leading zero'],
  ['\x1b\x01]5\x0b2;c;c3VkbyBybQ==\x07', 'with controls that terminals pass over'],
  ['\x1bPtmux;\x1b\x1b]52;c;c3VkbyBybQ==\x07\x1b\\', 'inside a DCS'],
  ['\x1b]0;title\u009d52;c;c3VkbyBybQ==\x07', 'inside another OSC'],
  ['\x1b]52;c;?\x07', 'a question'],
])('%j (%s) never reaches a watcher, in whatever pieces it comes', async sequence => {
  const bytes = Buffer.from(`before ${sequence} after`);
  expect((await read(bytes)).writes).toHaveLength(1);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const out = filtered([bytes.subarray(0, cut), bytes.subarray(cut)]);
    expect(out.length).toBe(bytes.length);
    expect(await read(out), `cut at ${cut}`).toEqual({ writes: [], text: 'before  after' });
  }
});

test.each(['\x1b]0;52;title\x07', '\x1b]520;c;x\x07', '52;c;x\x07', '\x1b[52;c', '”52; é', '\x1b]8;;https://a\x07b'])(
  '%j is left as it is, in the same memory',
  text => {
    const bytes = Buffer.from(text);
    expect(createClipboardFilter().apply(bytes)).toBe(bytes);
  },
);

test('what was given is not changed: others are shown the same bytes', () => {
  const bytes = Buffer.from('\x1b]52;c;eA==\x07');
  const before = Buffer.from(bytes);
  expect(createClipboardFilter().apply(bytes)).not.toEqual(before);
  expect(bytes).toEqual(before);
});

test('an end that is missing takes nothing behind the next sequence', () =>
  expect(shown('\x1b]52;c;eA\x1b[31mred')).toBe('\x1b]52\x18\0\0\0\0\x1b[31mred'));

test('no output makes a terminal write to a clipboard', async () => {
  const piece = fc.constantFrom(
    '\x1b',
    ']',
    '52',
    ';',
    'c;eA==',
    '\x07',
    '\\',
    '\u009d',
    '\u009c',
    'P',
    '\x18',
    '0',
    'é',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(piece, piece, fc.string({ maxLength: 3 })), { maxLength: 30 }), async pieces => {
      const out = filtered(pieces.map(text => Buffer.from(text)));
      expect((await read(out)).writes).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
