import { expect, test } from 'vitest';
import { PASTE_ASKS_BYTES, planPaste } from './paste.ts';

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

test.each(straight)('%j goes straight through', text => expect(planPaste(text)).toEqual({ text }));
test.each(asked.map(text => [text.length > 40 ? `${text.length} characters` : text, text]))(
  '%j asks first',
  (_shown, text) => expect(planPaste(text).ask).toBeDefined(),
);
test.each(cleaned)('%j is sent as %j', (given, sent) => expect(planPaste(given).text).toBe(sent));

test('the end of a bracketed paste inside a paste never survives, however it is nested', () => {
  let nested = `${ESC}[201~`;
  for (let depth = 0; depth < 6; depth += 1) nested = `${ESC}[20${nested}1~`;
  expect(planPaste(`x${nested}y`).text).not.toContain('201~');
});

test('the question counts lines and bytes and shows the first of them, cut', () => {
  const { ask } = planPaste(Array.from({ length: 9 }, (_, at) => `line ${at} ${'x'.repeat(100)}`).join('\n'));
  expect(ask?.title).toBe('Paste several lines?');
  expect(ask?.text).toContain('9 lines, 971 bytes');
  expect(ask?.text.split('\n').length).toBe(7);
  expect(Math.max(...(ask?.text.split('\n').slice(1) ?? []).map(line => line.length))).toBe(81);
});

test.each([
  ['ls\n', 'Paste a line that runs at once?'],
  ['a\nb', 'Paste several lines?'],
  ['a\nb\n', 'Paste several lines?'],
  ['x'.repeat(6000), 'Paste this much?'],
])('the question names what is unusual', (text, title) => expect(planPaste(text).ask?.title).toBe(title));
