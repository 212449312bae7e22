import { expect, test } from 'vitest';
import { LINES_MOST, linesWith, noLines, withText } from './log.ts';

test('pieces become lines, without what moves a cursor, and the last one is shown before it is whole', () => {
  const log = ['GET /\u001b[32m 2', '00\u001b[0m\nGE', 'T /health'].reduce(withText, noLines);
  expect(linesWith(log, '')).toEqual(['GET / 200', 'GET /health']);
  expect(linesWith(log, 'HEALTH')).toEqual(['GET /health']);
  expect(linesWith(withText(log, ' 503\n'), '503')).toEqual(['GET /health 503']);
});

test('the oldest lines go, and it is said', () => {
  const log = withText(noLines, 'line\n'.repeat(LINES_MOST));
  expect(log.isCut).toBe(false);
  const more = withText(log, 'new\n');
  expect([more.lines.length, more.lines.at(-1), more.isCut]).toEqual([LINES_MOST, 'new', true]);
});
