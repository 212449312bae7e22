import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mappedUserName, refusedUserName } from './user-name.ts';

test.each([
  'ann',
  'ann.lee+ops@example.com',
  'user-1',
  "o'neil",
  'jürgen',
  'straße',
  'анна',
  'ελένη',
  'שרה',
  'فاطمة',
  '田中さん',
  '김철수',
  'system-ann',
  'a',
])('%s may be a user', name => expect(refusedUserName(name)).toBeNull());

test.each([
  ['', 'empty'],
  ['x'.repeat(256), 'at most 255'],
  ['ann\u0007', 'control'],
  ['ann\ud800', 'broken'],
  ['ann ', 'spaces'],
  [' ann', 'spaces'],
  ['ann\u00a0lee', 'spaces'],
  ['a/b', 'slashes'],
  ['.', 'folders'],
  ['..', 'folders'],
  ['system', "the gateway's own"],
  ['SYSTEM', "the gateway's own"],
  ['ｓystem', "the gateway's own"],
  ['system:root', "the gateway's own"],
  ['Ann', 'must be written "ann"'],
  ['ａnn', 'must be written "ann"'],
  ['u\u0308', 'must be written "ü"'],
  ['ann\u202egol', 'direction'],
  ['ann\u200b', 'cannot be seen'],
  ['an\u00adn', 'cannot be seen'],
  ['ﬁona', 'English keyboard'],
  ['ann²', 'English keyboard'],
  ['ann★', 'English keyboard'],
  ['\u0301ann', 'mark'],
  ['аnn', 'one script'],
  ['αnn', 'one script'],
  ['аере', 'look like Latin'],
  ['ορο', 'look like Latin'],
  ['1שרה', 'right to left'],
  ['שרה-', 'right to left'],
])('%j is refused, with the reason', (name, why) => expect(refusedUserName(name)).toContain(why));

test('a name that is allowed is its own spelling, and names that could be one are one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), name => {
      const mapped = mappedUserName(name);
      if (refusedUserName(name) === null) expect(mapped).toBe(name);
      expect(mappedUserName(mapped)).toBe(mapped);
    }),
    { numRuns: 3000 },
  );
});
