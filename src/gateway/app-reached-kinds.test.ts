// What people reach is one kind of thing after another, and each is treated alike: applied as YAML, in the audit log, listed and found by whom a
// role selects it for, by its words and by conditions, and by nobody else.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import { apply } from './app-applications.testing.ts';
import { roleResource } from './services/rights/source.ts';

interface Row {
  /** Of its list, below the cluster. */
  readonly list: string;
  readonly kind: string;
  readonly version: string;
  readonly spec: string;
  /** What its list calls it. */
  readonly called: string;
  /** Labels of roles that select it. */
  readonly selects: string;
  /** Code of its adding in the audit log; null: the catalogue of the wire has none. */
  readonly added: string | null;
}
const usual = { called: 'name', version: 'v3' };
/** By the noun that the search answers it under. */
const kinds: Readonly<Record<string, Row>> = {
  server: {
    ...{ ...usual, list: 'nodes', kind: 'node', version: 'v2', called: 'hostname', selects: 'node_labels' },
    ...{
      spec: '{ hostname: the-server, addr: "10.0.0.1:22", hostKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8wqVyGxzYFGcWWPO8cTJ4VJmHYGzmlkDYlqyGCFuaF" }',
      added: null,
    },
  },
  application: {
    ...{ ...usual, list: 'apps', kind: 'app', selects: 'app_labels', spec: '{ uri: "http://wiki.example.org" }' },
    added: 'TAP03I',
  },
  database: {
    ...{ ...usual, list: 'databases', kind: 'db', selects: 'db_labels', added: 'TDB03I' },
    spec: '{ protocol: postgres, uri: "pg.example.org:5432" }',
  },
  kubernetes: {
    ...{ ...usual, list: 'kubernetes', kind: 'kube_cluster', selects: 'kubernetes_labels', spec: '{}' },
    added: 'T3010I',
  },
  desktop: {
    ...{ ...usual, list: 'desktops', kind: 'windows_desktop', selects: 'windows_desktop_labels', added: null },
    spec: '{ addr: "10.0.0.9:3389" }',
  },
};
const nouns = Object.entries(kinds);
const nameOf = (noun: string): string => `the-${noun}`;
const roleFor = (name: string, value: string): string =>
  `kind: role\nversion: v7\nmetadata: { name: ${name} }\nspec:\n  allow:\n    logins: [root]\n${nouns.map(([, { selects }]) => `    ${selects}: { team: ${value} }\n`).join('')}`;

let rig: Rig;
let ann: Browser;
let zoe: Browser;
let from: Date;
beforeAll(async () => {
  rig = await openRig();
  for (const one of [roleFor('shop', 'shop'), roleFor('bank', 'bank')])
    await rig.store.resources.create(roleResource(one));
  from = new Date();
  for (const [noun, { kind, version, spec }] of nouns)
    await apply(
      rig,
      `kind: ${kind}\nversion: ${version}\nmetadata: { name: ${nameOf(noun)}, labels: { team: shop, of: ${noun}-label } }\nspec: ${spec}\n`,
    );
  await rig.addUser('ann', ['shop']);
  await rig.addUser('zoe', ['bank']);
  ann = await rig.signIn('ann');
  zoe = await rig.signIn('zoe');
});
afterAll(() => rig?.dispose());

test('every kind that roles select by labels has a row', async () => {
  const { json } = await ann.call('GET', `/v1/webapi/sites/${CLUSTER}/search`);
  const selected = Object.keys(json as object).filter(noun => noun in kinds);
  expect(selected.sort()).toEqual(Object.keys(kinds).sort());
});

test.each(nouns)(
  '%s: listed and found by its words and by conditions, for whom a role selects it alone',
  async (noun, row) => {
    const wanted = nameOf(noun);
    const names = async (who: Browser, query: Readonly<Record<string, string>>): Promise<readonly unknown[]> => {
      const url = `/v1/webapi/sites/${CLUSTER}/${row.list}?${new URLSearchParams(query)}`;
      const { status, json } = await who.call('GET', url);
      expect([url, status]).toEqual([url, 200]);
      return (json as { items: Record<string, unknown>[] }).items.map(item => item[row.called]);
    };
    const conditions = ['labels["team"] == "shop"', `search("${noun}-label")`, `name == "${wanted}" || name == "none"`];
    for (const query of [{ search: wanted }, { search: `${noun}-label` }, ...conditions.map(query => ({ query }))]) {
      expect([query, await names(ann, query)]).toEqual([query, [wanted]]);
      expect([query, await names(zoe, query)]).toEqual([query, []]);
    }
    for (const who of [ann, zoe]) {
      const { json } = await who.call('GET', `/v1/webapi/sites/${CLUSTER}/search?search=${noun}-label`);
      const found = json as Record<string, { items: Record<string, unknown>[] }>;
      expect([who.user, found[noun]?.items.map(item => item[row.called])]).toEqual([
        who.user,
        who === ann ? [wanted] : [],
      ]);
    }
  },
);

test('the audit log has the adding of each that the catalogue has a code for, with its name', async () => {
  const to = new Date(Date.now() + 60_000);
  const { events } = await rig.store.events.search({ from, to, limit: 100, types: [], descending: false });
  const text = events.map(({ code, raw }) => `${code} ${JSON.stringify(raw)}`);
  for (const [noun, { added }] of nouns) {
    const isThere = text.some(one => added !== null && one.startsWith(added) && one.includes(nameOf(noun)));
    expect([noun, isThere]).toEqual([noun, added !== null]);
  }
});
