import { expect, test } from 'vitest';
import { nextKeyText, pendingText } from './status.ts';

test('the status line says who hears the next key, and when nobody does', () => {
  expect([
    nextKeyText('page'),
    nextKeyText('typing'),
    nextKeyText('terminal'),
    nextKeyText('terminal', 'shell, when connected'),
    nextKeyText('page', 'nobody, you watch'),
  ]).toEqual(['keys → page', 'keys → field', 'keys → shell', 'keys → shell, when connected', 'keys → page']);
});

test('a sequence that waits shows what was pressed', () => {
  expect([pendingText([]), pendingText(['g'])]).toEqual(['', 'g …']);
});
