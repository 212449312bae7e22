// Lists: every page of every sort, filter and right agrees with a plain walk over the same rows in memory.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { selectsLabels } from '../../../contract/pattern.ts';
import { type Expression, evaluate, parsePredicate } from '../../../contract/predicate.ts';
import type { Selection, SelectorRule } from '../../ports.ts';
import { openStore } from '../open.ts';
import type { NewResource, ResourceQuery, Resources, SortField, Store } from '../store.ts';
import { onBothEngines, serverNamed } from '../store-rig.ts';
import { searchWords } from './search-words.ts';

const sortFields: readonly SortField[] = ['name', 'title', 'address', 'description', 'subtype'];
const nobody: Selection = { allow: [], deny: [], traits: {} };
const everything: Selection = { allow: [{ labels: { '*': ['*'] }, expression: null }], deny: [], traits: {} };

/** Servers whose values collide in case, share beginnings and hold every character that SQL could mistake. */
const titles = [
  'web',
  'Web',
  'WEB-2',
  'db%',
  'db_1',
  'dbx1',
  "it's",
  'a"b',
  'back\\slash',
  'Ärger',
  'ärger',
  'ß',
  '',
  'z'.repeat(300),
  '🐘',
  'two words',
  'x[1]',
  'x?',
];
const values = ['prod', 'Prod', 'staging', 'dev-1', 'dev-2', '', '*', '^prod$', 'a%b', 'a_b', 'x[1]', 'x?', "o'r"];
const at = (list: readonly string[], index: number): string => list[index % list.length] ?? '';
const servers: readonly NewResource[] = Array.from({ length: 120 }, (_, index) => {
  const labels: Record<string, string> = {};
  if (index % 3 !== 0) labels.env = at(values, index);
  if (index % 4 !== 1) labels.team = at(values, index * 7 + 3);
  if (index % 10 === 0) labels['a/b.c'] = 'dotted';
  return serverNamed(`${index % 2 ? 'N' : 'n'}-${(index * 37) % 120}`, {
    title: at(titles, index),
    address: `10.0.${index % 5}.${index}:22`,
    description: index % 2 ? '' : at(titles, index * 5),
    subtype: index % 3 ? 'openssh' : 'local',
    labels,
    words: index % 9 === 0 ? ['tunnel'] : [],
    spec: { region: at(values, index), count: index % 4, on: index % 2 === 0, deep: { list: [1] } },
  });
});
const others = [
  serverNamed('web', { kind: 'app', labels: { env: 'prod' } }),
  serverNamed('web', { kind: 'db', labels: { env: 'prod' } }),
];

const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const key = (resource: NewResource, field: SortField) =>
  [...resource[field].toLowerCase()].join('').slice(0, 128).toWellFormed();

function inMemory(query: ResourceQuery): string[] {
  const searchable = (server: NewResource) => [
    server.name,
    server.title,
    server.address,
    server.description,
    server.subtype,
    ...Object.entries(server.labels).flat(),
    ...server.words,
  ];
  const scope = (server: NewResource) => ({
    labels: server.labels,
    name: server.title,
    searchable: searchable(server),
    resource: {
      kind: server.kind,
      sub_kind: server.subtype,
      version: 'v2',
      metadata: { name: server.name, description: server.description, labels: server.labels },
      spec: { ...(server.spec as object), hostname: server.title, addr: server.address },
    },
  });
  const { selection } = query;
  const half = (rule: SelectorRule, server: NewResource) => [
    ...(rule.labels ? [selectsLabels(rule.labels, server.labels)] : []),
    ...(rule.expression
      ? [evaluate(rule.expression, { labels: server.labels, user: { spec: { traits: selection?.traits ?? {} } } })]
      : []),
  ];
  const field = query.sort?.field ?? 'name';
  const found = servers
    .filter(
      server =>
        !selection ||
        (selection.allow.some(rule => half(rule, server).length > 0 && half(rule, server).every(Boolean)) &&
          !selection.deny.some(rule => half(rule, server).some(Boolean))),
    )
    .filter(server => !query.query || evaluate(query.query, scope(server)))
    .filter(server =>
      searchWords(query.search ?? '').every(word =>
        searchable(server).some(value => value.toLowerCase().includes(word)),
      ),
    )
    .sort((a, b) => bytes(key(a, field), key(b, field)) || bytes(a.name, b.name));
  return (query.sort?.descending ? found.reverse() : found).map(({ name }) => name);
}

/** Walks all pages with limits as they come; totals must agree on every page. */
async function walk(
  resources: Resources,
  query: ResourceQuery,
  limits: readonly number[],
): Promise<{ readonly names: string[]; readonly totals: Set<number> }> {
  const names: string[] = [];
  const totals = new Set<number>();
  let startKey = '';
  for (let page = 0; ; page++) {
    const answer = await resources.list('node', { ...query, startKey, limit: limits[page % limits.length] ?? 7 });
    names.push(...answer.items.map(({ name }) => name));
    totals.add(answer.totalCount);
    if (answer.startKey === '') return { names, totals };
    startKey = answer.startKey;
  }
}

const word = fc.constantFrom(
  'web',
  'WEB',
  'pro',
  'b%',
  '_',
  '%',
  '\\',
  'ärg',
  'Ä',
  '🐘',
  'openssh',
  'env',
  '10.0',
  '.1',
  '"two words"',
  "'s",
  'x?',
  'tunnel',
  'zzzz',
  '"',
  'n-1',
);
const search = fc.array(word, { maxLength: 3 }).map(words => words.join(' '));
const pattern = fc.constantFrom(...values, 'dev-*', '*o*', 'x[*', 'x?*', '^dev-[0-9]$', '^(prod|staging)$', '^.*$');
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
      traits: fc.constant({ teams: ['dev-1', 'prod', ''] }),
    }),
  },
);
const claim = fc.constantFrom(
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
);
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
      { numRuns: 300 },
    ));

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
    await expect(list({ sort: { field: 'spec' as SortField, descending: false } })).rejects.toMatchObject({
      code: 'bad_request',
    });
    await expect(
      list({ search: Array.from({ length: 33 }, (_, index) => `w${index}`).join(' ') }),
    ).rejects.toMatchObject({ code: 'bad_request' });
    for (const text of [
      'user.name == "x"',
      'labels == "x"',
      'resource.spec == "x"',
      'resource.metadata.expires == "x"',
      'regexp.match(labels["env"], "x")',
      'contains(labels["env"], "x")',
      'name.x == ""',
    ])
      await expect(list({ query: parsePredicate(text) })).rejects.toMatchObject({
        code: 'bad_request',
        message: expect.stringContaining('failed to parse predicate expression: unknown'),
      });
  });
});
