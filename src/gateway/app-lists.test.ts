// The lists beside the servers: what they show of declared resources, to whom, in which order; banners; and what the deployment decides.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { webConfig } from '../contract/config.ts';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import { readConfiguration } from './services/configuration/configuration.ts';
import { serverNamed } from './store/store.testing.ts';

const site = `/v1/webapi/sites/${CLUSTER}`;
let rig: Rig;
let ann: Browser;
let bob: Browser;

/** Applies YAML documents to the rig's store. */
async function declare(rigged: Rig, ...documents: readonly string[]): Promise<void> {
  const { problems } = await rigged.declared.apply([{ name: 'f', content: documents.join('\n---\n') }], { by: 'test' });
  expect(problems).toEqual([]);
}
const document = (kind: string, version: string, name: string, spec: string, metadata = '') =>
  `kind: ${kind}\nversion: ${version}\nmetadata: {name: ${name}${metadata}}\nspec: ${spec}`;
const labelled = (labels: string) => `, labels: {${labels}}`;

interface Item {
  readonly name: string;
  readonly [field: string]: unknown;
}
async function list(who: Browser, path: string): Promise<{ items: Item[]; startKey: string; totalCount: number }> {
  const { status, json, body } = await who.call('GET', `${site}/${path}`);
  expect(status, body).toBe(200);
  return json as { items: Item[]; startKey: string; totalCount: number };
}
const names = async (who: Browser, path: string) => (await list(who, path)).items.map(({ name }) => name);

const PREFIX = 'arn:aws:iam::123456789012:role';
beforeAll(async () => {
  rig = await openRig();
  const allow = `
    app_labels: {env: dev}
    db_labels: {env: dev}
    db_users: ['{{internal.db_users}}', reader]
    db_names: ['*']
    windows_desktop_labels: {env: dev}
    windows_desktop_logins: [operator, admin]
    kubernetes_labels: {env: dev}
    kubernetes_users: [dev]
    kubernetes_groups: ['{{internal.kubernetes_groups}}']
    aws_role_arns: ['${PREFIX}/team/ReadOnly']
    group_labels: {env: dev}
    rules: [{resources: [user_group], verbs: [list, read]}]`;
  await declare(
    rig,
    `kind: role\nversion: v7\nmetadata: {name: dev}\nspec:\n  allow:${allow}\n  deny:\n    windows_desktop_logins: [admin]`,
    `kind: role\nversion: v7\nmetadata: {name: keyed}\nspec:\n  options: {require_session_mfa: hardware_key}\n  allow: {db_labels: {'*': '*'}, db_users: [root]}`,
    document('user', 'v2', 'carol', '{roles: [keyed]}'),
    document(
      'app',
      'v3',
      'graphs',
      '{uri: "http://localhost:3000", friendly_name: Graphs, user_groups: [ops, none]}',
      `${labelled('env: dev')}, description: Seen by all`,
    ),
    document(
      'app',
      'v3',
      'console',
      '{uri: "https://eu-west-1.console.aws.amazon.com/x", public_addr: aws.example.org}',
      labelled('env: dev'),
    ),
    document('app', 'v3', 'queue', '{uri: "tcp://queue:5671"}', labelled('env: dev')),
    document('app', 'v3', 'payroll', '{uri: "http://localhost:4000"}', `${labelled('env: prod')}, description: Wages`),
    document(
      'db',
      'v3',
      'orders',
      '{protocol: postgres, uri: "pg.example.com:5432", type: rds, aws: {region: eu-west-1, rds: {instance_id: o1}}}',
      labelled('env: dev'),
    ),
    document('db', 'v3', 'billing', '{protocol: mysql, uri: "my:3306"}', labelled('env: prod')),
    document('db', 'v3', 'cloud', '{protocol: postgres, uri: "10.0.0.1:5432", type: gcp}', labelled('env: dev')),
    document('windows_desktop', 'v3', 'desk-2', '{addr: 10.0.0.9, host_id: d2}', labelled('env: dev')),
    document('windows_desktop', 'v3', 'desk-1', '{addr: "10.0.0.8:4000"}', labelled('env: prod')),
    document('kube_cluster', 'v3', 'k-dev', '{}', labelled('env: dev')),
    document('kube_cluster', 'v3', 'k-prod', '{}', labelled('env: prod')),
    document(
      'user_group',
      'v1',
      'ops',
      '{friendly_name: Ops, applications: [graphs, payroll, gone]}',
      `${labelled('env: dev')}, description: Operations`,
    ),
    document('user_group', 'v1', 'finance', '{applications: [payroll]}', labelled('env: prod')),
  );
  const traits = { db_users: ['bob'], kubernetes_groups: ['viewers'] };
  await rig.addUser('ann', ['access', 'editor']);
  await rig.addUser('bob', ['dev']);
  const stored = await rig.store.users.get('bob');
  if (stored) await rig.store.users.update({ ...stored, traits });
  ann = await rig.signIn('ann');
  bob = await rig.signIn('bob');
});
afterAll(() => rig.dispose());

