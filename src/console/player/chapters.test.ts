import { expect, test } from 'vitest';
import { chaptersOf } from './chapters.ts';

test('chapters are commands and copied files in the order in which they happened', () => {
  const command = { ms: 7, text: 'ls', source: 'shell', status: 0, endMs: 8 } as const;
  const [early, late] = [5, 9].map(
    ms => ({ ms, user: 'bob', action: 'upload', path: '/a', bytes: 1, isFailed: false }) as const,
  );
  if (!early || !late) throw new Error('two were made');
  expect(chaptersOf({ commands: [command], transfers: [early, late] })).toEqual([early, command, late]);
});
