import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCommandMarks, createLastCommand } from './command-marks.ts';

const osc = (text: string): string => `\x1b]133;${text}\x07`;
const prompt = (status = ''): string => `${osc(`D;${status}`)}${osc('A')}root@db:~# ${osc('B')}`;
const ran = (command: string, output = ''): string => `${command}\r\n${osc('C')}${output}`;
const pushed = (text: string, cols = 80): ReturnType<typeof createCommandMarks> => {
  const marks = createCommandMarks(cols);
  marks.push(Buffer.from(text), 5);
  return marks;
};
const texts = (text: string, cols = 80): readonly string[] =>
  pushed(text, cols)
    .marks()
    .map(mark => mark.text);

test('a shell that marks its prompts gives commands with status and times', () => {
  const marks = createCommandMarks(80);
  for (const [at, text] of [
    prompt(),
    ran('ls -l', 'root@db:~# fake\r\n'),
    prompt('0'),
    ran('false'),
    prompt('1'),
  ].entries())
    marks.push(Buffer.from(text), at * 10);
  expect(marks.marks()).toEqual([
    { ms: 10, text: 'ls -l', source: 'shell', status: 0, endMs: 20 },
    { ms: 30, text: 'false', source: 'shell', status: 1, endMs: 40 },
  ]);
});

test('without marks, lines with a prompt are guesses, and the screen of a program is none', () => {
  const said =
    'root@db:~# ls\r\na  b\r\nroot@db:~# \r\nroot@db:~# vi x\r\n\x1b[?1049h$ not this\r\n\x1b[?1049l$ id\r\n';
  expect(pushed(said).marks()).toEqual(
    ['ls', 'vi x', 'id'].map(text => ({ ms: 5, text, source: 'prompt', status: null, endMs: null })),
  );
});

test.each([
  ['a character taken back', '$ lx\b\x1b[Ks\r\n', 'ls'],
  ['a line brought from history', '$ cat x\b\b\b\b\b\x1b[Kls\r\n', 'ls'],
  ['a line drawn anew', '$ ab\r\x1b[K$ echo\r\n', 'echo'],
  ['a character put into the middle', '$ eho\b\b\x1b[@c\x1b[2C\r\n', 'echo'],
  ['a character removed', '$ eccho\r\x1b[4C\x1b[P\r\n', 'echo'],
  ['colours', '\x1b[1;32mroot@db\x1b[0m:\x1b[34m~\x1b[0m# ls \x1b[31m-l\x1b[0m\r\n', 'ls -l'],
  ['a title', '\x1b]0;root@db\x07root@db:~# ls\r\n', 'ls'],
  ['letters of several bytes', '$ echo käse 日本\r\n', 'echo käse 日本'],
  ['several lines', `${prompt()}for i in 1 2\r\n> do x; done\r\n${osc('C')}`, 'for i in 1 2 ⏎ > do x; done'],
])('%s', (_what, output, command) => expect(texts(output)).toEqual([command]));

test('a command wider than the terminal, as readline wraps it', () =>
  expect(texts('$ echo aaaa \rbbbb\r\n', 11)).toEqual(['echo aaaabbbb']));

test('where output is cut into pieces changes nothing', () => {
  const whole = Buffer.from(
    `${prompt()}${ran('echo käse', 'x\r\n')}${prompt('0')}\x1bP1;q\x1b\\${ran('ls\x1b[K', '\x1b]0;t\x1b\\y\r\n')}${prompt('2')}`,
  );
  const expected = pushed(whole.toString()).marks();
  expect(expected.map(({ text, status }) => [text, status])).toEqual([
    ['echo käse', 0],
    ['ls', 2],
  ]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: whole.length }), { maxLength: 12 }), cuts => {
      const marks = createCommandMarks(80);
      const places = [0, ...cuts.toSorted((one, other) => one - other), whole.length];
      for (const [index, place] of places.slice(1).entries()) marks.push(whole.subarray(places[index], place), 5);
      expect(marks.marks()).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

test('hostile output neither grows without end nor reaches who reads it', () => {
  const long = pushed(`$ ${'x'.repeat(100_000)}\r\n$ a\u202e\x9bb\r\n`.repeat(3));
  expect(long.marks()[0]?.text.length).toBeLessThanOrEqual(1024);
  expect(long.marks()[1]?.text).not.toMatch(/[\u202e\x9b]/);
  const many = createCommandMarks(80);
  many.push(Buffer.from('$ ls -l /tmp\r\n'.repeat(20_000)), 0);
  expect(many.marks().length).toBe(5000);
  // A line of a megabyte is written over again and again, and room is made in it: each costs no more than the line that is followed.
  const line = createCommandMarks(80);
  line.push(Buffer.from(`$ ${'x'.repeat(1_000_000)}${'\rx\x1b[4096@'.repeat(100_000)}\r\n`), 0);
  expect(line.marks().length).toBeLessThanOrEqual(1);
});

test('the last command of a running session is looked for in the end of its output, and kept once it has scrolled by', () => {
  let all = Buffer.alloc(0);
  const output = {
    get total() {
      return all.length;
    },
    recent: (most: number) => all.subarray(Math.max(0, all.length - most)),
  };
  const last = createLastCommand(output, () => 80);
  const print = (text: string): string => {
    all = Buffer.concat([all, Buffer.from(text)]);
    return last.text();
  };
  expect(last.text()).toBe('');
  expect(print('root@db:~# ls\r\na\r\nroot@db:~# make')).toBe('ls');
  expect(print('\r\n')).toBe('make');
  expect(print('$ x\r\n'.padStart(9000, 'y'))).toBe('make');
  expect(print('root@db:~# id\r\n')).toBe('id');
});
