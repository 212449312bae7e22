import { Terminal } from '@xterm/headless';
import { expect, test } from 'vitest';
import { bufferText } from './buffer-text.ts';

/** What is read after a program has written something to a screen of 10 columns and 3 rows. */
async function read(output: string): Promise<string> {
  const xterm = new Terminal({ cols: 10, rows: 3, scrollback: 100, allowProposedApi: true });
  await new Promise<void>(done => xterm.write(output, done));
  const text = bufferText(xterm.buffer.active);
  xterm.dispose();
  return text;
}

test('what has scrolled away is read, too, oldest first', async () =>
  expect(await read('one\r\ntwo\r\nthree\r\nfour\r\nfive')).toBe('one\ntwo\nthree\nfour\nfive'));

test('a line that was too wide for the screen is one line again, with the blanks at the edge', async () =>
  expect(await read('123456789 abc\r\nnext')).toBe('123456789 abc\nnext'));

test('colours and the empty rest of the screen are not read', async () =>
  expect(await read('\x1b[31mred\x1b[0m\r\n\r\nlast\r\n')).toBe('red\n\nlast'));
