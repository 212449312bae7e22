// For tests of lists: servers that are easy to mix up, and the same lists made by a plain walk over them in memory.
import { CONDITION_WORK, createBudget } from '../../../contract/budget.ts';
import { selectsLabels } from '../../../contract/pattern.ts';
import { decide } from '../../../contract/predicate.ts';
import type { SelectorRule } from '../../ports/rights.ts';
import { serverNamed } from '../store.testing.ts';
import type { NewResource, ResourceQuery, Resources, SortField } from '../store.ts';
import { searchWords } from './search-words.ts';

export const sortFields: readonly SortField[] = ['name', 'title', 'address', 'description', 'subtype'];

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
  // Cut for sorting inside a character of two code units.
  `${'z'.repeat(127)}🐘a`,
  `${'z'.repeat(127)}🐘b`,
];
export const values = [
  'prod',
  'Prod',
  'staging',
  'dev-1',
  'dev-2',
  '',
  '*',
  '^prod$',
  'a%b',
  'a_b',
  'x[1]',
  'x?',
  "o'r",
];
const at = (list: readonly string[], index: number): string => list[index % list.length] ?? '';
export const servers: readonly NewResource[] = Array.from({ length: 120 }, (_, index) => {
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
export const others = [
  serverNamed('web', { kind: 'app', labels: { env: 'prod' } }),
  serverNamed('web', { kind: 'db', labels: { env: 'prod' } }),
];

const work = () => createBudget(CONDITION_WORK);
const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
/** Sorted by its first 128 code units, never half a character. */
const key = (resource: NewResource, field: SortField) => {
  const cut = resource[field].toLowerCase().slice(0, 128);
  return cut.isWellFormed() ? cut : cut.slice(0, 127);
};

/** Names in the order that a list must answer them. */
export function inMemory(query: ResourceQuery): string[] {
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
    ...(rule.labels ? [selectsLabels(rule.labels, server.labels, work())] : []),
    ...(rule.expression
      ? [
          decide(
            rule.expression,
            { labels: server.labels, user: { spec: { traits: selection?.user.traits ?? {} } } },
            work(),
          ),
        ]
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
    .filter(server => !query.query || decide(query.query, scope(server), work()))
    .filter(server =>
      searchWords(query.search ?? '').every(word =>
        searchable(server).some(value => value.toLowerCase().includes(word)),
      ),
    )
    .sort((a, b) => bytes(key(a, field), key(b, field)) || bytes(a.name, b.name));
  return (query.sort?.descending ? found.reverse() : found).map(({ name }) => name);
}

/** Walks all pages with limits as they come; totals must agree on every page. */
export async function walk(
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
