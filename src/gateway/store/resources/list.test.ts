// Lists: every page of every sort, filter and right agrees with a plain walk over the same rows in memory.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type Expression, parsePredicate } from '../../../contract/predicate.ts';
import type { Selection } from '../../ports/rights.ts';
import { openStore } from '../open.ts';
import { onBothEngines, person } from '../store.testing.ts';
import type { ResourceQuery, SortField, Store } from '../store.ts';
import { inMemory, others, servers, sortFields, values, walk } from './list.testing.ts';

const nobody: Selection = { allow: [], deny: [], user: person };
const everything: Selection = { allow: [{ labels: { '*': ['*'] }, expression: null }], deny: [], user: person };

const words = `web WEB pro b% _ % \\ ärg Ä 🐘 openssh env 10.0 .1 's x? tunnel zzzz " n-1`.split(' ');
const word = fc.constantFrom(...words, '"two words"');
const search = fc.array(word, { maxLength: 3 }).map(words => words.join(' '));
const patterns = [...values, 'dev-*', '*o*', 'x[*', 'x?*', '^dev-[0-9]$', '^(prod|staging)$', '^.*$'];
const pattern = fc.constantFrom(...patterns);
const selector = fc.oneof(
  fc.dictionary(fc.constantFrom('env', 'team', 'a/b.c', 'none'), fc.array(pattern, { minLength: 1, maxLength: 3 }), {
    maxKeys: 2,
  }),
  fc.constant({ '*': ['*'] }),
  fc.constant({ '*': ['*'], env: ['prod'] }),
);
const labelExpression = fc
  .constantFrom(
    'labels["env"] == "prod"',
    'labels["env"] != "prod" && labels["team"] == "dev-1"',
    'labels.env == ""',
    'contains(user.spec.traits["teams"], labels["team"])',
    '!exists(labels["env"])',
    'regexp.match(labels["env"], "^dev") || labels["team"] == "x?"',
    'contains_any(labels_matching("^e"), user.spec.traits["teams"])',
    'strings.upper(labels["env"]) == "PROD"',
    'labels["env"] == labels["team"]',
  )
  .map(text => parsePredicate(text, 'labels'));
const rule = fc.record({
  labels: fc.option(selector, { nil: null }),
  expression: fc.option(labelExpression, { nil: null, freq: 2 }),
});
const selection = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant(everything) },
  {
    weight: 4,
    arbitrary: fc.record({
      allow: fc.array(rule, { maxLength: 3 }),
      deny: fc.array(rule, { maxLength: 2 }),
      user: fc.constant({ ...person, traits: { teams: ['dev-1', 'prod', ''] } }),
    }),
  },
);
const claims = [
  'labels["env"] == "prod"',
  'labels["env"] != "prod"',
  'labels.team == ""',
  '"staging" == labels["env"]',
  'exists(labels["team"])',
  '!exists(labels["none"])',
  'name == "Web"',
  'hasPrefix(name, "db")',
  'hasPrefix(labels["env"], "dev")',
  'hasPrefix(name, "")',
  'search("web")',
  'search("two words", "n")',
  '!search("web")',
  'equals(labels["env"], labels["team"])',
  'resource.kind == "node"',
  'resource.sub_kind == "local"',
  'resource.version == "v2"',
  'resource.metadata.name != "n-0"',
  'resource.metadata.description == ""',
  'resource.metadata.labels["env"] == "prod"',
  'resource.spec.region == "Prod"',
  'resource.spec.count == "2"',
  'resource.spec.on == "true"',
  'exists(resource.spec.region)',
  'exists(resource.spec.nothing)',
  'resource.spec.deep.nothing == ""',
  'resource.spec.hostname == "web"',
  'hasPrefix(resource.spec.addr, "10.0.3")',
];
const claim = fc.constantFrom(...claims);
const query = fc
  .oneof(
    claim,
    fc.tuple(claim, fc.constantFrom('&&', '||'), claim).map(parts => parts.join(' ')),
    fc.tuple(claim, claim, claim).map(([a, b, c]) => `!(${a} && ${b}) || ${c}`),
  )
  .map((text): Expression => parsePredicate(text, 'query'));