describe('what an item carries', () => {
  // Rule 3.4: an application: its addresses, groups, roles of AWS
  test('an application: its address below the gateway, its groups, and for the AWS console the roles', async () => {
    const { items } = await list(bob, 'apps?sort=name:asc');
    expect(items.map(({ name }) => name)).toEqual(['console', 'graphs', 'queue']);
    expect(items[0]).toMatchObject({
      publicAddr: 'aws.example.org',
      fqdn: 'aws.example.org',
      awsConsole: true,
      awsRoles: [{ arn: `${PREFIX}/team/ReadOnly`, display: 'ReadOnly' }],
    });
    expect(items[1]).toEqual({
      kind: 'app',
      name: 'graphs',
      description: 'Seen by all',
      uri: 'http://localhost:3000',
      publicAddr: 'graphs.console.example.com',
      fqdn: 'graphs.console.example.com',
      address: 'https://graphs.console.example.com',
      clusterId: CLUSTER,
      labels: [{ name: 'env', value: 'dev' }],
      awsConsole: false,
      awsRoles: [],
      friendlyName: 'Graphs',
      userGroups: [{ name: 'ops', description: 'Operations' }],
      samlApp: false,
    });
    // Nothing to launch: there is no web page behind it.
    expect(items[2]).toMatchObject({ publicAddr: '', fqdn: '' });
  });
  // Rule 3.4: a database: its type, users, names, host, and where it runs in AWS
  test('a database: its users and names as the roles give them, its host, and where it runs', async () => {
    const { items } = await list(bob, 'databases?sort=name:desc');
    expect(items).toMatchObject([
      {
        name: 'orders',
        protocol: 'postgres',
        type: 'rds',
        uri: 'pg.example.com:5432',
        hostname: 'pg.example.com',
        database_users: ['bob', 'reader'],
        database_names: ['*'],
        aws: { region: 'eu-west-1', rds: { instance_id: 'o1' } },
      },
      { name: 'cloud', type: 'gcp' },
    ]);
  });
  // Rule 3.4: a desktop: its logins and address
  test('a desktop: its logins without those that are denied, and its port', async () => {
    expect((await list(bob, 'desktops')).items).toMatchObject([
      { name: 'desk-2', addr: '10.0.0.9:3389', host_id: 'd2', logins: ['operator'], os: 'windows' },
    ]);
  });
  // Rule 3.4: a cluster of Kubernetes: users and groups
  test('a Kubernetes cluster: users and groups', async () => {
    expect((await list(bob, 'kubernetes')).items).toMatchObject([
      { name: 'k-dev', kubernetes_users: ['dev'], kubernetes_groups: ['viewers'] },
    ]);
  });
  // Rule 3.4: a user group with its applications
  test('a user group: its applications, of which only those are named that the person may see', async () => {
    expect((await list(bob, 'user-groups')).items).toMatchObject([
      {
        name: 'ops',
        friendlyName: 'Ops',
        description: 'Operations',
        applications: [{ name: 'graphs', friendlyName: 'Graphs' }],
      },
    ]);
  });
  test('a role that demands a second factor gives no principals that could be used without one', async () => {
    const carol = await rig.store.users.get('carol');
    const rights = carol && (await rig.rights.rightsOf(carol));
    expect(rights?.selects('db', { env: 'dev' })).toBe(true);
    expect(rights?.principals('db_users', { env: 'dev' })).toEqual([]);
  });
});

