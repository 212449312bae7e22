import { expect, test } from 'vitest';
import { onOneLine, PASTE_ASKS_BYTES, readPaste, shownPaste } from './paste.ts';

const ESC = '\x1b';
const straight = [
  'ls',
  'ls -la /tmp',
  'a\tb',
  'käse',
  '日本語',
  '🙂',
  ' leading space',
  'trailing ',
  'echo "quoted"',
  '#comment',
  'x'.repeat(PASTE_ASKS_BYTES),
  'ü'.repeat(PASTE_ASKS_BYTES / 2),
  '$(rm -rf /)',
  'a;b',
  '',
  '\u200bzero width',
  'e\u0301',
];
const asked = [
  'ls\n',
  '\nls',
  'ls\r',
  '\rls',
  'ls\r\n',
  'a\nb',
  'a\r\nb\r\n',
  '\n',
  '\n\n',
  'rm -rf /\n#',
  'x'.repeat(PASTE_ASKS_BYTES + 1),
  'ü'.repeat(PASTE_ASKS_BYTES / 2 + 1),
  'x'.repeat(1024 * 1024),
  `safe${ESC}[201~\nrm -rf /\n`,
  `${ESC}[200~a\nb${ESC}[201~`,
  ` \n `,
];
const cleaned: readonly (readonly [string, string])[] = [
  [`${ESC}[201~id`, 'id'],
  [`id${ESC}[201~`, 'id'],
  [`a${ESC}[200~b${ESC}[201~c`, 'abc'],
  [`a${ESC}[20${ESC}[201~1~b`, 'ab'],
  [`a${ESC}[2${ESC}[200~01~b`, 'ab'],
  ['a\x9b201~b', 'ab'],
  [`a${ESC}]0;title\x07b`, 'a]0;titleb'],
  [`a${ESC}[31mb`, 'a[31mb'],
  ['a\x03b', 'ab'],
  ['a\x04', 'a'],
  ['\x00', ''],
  ['a\x7fb', 'ab'],
  ['a\bb', 'ab'],
  ['a\x0bb', 'ab'],
  ['a\x0cb', 'ab'],
  ['a\x85b', 'ab'],
  ['a\x1ab', 'ab'],
];

test.each(straight)('%j goes straight through', text =>
  expect(readPaste(text)).toMatchObject({ text, lines: 1, removed: 0 }),
);
test.each(straight)('%j is not asked about', text => expect(readPaste(text).asks).toBeUndefined());
test.each(asked.map(text => [text.length > 40 ? `${text.length} characters` : text, text]))(
  '%j asks first',
  (_shown, text) => expect(readPaste(text).asks).toBeDefined(),
);
test.each(cleaned)('%j is sent as %j', (given, sent) => expect(readPaste(given).text).toBe(sent));

test('the end of a bracketed paste inside a paste never survives, however it is nested', () => {
  let nested = `${ESC}[201~`;
  for (let depth = 0; depth < 6; depth += 1) nested = `${ESC}[20${nested}1~`;
  expect(readPaste(`x${nested}y`).text).not.toContain('201~');
});

test.each([
  ['ls\n', 'end', 1],
  ['a\nb', 'lines', 2],
  ['a\r\nb\n', 'lines', 2],
  ['x'.repeat(6000), 'size', 1],
  ['x\n'.repeat(6000), 'size', 6000],
] as const)('it says what is unusual', (text, asks, lines) => expect(readPaste(text)).toMatchObject({ asks, lines }));

test('what is shown leaves nothing unseen', () => {
  expect(shownPaste('a\tb\r\nc\x1b[201~\u202ed\x9b')).toBe('a⇥\tb⏎\nc␛[201~⟨U+202E⟩d⟨U+009B⟩');
  expect(shownPaste('x'.repeat(20_003))).toBe(`${'x'.repeat(20_000)}…\n(3 more characters)`);
});

test('one line of several runs nothing by itself', () => {
  expect(onOneLine('  for f in *\r\n do\n\n echo $f\ndone\n')).toBe('for f in * do echo $f done');
  expect(readPaste(onOneLine('a\nb\n')).asks).toBeUndefined();
});
