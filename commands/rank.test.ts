import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Candidate, compareRanked, createIndex, RANKED_MOST, rank } from './rank.ts';

const titles = (items: readonly Candidate[], typed: string): string[] =>
  rank(createIndex(items), typed).map(({ item }) => item.title);
const named = (...names: string[]): Candidate[] => names.map(title => ({ title }));

describe('order', () => {
  test('an exact match comes before everything, even before recent use', () => {
    expect(titles([{ title: 'db-30', recency: 0 }, { title: 'db-3' }], 'db-3')).toEqual(['db-3', 'db-30']);
  });
  test('recent use comes before name', () => {
    expect(titles([{ title: 'web-1' }, { title: 'web-2', recency: 5 }, { title: 'web-3', recency: 1 }], 'web')).toEqual(
      ['web-3', 'web-2', 'web-1'],
    );
  });
  test('a title that begins so comes before one with a later word, and a word before its inside', () => {
    expect(titles(named('Cobweb', 'New web', 'Web'), 'we')).toEqual(['Web', 'New web', 'Cobweb']);
  });
  test('titles come before further words, and both before initials', () => {
    expect(
      titles([{ title: 'Show some hosts' }, { title: 'Open', words: ['ssh'] }, { title: 'ssh-1' }], 'ssh'),
    ).toEqual(['ssh-1', 'Open', 'Show some hosts']);
  });
  test('every typed word must be found, in any order', () => {
    expect(titles(named('Go to Servers', 'Go to Users', 'Servers'), 'serv go')).toEqual(['Go to Servers']);
  });
  test('words of a host name begin after its signs', () => {
    expect(titles(named('eu-db3', 'eu-web-db', 'eudb'), 'db')).toEqual(['eu-web-db', 'eu-db3', 'eudb']);
  });
  test('nothing typed lists recent things first, then all by name', () => {
    expect(titles([{ title: 'b' }, { title: 'c', recency: 0 }, { title: 'a' }], ' ')).toEqual(['c', 'a', 'b']);
  });
  test('equal titles keep the order they came in', () => {
    const twins = [
      { title: 'db', words: ['first'] },
      { title: 'db', words: ['second'] },
    ];
    expect(rank(createIndex(twins), 'db').map(({ item }) => item.words[0])).toEqual(['first', 'second']);
  });
});

test('a whole word comes before a longer one that begins so, and both before further words', () => {
  expect(
    titles([{ title: 'Logout', recency: 0 }, { title: 'Go to Audit Log' }, { title: 'Events', words: ['log'] }], 'log'),
  ).toEqual(['Go to Audit Log', 'Logout', 'Events']);
});

test('of what matches as well, what cannot be undone comes last, however often it was used', () => {
  expect(
    titles(
      [{ title: 'Remove', last: 'destructive', recency: 0 }, { title: 'Rename' }, { title: 'Reset', last: 'refused' }],
      're',
    ),
  ).toEqual(['Rename', 'Remove', 'Reset']);
});

test('what is refused comes after what matches as well', () => {
  expect(
    titles(
      [{ title: 'Reconnect', last: 'refused', recency: 0 }, { title: 'Reset' }, { title: 'Go to Recordings' }],
      're',
    ),
  ).toEqual(['Reset', 'Go to Recordings', 'Reconnect']);
});

test('initials follow each other or begin a word, and single letters in between do not count', () => {
  expect(titles(named('Go to Servers', 'Eggs to share'), 'gts')).toEqual(['Go to Servers']);
  expect(titles(named('db-3', 'debug-13', 'dab3'), 'db3')).toEqual(['db-3']);
});

test('a title made to be searched forever is not', () => {
  const hostile = named(...Array.from({ length: 200 }, () => 'a-'.repeat(400)));
  expect(titles(hostile, 'aaaaaaab')).toEqual([]);
});

test('what is known by a name within its title is typed whole, begins and is ordered by that name', () => {
  const to = (name: string, more: Partial<Candidate> = {}) => ({ title: `Go to ${name}`, nameAt: 6, ...more });
  const all = [{ title: 'Set it up' }, to('Servers'), to('Active Sessions'), { title: 'Servers that are gone' }];
  expect(titles(all, 'se')).toEqual(['Go to Servers', 'Servers that are gone', 'Set it up', 'Go to Active Sessions']);
  expect(titles([...all, to('Server', { recency: 0 })], 'servers')[0]).toBe('Go to Servers');
  expect(rank(createIndex(all), 'ser')[0]?.ranges).toEqual([[6, 9]]);
});

describe('matched letters', () => {
  const ranges = (title: string, typed: string) => rank(createIndex([{ title }]), typed)[0]?.ranges;
  test.each<[string, string, readonly (readonly number[])[]]>([
    ['Go to Servers', 'go to s', [[0, 7]]],
    ['Go to Servers', 'serv', [[6, 10]]],
    [
      'Go to Servers',
      'serv go',
      [
        [0, 2],
        [6, 10],
      ],
    ],
    ['aaab', 'aa ab', [[0, 4]]],
    [
      'db-3',
      'd3',
      [
        [0, 1],
        [3, 4],
      ],
    ],
    ['İstanbul', 'stan', [[1, 5]]],
  ])('of "%s" for "%s"', (title, typed, found) => expect(ranges(title, typed)).toEqual(found));
});

const item = fc
  .record({
    title: fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-', ' ', 'A'), maxLength: 8 }),
    recency: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
    nameAt: fc.option(fc.nat({ max: 8 }), { nil: undefined }),
  })
  .map(
    ({ title, recency, nameAt }): Candidate => ({
      ...{ title, ...(recency !== undefined && { recency }) },
      ...(nameAt !== undefined && { nameAt: Math.min(nameAt, title.length) }),
    }),
  );
const typedText = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-', ' '), maxLength: 4 });

test('the best few are the first few of a plain sort of everything that matches', () => {
  fc.assert(
    fc.property(
      fc.array(item, { minLength: 10, maxLength: 40 }),
      typedText,
      fc.integer({ min: 1, max: 8 }),
      (items, typed, most) => {
        const everything = items
          .flatMap((one, place) => rank(createIndex([one]), typed).map(ranked => ({ ranked, place })))
          .sort((a, b) => compareRanked(a.ranked, b.ranked) || a.place - b.place);
        expect(rank(createIndex(items), typed, most).map(ranked => ranked.item)).toEqual(
          everything.slice(0, most).map(({ ranked }) => ranked.item),
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('no more than fifty rows are ranked unless asked for', () => {
  expect(rank(createIndex(Array.from({ length: 90 }, (_one, index) => ({ title: `h${index}` }))), 'h').length).toBe(
    RANKED_MOST,
  );
});

test('matched letters spell what was typed, in order and inside the title', () => {
  fc.assert(
    fc.property(item, typedText, (one, typed) => {
      const [best] = rank(createIndex([one]), typed);
      let last = 0;
      for (const [from, to] of best?.ranges ?? []) {
        expect(from).toBeGreaterThanOrEqual(last);
        expect(to).toBeLessThanOrEqual(one.title.length);
        last = to;
      }
    }),
  );
});

test('a title that ends in an ellipsis is typed whole without it, and comes before titles that only hold the word', () => {
  const index = createIndex([{ title: 'Take a lock away…' }, { title: 'Lock…' }]);
  expect(rank(index, 'lock').map(({ item }) => item.title)).toEqual(['Lock…', 'Take a lock away…']);
});