describe('which items, and in which order', () => {
  // Rule 7.3: paged lists take limit, startKey, query, search, sort and search-as
  test.each([
    ['apps', ['console', 'graphs', 'payroll', 'queue'], ['console', 'graphs', 'queue']],
    ['databases', ['billing', 'cloud', 'orders'], ['cloud', 'orders']],
    ['desktops', ['desk-1', 'desk-2'], ['desk-2']],
    ['kubernetes', ['k-dev', 'k-prod'], ['k-dev']],
  ])('%s: those that labels allow, a page at a time', async (path, all, some) => {
    expect(await names(ann, `${path}?sort=name:asc`)).toEqual(all);
    expect(await names(bob, `${path}?sort=name:asc`)).toEqual(some);
    expect(await names(ann, `${path}?sort=name:desc`)).toEqual([...all].reverse());
    const first = await list(ann, `${path}?sort=name:asc&limit=1`);
    expect([first.items.map(one => one.name), first.totalCount]).toEqual([all.slice(0, 1), all.length]);
    const rest = await names(ann, `${path}?sort=name:asc&startKey=${encodeURIComponent(first.startKey)}`);
    expect(rest).toEqual(all.slice(1));
    const none = await list(bob, `${path}?query=${encodeURIComponent('labels["env"] == "prod"')}`);
    expect(none).toMatchObject({ items: [], totalCount: 0 });
  });
  test.each([
    ['apps?sort=publicAddress:desc', ['console', 'queue', 'payroll', 'graphs']],
    ['apps?sort=description:desc', ['payroll', 'graphs', 'queue', 'console']],
    ['databases?sort=type:asc', ['cloud', 'orders', 'billing']],
    ['desktops?sort=address:asc', ['desk-1', 'desk-2']],
    ['apps?search=wages', ['payroll']],
    ['apps?search=env%20prod', ['payroll']],
    ['apps?search=aws.example', ['console']],
    ['databases?search=mysql', ['billing']],
    ['databases?search=%22cloud%20sql%22', ['cloud']],
    ['desktops?search=10.0.0.8', ['desk-1']],
    [
      `databases?query=${encodeURIComponent('resource.spec.protocol == "postgres" && resource.sub_kind == "rds"')}`,
      ['orders'],
    ],
    [
      `apps?query=${encodeURIComponent('hasPrefix(name, "p") || resource.spec.friendly_name == "Graphs"')}`,
      ['graphs', 'payroll'],
    ],
    [`databases?query=${encodeURIComponent('resource.spec.aws.rds.instance_id == "o1"')}`, ['orders']],
    [`kubernetes?query=${encodeURIComponent('labels.env == "dev"')}&search=k-`, ['k-dev']],
  ])('%s', async (path, wanted) => expect((await names(ann, path)).sort()).toEqual([...wanted].sort()));
  test.each(['apps', 'databases', 'desktops', 'kubernetes', 'user-groups'])(
    '%s: what cannot be read is said',
    async path => {
      expect((await bob.call('GET', `${site}/${path}?sort=colour:asc`)).status).toBe(400);
      expect((await bob.call('GET', `${site}/${path}?sort=hostname:asc`)).status).toBe(501);
      const { status, body } = await bob.call('GET', `${site}/${path}?query=${encodeURIComponent('name ==')}`);
      expect([status, body]).toMatchObject([400, expect.stringContaining('failed to parse predicate expression')]);
    },
  );
});

describe('banners', () => {
  const alert = (name: string, severity: number, metadata = '') =>
    document('cluster_alert', 'v1', name, `{severity: ${severity}, message: ${name}}`, metadata);
  const shown = async (who: Browser) =>
    ((await who.call('GET', `${site}/alerts`)).json as { alerts: { metadata: { name: string } }[] }).alerts.map(
      ({ metadata }) => metadata.name,
    );
  const permit = (label: string, value: string) => labelled(`postern.internal/alert-${label}: "${value}"`);

  test('are for whom their labels or rules name them, the gravest first, and gone when their time is over', async () => {
    const now = rig.services.clock().getTime();
    await declare(
      rig,
      alert('own', 5),
      alert('all', 1, permit('permit-all', 'yes')),
      alert('grave', 10, permit('permit-all', 'yes')),
      alert('tokens', 6, permit('verb-permit', 'token:create|user_group:list')),
      alert('nobody', 3, permit('verb-permit', 'nonsense')),
      alert('brief', 7, `${permit('permit-all', 'yes')}, expires: ${new Date(now + 60_000).toISOString()}`),
    );
    expect(await shown(ann)).toEqual(['grave', 'brief', 'tokens', 'own', 'nobody', 'all']);
    expect(await shown(bob)).toEqual(['grave', 'brief', 'tokens', 'all']);
    rig.later(61_000);
    expect(await shown(bob)).toEqual(['grave', 'tokens', 'all']);
  });
  test.each([
    [{ isCloud: true }, ['card', 'other'], ['other']],
    [{ isDashboard: true }, ['card', 'other'], ['other']],
    [{ isEnterprise: true }, ['other'], ['other']],
  ])('about billing with %j are for those whose billing flag is on', async (mode, forEditor, forOther) => {
    const one = await openRig({ config: { webConfig: z.parse(webConfig, mode) } });
    try {
      const all = permit('permit-all', 'yes');
      const billing = all.replace('}', ', postern.internal/alert-billing: "yes"}');
      await declare(one, alert('card', 5, billing), alert('other', 1, all));
      await one.addUser('ed', ['editor']);
      await one.addUser('al', ['access']);
      expect([await shown(await one.signIn('ed')), await shown(await one.signIn('al'))]).toEqual([forEditor, forOther]);
    } finally {
      await one.dispose();
    }
  });
  // Rule 3.3: the ids of alerts about releases
  test('about releases are not for a dashboard', async () => {
    const config = z.parse(webConfig, { isDashboard: true });
    const dashboard = await openRig({ config: { webConfig: config } });
    try {
      for (const one of [rig, dashboard])
        await declare(one, alert('upgrade-suggestion', 5), alert('security-patch-available', 5), alert('other', 5));
      await dashboard.addUser('ann', ['editor']);
      expect(await shown(await dashboard.signIn('ann'))).toEqual(['other']);
      expect(await shown(ann)).toContain('upgrade-suggestion');
    } finally {
      await dashboard.dispose();
    }
  });
});

