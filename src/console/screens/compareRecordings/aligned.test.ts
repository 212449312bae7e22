import { expect, test } from 'vitest';
import type { CommandMark } from '../../../contract/recordings.ts';
import { aligned, endsDiffer, sourceText } from './aligned.ts';

const ran = (text: string, more: Partial<CommandMark> = {}): CommandMark => ({
  ms: 0,
  text,
  source: 'shell',
  status: 0,
  endMs: null,
  ...more,
});
const words = (one: readonly CommandMark[], other: readonly CommandMark[]) =>
  aligned(one, other).map(pair => `${pair.one?.text ?? ''} | ${pair.other?.text ?? ''}`);

test('what both ran stands beside each other, what only one ran beside nothing', () => {
  const [ls, cd, df, rm] = ['ls', 'cd /tmp', 'df -h', 'rm -r x'].map(text => ran(text)) as [
    CommandMark,
    CommandMark,
    CommandMark,
    CommandMark,
  ];
  expect(words([ls, cd, df], [ls, df, rm])).toEqual(['ls | ls', 'cd /tmp | ', 'df -h | df -h', ' | rm -r x']);
  expect(words([ls], [])).toEqual(['ls | ']);
  expect(words([], [ls])).toEqual([' | ls']);
  expect(words([], [])).toEqual([]);
});

test('blanks make no other command, and the same command twice is two', () => {
  expect(words([ran('ls  -l '), ran('ls -l')], [ran('ls -l')])).toHaveLength(2);
  expect(words([ran('ls  -l')], [ran('ls -l')])).toEqual(['ls  -l | ls -l']);
});

test('ends differ where both are known', () => {
  expect(endsDiffer({ one: ran('x'), other: ran('x', { status: 1 }) })).toBe(true);
  expect(endsDiffer({ one: ran('x'), other: ran('x', { status: null }) })).toBe(false);
  expect(endsDiffer({ one: ran('x'), other: null })).toBe(false);
});

test.each([
  [[], 'No commands'],
  [[ran('x', { source: 'prompt' })], 'guessed from prompts'],
  [[ran('x', { source: 'prompt' }), ran('y')], 'as its shell marked them'],
  [[ran('x', { source: 'kernel' })], 'kernel'],
] as const)('%j: %s', (commands, said) => expect(sourceText(commands)).toContain(said));