onBothEngines(rig => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await rig.place());
    await store.resources.putMany([...servers, ...others]);
    return () => store.close();
  });

  test('walking any sort in any steps yields every row once, in order, with the right count', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sortFields),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }),
        async (field, descending, limits) => {
          const wanted: ResourceQuery = { limit: 1, selection: null, count: true, sort: { field, descending } };
          expect(await walk(store.resources, wanted, limits)).toEqual({
            names: inMemory(wanted),
            totals: new Set([servers.length]),
          });
        },
      ),
      { numRuns: 30 },
    ));

  test('search, query and rights together select what they select in memory', () =>
    fc.assert(
      fc.asyncProperty(
        search,
        fc.option(query, { nil: undefined, freq: 2 }),
        selection,
        fc.constantFrom(...sortFields),
        fc.boolean(),
        fc.boolean(),
        async (text, expression, chosen, field, descending, count) => {
          const wanted: ResourceQuery = {
            limit: 1,
            search: text,
            ...(expression ? { query: expression } : {}),
            selection: chosen,
            count,
            sort: { field, descending },
          };
          const expected = inMemory(wanted);
          expect(await walk(store.resources, wanted, [40, 9])).toEqual({
            names: expected,
            totals: new Set([count ? expected.length : 0]),
          });
        },
      ),
      { numRuns: 200 },
    ));

  test('a list can be entered at any place, from its beginning and from the end of a page', () =>
    fc.assert(
      fc.asyncProperty(
        search,
        fc.option(query, { nil: undefined, freq: 2 }),
        selection,
        fc.constantFrom(...sortFields),
        fc.boolean(),
        fc.nat(servers.length + 5),
        fc.integer({ min: 1, max: 40 }),
        async (text, expression, chosen, field, descending, offset, limit) => {
          const wanted: ResourceQuery = {
            limit,
            search: text,
            ...(expression ? { query: expression } : {}),
            selection: chosen,
            count: true,
            sort: { field, descending },
          };
          const expected = inMemory(wanted);
          const list = async (more: Partial<ResourceQuery>) => {
            const { items, totalCount } = await store.resources.list('node', { ...wanted, ...more });
            return { names: items.map(({ name }) => name), totalCount };
          };
          const from = (place: number) => ({
            names: expected.slice(place, place + limit),
            totalCount: expected.length,
          });
          expect(await list({ offset })).toEqual(from(offset));
          const { startKey } = await store.resources.list('node', wanted);
          if (startKey !== '') expect(await list({ startKey, offset })).toEqual(from(limit + offset));
        },
      ),
      { numRuns: 100 },
    ));

  test('each label pattern and each claim by itself selects what it selects in memory', async () => {
    const base = { limit: 1, count: true, sort: { field: 'title', descending: false } } as const;
    const selections = patterns.map(value => ({
      ...nobody,
      allow: [{ labels: { env: [value] }, expression: null }],
      deny: [{ labels: { team: [value] }, expression: null }],
    }));
    const queries: ResourceQuery[] = [
      ...selections.map(selection => ({ ...base, selection })),
      ...claims.map(text => ({ ...base, selection: null, query: parsePredicate(text, 'query') })),
      ...words.map(search => ({ ...base, selection: null, search })),
    ];
    for (const query of queries) {
      const expected = inMemory(query);
      expect(await walk(store.resources, query, [200])).toEqual({
        names: expected,
        totals: new Set([expected.length]),
      });
    }
  });

  test('no rights select nothing', async () => {
    expect(await store.resources.list('node', { limit: 10, selection: nobody, count: true })).toEqual({
      items: [],
      startKey: '',
      totalCount: 0,
    });
  });

  test('a key of another sort, order or kind, and a key that nobody made, are refused', async () => {
    const list = (kind: 'node' | 'app', startKey: string, field: SortField, descending = false) =>
      store.resources.list(kind, { limit: 5, startKey, selection: null, count: false, sort: { field, descending } });
    const { startKey } = await list('node', '', 'title');
    await list('node', startKey, 'title');
    const refused = expect.objectContaining({ code: 'bad_request', fields: { startKey: expect.any(String) } });
    await expect(list('node', startKey, 'name')).rejects.toEqual(refused);
    await expect(list('node', startKey, 'title', true)).rejects.toEqual(refused);
    await expect(list('app', startKey, 'title')).rejects.toEqual(refused);
    const forged = [
      ['node', 'title', false, '\0', 'n'],
      ['node', 'title', false, 1, 'n'],
      ['node'],
      'node',
      null,
      {},
    ].map(value => Buffer.from(JSON.stringify(value)).toString('base64url'));
    for (const bad of ['x', '%', startKey.slice(0, -3), 'AAAA', '\0', ...forged])
      await expect(list('node', bad, 'title')).rejects.toEqual(refused);
  });

  test('limits, sort fields, fields and functions that lists do not know are refused', async () => {
    const list = (more: Partial<ResourceQuery>) =>
      store.resources.list('node', { limit: 5, selection: null, count: false, ...more });
    for (const limit of [0, -1, 1.5, Number.NaN, 5001])
      await expect(list({ limit })).rejects.toMatchObject({ code: 'bad_request' });
    for (const offset of [-1, 1.5, Number.NaN])
      await expect(list({ offset })).rejects.toMatchObject({ code: 'bad_request' });
    await expect(list({ sort: { field: 'spec' as SortField, descending: false } })).rejects.toMatchObject({
      code: 'bad_request',
    });
    await expect(
      list({ search: Array.from({ length: 33 }, (_, index) => `w${index}`).join(' ') }),
    ).rejects.toMatchObject({ code: 'bad_request' });
    const field = (path: string): Expression => ({ kind: 'field', path: path.split('.') });
    const x: Expression = { kind: 'literal', value: 'x' };
    const unknown: Expression[] = [
      ...['user.name', 'labels', 'name.x', 'resource.spec', 'resource.metadata.expires', 'resource.spec.a"b'].map(
        (path): Expression => ({ kind: 'equal', left: field(path), right: x }),
      ),
      ...['regexp.match', 'contains', 'toString'].map(
        (name): Expression => ({ kind: 'call', name, args: [field('labels.env'), x] }),
      ),
      { kind: 'call', name: 'equals', args: [x] },
    ];
    for (const query of unknown)
      await expect(list({ query })).rejects.toMatchObject({
        code: 'bad_request',
        message: expect.stringContaining('failed to parse predicate expression: unknown'),
      });
  });
});