test("the machine of a gateway that is gone can be removed from the list, this gateway's own cannot", async () => {
  const one = await openRig();
  try {
    for (const name of ['rig', 'gone']) await one.store.resources.create(serverNamed(name, { subtype: 'local' }));
    await one.addUser('ann', ['editor']);
    const editor = await one.signIn('ann');
    expect((await editor.call('DELETE', `${site}/nodes/gone`)).status).toBe(200);
    expect((await editor.call('DELETE', `${site}/nodes/rig`)).body).toContain('cannot be removed');
  } finally {
    await one.dispose();
  }
});

describe('what the deployment decides', () => {
  const configured = (...argv: string[]) => {
    const read = readConfiguration({ argv, env: {}, readFile: () => null, home: '/nowhere', hostname: 'box' });
    return { ...read.webConfig, proxyCluster: CLUSTER };
  };
  // Rule 1: a deployment is enterprise, cloud or dashboard
  // Rule 3.2: every key of the deployment reaches the console
  test.each([
    [['--enterprise'], { isEnterprise: true }],
    [['--cloud'], { isCloud: true }],
    [['--dashboard'], { isDashboard: true }],
    [['--usage-based-billing'], { isUsageBasedBilling: true }],
    [['--hide-inaccessible-features'], { hideInaccessibleFeatures: true }],
    [['--custom-theme', 'orange'], { customTheme: 'orange' }],
    [['--can-join-sessions', 'false'], { canJoinSessions: false }],
    [['--questionnaire'], { questionnaire: true }],
    [['--sales-url', 'https://www.example.com/plans?x=1'], { salesUrl: 'https://www.example.com/plans?x=1' }],
    [[], { isEnterprise: false, isCloud: false, isDashboard: false, isUsageBasedBilling: false, customTheme: '' }],
  ] as const)('%j reaches the console before anyone signs in', async (argv, wanted) => {
    const one = await openRig({ config: { webConfig: configured(...argv) } });
    try {
      const { body } = await one.app.inject({ url: '/web/config.js' });
      const config = JSON.parse(/^var POSTERN_CONFIG = (.*);\n$/s.exec(body)?.[1] ?? '{}') as object;
      expect(config).toMatchObject(wanted);
    } finally {
      await one.dispose();
    }
  });
  test.each([
    [[], false],
    [['--enterprise'], false],
    [['--cloud'], true],
    [['--dashboard'], true],
  ] as const)('billing, downloads and licences with %j: %s', async (argv, wanted) => {
    const one = await openRig({ config: { webConfig: configured(...argv) } });
    try {
      await declare(
        one,
        'kind: role\nversion: v7\nmetadata: {name: all}\nspec: {allow: {rules: [{resources: ["*"], verbs: ["*"]}]}}',
      );
      await one.addUser('ann', ['all']);
      const { json } = await (await one.signIn('ann')).call('GET', `${site}/context`);
      const { userAcl } = json as { userAcl: Record<string, Record<string, boolean>> };
      for (const key of ['billing', 'download', 'license'])
        expect(new Set(Object.values(userAcl[key] ?? {})), key).toEqual(new Set([wanted]));
      expect(userAcl.roles).toMatchObject({ list: true, edit: true });
    } finally {
      await one.dispose();
    }
  });
});
