import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { headOf } from './recordings.testing.ts';
import { createRecordings } from './recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-last-screen-'));
const recordings = createRecordings({ folder, clock: () => 0 });
afterAll(async () => {
  await recordings.close();
  rmSync(folder, { recursive: true });
});

async function record(prints: readonly string[], size = { cols: 20, rows: 4 }, later?: typeof size): Promise<string> {
  const sid = randomUUID();
  const recorder = await recordings.open(headOf({ sid, size, started: new Date(0) }), 'strict');
  for (const print of prints) recorder.output(Buffer.from(print));
  if (later) recorder.resize(later);
  await recorder.end();
  return sid;
}

test('the last screen is what stood there, with its colours and without what had scrolled away', async () => {
  const sid = await record([
    'one\r\ntwo\r\n\x1b[31mred\x1b[0m 漢\r\n',
    '\x1b[7m in \x1b[0m\x1b[38;2;1;2;3mx\r\n$ exit\r\n',
  ]);
  expect(await recordings.lastScreen(sid)).toEqual({
    cols: 20,
    rows: 4,
    lines: [
      [
        [0, 3, 'red', '1', ''],
        [4, 2, '漢', '', ''],
      ],
      [
        [0, 4, ' in ', 'ground', 'text'],
        [4, 1, 'x', '#010203', ''],
      ],
      [[0, 6, '$ exit', '#010203', '']],
    ],
  });
});

test('of a long recording it is drawn from the last key frame, in the size it had then', async () => {
  const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index}\r\n`).join('');
  const sid = await record([lines.slice(0, 300_000), lines.slice(300_000), 'the end'], undefined, {
    cols: 30,
    rows: 3,
  });
  expect((await recordings.summary(sid))?.keyframes.length).toBeGreaterThan(1);
  expect(await recordings.lastScreen(sid)).toEqual({
    cols: 30,
    rows: 3,
    lines: [[[0, 10, 'line 39998', '', '']], [[0, 10, 'line 39999', '', '']], [[0, 7, 'the end', '', '']]],
  });
});

test('a screen of any size and of a colour for each cell answers a picture of bounded size', async () => {
  const rainbow = Array.from({ length: 300 * 70 }, (_, index) => `\x1b[3${index % 8}mx`).join('');
  const sid = await record([rainbow], { cols: 300, rows: 80 });
  const picture = await recordings.lastScreen(sid);
  expect([picture?.cols, picture?.rows]).toEqual([200, 60]);
  expect(JSON.stringify(picture).length).toBeLessThan(200_000);
});

test('of a session that is not there, there is no screen', async () => {
  expect(await recordings.lastScreen(randomUUID())).toBeNull();
});
