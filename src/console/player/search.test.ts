import { expect, test } from 'vitest';
import { createLoader } from './loader.ts';
import { findInRecording, HITS_MOST, textOf } from './search.ts';
import { readSegment } from './segment.ts';

const encode = (text: string): string => Buffer.from(text).toString('base64');

/** Parts of a recording, each a list of [ms, text]. */
function searching(...parts: [number, string][][]) {
  const segments = parts.map(prints => ({
    screen: '',
    ms: prints[0]?.[0] ?? 0,
    offset: 0,
    cols: 80,
    rows: 24,
    bytes: encode(prints.map(([, text]) => text).join('')),
    prints: prints.map(([ms, text]): [number, number] => [ms, Buffer.byteLength(text)]),
  }));
  const loaded: number[] = [];
  const loader = createLoader(
    { keyframes: segments.map(({ ms }, index) => ({ ms, offset: 0, cols: 80, rows: 24, index })) },
    async index => {
      loaded.push(index);
      return segments[index] as (typeof segments)[number];
    },
  );
  const progress: string[] = [];
  const stop = new AbortController();
  const find = (needle: string) =>
    findInRecording(
      loader,
      needle,
      { progress: (done, of, hits) => void progress.push(`${done}/${of} ${hits.length}`) },
      stop.signal,
    );
  return { find, progress, stop, loaded };
}

test('a hit has the time of the print that completed it, and its line', async () => {
  const { find, progress } = searching(
    [
      [0, '$ make te'],
      [40, 'st\r\nerror: 42\r\n'],
    ],
    [
      [9000, 'nothing\r\n'],
      [9500, 'Error again'],
    ],
  );
  expect(await find('test')).toEqual([{ ms: 40, line: '$ make test' }]);
  expect(await find('error')).toEqual([
    { ms: 40, line: 'error: 42' },
    { ms: 9500, line: 'Error again' },
  ]);
  expect(progress.slice(-2)).toEqual(['1/2 1', '2/2 2']);
});

test('colours inside a word do not hide it, nor do titles and other sequences', async () => {
  const { find } = searching(
    [
      [0, '\x1b]0;secret title\x07pass\x1b[1;31mwo\x1b[0mrd \x1b(B\x1b[?25h'],
      [5, '\x1b[38;5'],
    ],
    [[9, 'x']],
  );
  expect((await find('password')).length).toBe(1);
  expect((await find('secret')).length).toBe(0);
});

test('a word that is cut between two parts is found once', async () => {
  const { find } = searching([[0, 'look: need']], [[1000, 'le and needle']]);
  expect(await find('needle')).toEqual([
    { ms: 1000, line: 'needle and needle' },
    { ms: 1000, line: 'needle and needle' },
  ]);
});

test('one letter is found in every part once for each place', async () => {
  const { find } = searching([[0, 'aXa']], [[10, 'X']], [[20, 'bX']]);
  expect((await find('x')).map(hit => hit.ms)).toEqual([0, 10, 20]);
});

test('signs that mean something in patterns are looked for as they are', async () => {
  const { find } = searching([[0, 'a.b (c) [d] $e ^f *g \\h a|b']]);
  for (const needle of ['a.b', '(c)', '[d]', '$e', '^f', '*g', '\\h', 'a|b'])
    expect((await find(needle)).length).toBe(1);
  expect((await find('a?b')).length).toBe(0);
});

test('a character of several bytes that is cut between two prints keeps the times right', () => {
  const bytes = Buffer.from('ä🙂ok');
  const segment = readSegment(0, {
    screen: '',
    ms: 0,
    offset: 0,
    cols: 80,
    rows: 24,
    bytes: bytes.toString('base64'),
    prints: [
      [0, 1],
      [10, 3],
      [20, 2],
      [30, 2],
    ],
  });
  expect(textOf(segment)).toEqual({
    text: 'ä🙂ok',
    starts: [
      { at: 0, ms: 0 },
      { at: 0, ms: 10 },
      { at: 1, ms: 20 },
      { at: 3, ms: 30 },
    ],
  });
});

test('the search stops at a thousand hits', async () => {
  const { find } = searching([[0, 'x '.repeat(5000)]]);
  expect((await find('x')).length).toBe(HITS_MOST);
});

test('a search that was stopped loads no further part', async () => {
  const { find, stop, loaded } = searching([[0, 'a']], [[10, 'a']], [[20, 'a']]);
  const running = find('a');
  stop.abort();
  expect(await running).toEqual([]);
  expect(loaded).toEqual([0]);
});
