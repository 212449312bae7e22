import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines, nearChanges } from './diff.ts';

const signs = { same: ' ', added: '+', removed: '-' } as const;
const shown = (before: string, after: string): readonly string[] =>
  diffLines(before, after).map(({ kind, text, line }) => `${signs[kind]}${line} ${text}`);

test('a line that changed is removed and added, the others stay', () =>
  expect(shown('a\nb\nc', 'a\nB\nc\nd')).toEqual([' 1 a', '-2 b', '+2 B', ' 3 c', '+4 d']));

test('lines that moved apart keep what they have in common', () =>
  expect(shown('x\nkept\ny', 'new\nkept\nz')).toEqual(['-1 x', '+1 new', ' 2 kept', '-3 y', '+3 z']));

test('what is the same or removed makes the old text, what is the same or added the new one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map(lines => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const without = (kind: string) => lines.filter(line => line.kind !== kind).map(line => line.text);
      expect([without('added').join('\n'), without('removed').join('\n')]).toEqual([before, after]);
    }),
  );
});

test('texts too long to compare are replaced whole between what is the same', () => {
  const long = (name: string) => Array.from({ length: 3000 }, (_, at) => `${name}${at}`).join('\n');
  const lines = diffLines(`same\n${long('a')}`, `same\n${long('b')}`);
  expect([lines.length, lines[0]?.kind, lines[1]?.kind, lines.at(-1)?.kind]).toEqual([
    6001,
    'same',
    'removed',
    'added',
  ]);
});

test('lines far from a change are left out, and where is said', () => {
  const before = Array.from({ length: 12 }, (_, at) => `line ${at}`).join('\n');
  const near = nearChanges(diffLines(before, before.replace('line 6', 'other')), 1);
  expect(near.map(line => line && `${signs[line.kind]}${line.text}`)).toEqual([
    null,
    ' line 5',
    '-line 6',
    '+other',
    ' line 7',
    null,
  ]);
});
