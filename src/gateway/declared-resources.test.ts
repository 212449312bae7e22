// Resources as YAML over a real store, audit log and rights: what is applied, what is refused and where it says so, what the log hears.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ADMIN_USER_HEADER } from '../contract/admin.ts';
import { createAdmin } from './admin/admin.ts';
import { HOST_KEY } from './app.testing.ts';
import { type Core, openCore } from './core.ts';
import { readConfiguration } from './services/configuration/configuration.ts';
import { createKinds, kindNames } from './services/resources/kinds.ts';
import { roleResource } from './services/rights/source.ts';
import { openStaticResources } from './static-resources.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let folder: string;
let core: Core;
async function open(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'postern-declared-'));
  core = await openCore(
    readConfiguration({ argv: ['--data', folder], env: {}, readFile: () => null, home: folder, hostname: 'box' }),
    pino({ level: 'silent' }),
  );
}
async function close(): Promise<void> {
  await core.close();
  await rm(folder, { recursive: true, force: true });
}

const apply = (content: string, dryRun = false) =>
  core.declared.apply([{ name: 'f.yaml', content }], { by: 'ann', dryRun });
const applyStatic = (content: string, gatewayId = 'gateway-1') =>
  core.declared.applyStatic([{ name: 's.yaml', content }], gatewayId);
const changesOf = ({ resources }: { resources: readonly { kind: string; name: string; change: string }[] }) =>
  resources.map(({ kind, name, change }) => `${kind}/${name} ${change}`);
async function noted(...types: string[]): Promise<readonly Record<string, unknown>[]> {
  const found = await core.audit.search({
    from: new Date(0),
    to: new Date('2100-01-01'),
    limit: 100,
    types,
    descending: false,
  });
  return found.events.map(event => ({ ...event }));
}
const app = (name: string, more = '') =>
  `kind: app\nversion: v3\nmetadata: {name: ${name}}\nspec: {uri: 'http://x'${more}}\n`;
const role = (name: string, allow = '{}') =>
  `kind: role\nversion: v7\nmetadata:\n  name: ${name}\nspec:\n  allow: ${allow}\n`;
const user = (name: string, ...roles: string[]) =>
  `kind: user\nversion: v2\nmetadata: {name: ${name}}\nspec: {roles: [${roles.join(', ')}]}\n`;
const files = (...documents: string[]) => documents.join('---\n');

/** One document of each kind with everything it may hold. */
const whole: Readonly<Record<string, string>> = {
  role: `# Who keeps the databases
kind: role
version: v7
metadata:
  name: keeper
  labels: {team: data}
spec:
  allow:
    db_labels: {'*': '*'} # all of them
`,
  user: `kind: user
version: v2
metadata: {name: carol, namespace: default}
spec:
  roles: [access, auditor]
  traits: {logins: [root, carol], team: ['a b']}
`,
  node: `kind: node
version: v2
sub_kind: openssh
metadata:
  name: 1f0c3f4e-6a0e-4f57-9a53-0d5f2b8f6a11
  labels: {env: prod, "team/owner": "1"}
  expires: 2099-01-01T00:00:00Z
spec:
  hostname: db-3
  addr: '[2001:db8::3]:2222'
  hostKey: ['${HOST_KEY} comment', '${HOST_KEY}']
`,
  app: `kind: app
version: v3
metadata: {name: grafana, description: Graphs, labels: {env: prod}}
spec: {uri: 'https://localhost:3000/x', public_addr: graphs.example.com, friendly_name: Graphs, user_groups: [ops]}
`,
  db: `kind: db
version: v3
metadata: {name: orders, description: Orders}
spec:
  protocol: postgres
  type: rds
  uri: orders.example.com:5432
  aws: {region: eu-west-1, account_id: '123456789012', rds: {instance_id: orders, subnets: [a, b], iam_auth: true}}
`,
  windows_desktop: `kind: windows_desktop
version: v3
metadata: {name: desk-1, labels: {env: prod}}
spec: {addr: 10.0.0.9, domain: example.com, host_id: desk-1.example.com}
`,
  kube_cluster: `kind: kube_cluster
version: v3
metadata: {name: prod, labels: {env: prod}}
`,
  user_group: `kind: user_group
version: v1
metadata: {name: ops, description: Operations}
spec: {friendly_name: Ops, applications: [grafana]}
`,
  cluster_alert: `kind: cluster_alert
version: v1
metadata: {name: noon, labels: {postern.internal/link: 'https://example.com', postern.internal/alert-permit-all: 'yes'}}
spec: {severity: 5, message: Maintenance at noon}
`,
  lock: `kind: lock
version: v2
metadata:
  name: taxi
  expires: 2099-01-01T00:00:00.000Z
spec:
  target: {mfa_device: 0a1b2c3d}
  message: left laptop in a taxi
`,
  device: `kind: device
version: v1
metadata: {name: 4f2c7d0a-9a3e-4d3c-8a60-0d7e4b5b0f11}
spec:
  os_type: macos
  asset_tag: C02XG0ABJGH6
`,
  token: `kind: token
version: v2
metadata: {name: office}
spec:
  roles: [Node]
  join_method: token
  secret: ${'s'.repeat(40)}
  uses: 3
  suggested_labels: {env: [office]}
`,
  access_list: `kind: access_list
version: v1
metadata: {name: on-call, labels: {team: db}}
spec:
  title: Database on call
  description: Who answers at night
  owners: [{name: lister, description: Lead}]
  audit:
    next_audit_date: 2099-01-01T00:00:00.000Z
    recurrence: {frequency: 3 months, day_of_month: 15}
    notifications: {start: 168h}
  membership_requires: {roles: [access], traits: {team: [db]}}
  ownership_requires: {roles: [access]}
  grants: {roles: [auditor], traits: {logins: [root]}}
`,
  trusted_cluster: `kind: trusted_cluster
version: v2
metadata: {name: hub}
spec:
  enabled: false
  token: t0123456789.${'s'.repeat(32)}
  tunnel_addr: hub.example.com
  web_proxy_addr: hub.example.com:443
  role_map: [{remote: 'dev-*', local: [access]}]
`,
  snippet: `kind: snippet
version: v1
metadata: {name: disk, description: How full the disks are}
spec:
  text: df -h {{path=/|/var}}
  enters: true
  roles: [access]
`,
  plugin: `kind: plugin
version: v1
sub_kind: slack
metadata: {name: ops}
spec: {url: 'https://hooks.example.com/services/T/B/X', kinds: [request], roles: [dba], message: '{title}'}
`,
  discovery_config: `kind: discovery_config
version: v1
metadata: {name: domain}
spec:
  ldap:
    address: dc.example.com:636
    tls: ldaps
    ca_cert: |
      -----BEGIN CERTIFICATE-----
      MIIB
      -----END CERTIFICATE-----
    server_name: dc.example.com
    bind_name: CN=reader,DC=example,DC=com
    password: s3cret
    base: DC=example,DC=com
    filter: (location=Berlin)
    label_attributes: [location]
    interval: 30m
  protocol: rdp
  labels: {env: office}
`,
  login_rule: `kind: login_rule
version: v1
metadata: {name: to-logins}
spec:
  priority: 10
  traits_map:
    logins: ['strings.lower(email.local(external.email))']
    groups: [external.groups]
`,
  github: `kind: github
version: v3
metadata: {name: hub}
spec:
  display: GitHub
  client_id: a
  client_secret: b
  redirect_url: https://console.example.com/v1/webapi/github/callback
  endpoint_url: https://github.example.com
  api_endpoint_url: https://github.example.com/api/v3
  teams_to_roles: [{organization: acme, team: ops, roles: [access]}]
`,
  oidc: `kind: oidc
version: v3
metadata: {name: corp}
spec:
  issuer_url: https://login.example.com
  client_id: a
  client_secret: b
  scope: [groups]
  prompt: login
  acr_values: strong
  max_age: 8h
  username_claim: preferred_username
  allow_unverified_email: false
  claims_to_roles: [{claim: groups, value: '^dev-.*$', roles: [access]}]
`,
  saml: `kind: saml
version: v2
metadata: {name: idp}
spec:
  entity_descriptor_url: https://idp.example.com/metadata
  acs: https://console.example.com/v1/webapi/saml/acs
  audience: postern
  service_provider_issuer: postern
  username_attribute: uid
  signed_response: true
  allow_idp_initiated: false
  attributes_to_roles: [{name: groups, value: 'dev*', roles: [access]}]
`,
  bot: `kind: bot
version: v1
metadata: {name: deploy, namespace: default}
spec:
  roles: [access]
  traits: {logins: [deploy]}
`,
};

test('every kind that can be declared is tried below', () => {
  const parts = {
    role: { schema: createKinds, toResource: createKinds },
    connector: {},
    kubernetes: {},
    lock: {},
    device: {},
    token: {},
    accessList: {},
    trustedCluster: {},
    plugin: {},
    discovery: {},
  };
  expect(Object.keys(whole)).toEqual([...kindNames(createKinds(parts as never))]);
});

describe('on one store', () => {
  beforeAll(async () => {
    await open();
    await core.store.users.create({
      ...{ id: randomUUID(), name: 'lister', roles: ['access'], traits: {}, authType: 'local', isBot: false },
      created: new Date(),
    });
  });
  afterAll(close);

  test.each(Object.entries(whole))('%s: applied, shown, applied again: unchanged', async (kind, content) => {
    const { resources, problems } = await apply(content);
    expect([problems, resources.map(({ change }) => change)]).toEqual([[], ['created']]);
    const name = resources[0]?.name ?? '';
    const shown = await core.declared.get(kind, name);
    expect(changesOf(await apply(shown))).toEqual([`${kind}/${name} unchanged`]);
    expect(await core.declared.get(kind, name)).toBe(shown);
    expect(changesOf(await apply(content))).toEqual([`${kind}/${name} unchanged`]);
    expect((await core.declared.list(kind)).map(one => one.name)).toContain(name);
    await core.declared.remove(kind, name, 'ann');
    await expect(core.declared.get(kind, name)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a role is kept as it was written, also as one of several documents', async () => {
    await apply(files(app('a'), whole.role ?? '', app('b')));
    expect(await core.declared.get('role', 'keeper')).toBe(whole.role);
  });

  test('every mistake of every file is named with its place, what was given and what is allowed, and nothing is applied', async () => {
    const { problems, resources } = await core.declared.apply(
      [
        {
          name: 'one.yaml',
          content: files(
            app('good'),
            `kind: app
version: v2
metadata: {name: Bad_Name, labels: {env: 1, postern.x: y, "b d": z}}
spec:
  url: http://x
`,
            'kind: gizmo\n',
            '[1, 2]\n',
            `kind: node
version: v2
metadata: {name: n}
spec: {addr: 'a:99999', hostKey: nonsense}
`,
            role('r', '{logins: 1, node_label: {}, nodelabels: {}}'),
          ),
        },
        { name: 'two.yaml', content: files('kind: app\nkind: app\n', app('good'), user('u', 'access', 'nothing')) },
      ],
      { by: 'ann' },
    );
    expect(resources).toEqual([]);
    expect(problems).toEqual([
      'one.yaml:7:10: app/Bad_Name: version: given "v2": v3 expected',
      'one.yaml:8:18: app/Bad_Name: metadata.name: given "Bad_Name": a DNS label: at most 63 lower-case letters, digits and dashes',
      'one.yaml:8:42: app/Bad_Name: metadata.labels.env: given 1: a text expected (write it in quotes)',
      'one.yaml:8:59: app/Bad_Name: metadata.labels.b d: this name is not allowed: a label name of 1 to 255 letters, digits and / . _ * -',
      'one.yaml:10:3: app/Bad_Name: spec.uri: missing: a text expected',
      'one.yaml:10:3: app/Bad_Name: spec.url: no such key; did you mean uri?',
      'one.yaml:12:7: kind: given "gizmo": one of role, user, node, app, db, windows_desktop, kube_cluster, user_group, cluster_alert, lock, device, token, access_list, trusted_cluster, snippet, plugin, discovery_config, login_rule, github, oidc, saml, bot expected',
      'one.yaml:14:1: a resource expected: "kind: …", "version: …", "metadata: …" and "spec: …"',
      'one.yaml:19:14: node/n: spec.addr: given "a:99999": a port from 1 to 65535',
      'one.yaml:26:19: role/r: spec.allow.logins: given 1: a list expected',
      'one.yaml:26:22: role/r: spec.allow.node_label: no such key; did you mean node_labels?',
      'one.yaml:26:38: role/r: spec.allow.nodelabels: no such key; did you mean node_labels?',
      'two.yaml:2:1: not readable as YAML: Map keys must be unique',
      'two.yaml:6:18: app/good: given twice; the first is at one.yaml:3:18',
    ]);
    expect((await core.declared.list('app')).map(one => one.name)).not.toContain('good');
  });

  test.each([
    [
      'a key that is none',
      whole.node?.replace(/hostKey: .*/, 'hostKey: ssh-ed25519 AAAA') ?? '',
      'f.yaml:11:12: node/',
    ],
    ['a label of our own', app('a').replace('a}', 'a, labels: {postern.internal/origin: x}}'), "the gateway's own"],
    ['a role that nobody knows', user('u', 'access', 'nothing'), 'f.yaml:4:24: user/u: spec.roles[1]: given "nothing"'],
    ['a time that is past', app('a').replace('a}', 'a, expires: 2001-01-01T00:00:00Z}'), 'a time to come expected'],
    [
      'aliases that grow',
      `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(20)}]\nc: &c [${'*b,'.repeat(20)}]\nd: [${'*c,'.repeat(20)}]\n`,
      'not readable as YAML',
    ],
    ['an alias inside what it names', 'a: &a [*a]\n', 'not readable as YAML'],
    ['keys that are maps', `${'? '.repeat(100)}x`, 'not readable as YAML: a list or a map cannot be a key'],
    ['lists in lists without end', '['.repeat(200_000), 'not readable as YAML'],
    [
      'a password in an address',
      app('a', '').replace('http://x', 'http://me:secret@x'),
      'f.yaml:4:13: app/a: spec.uri: given "http://me:…@x": an address without a user and a password',
    ],
    [
      'a text that cannot be kept',
      app('a').replace('http://x', 'http://\\0').replaceAll("'", '"'),
      'f.yaml:4:13: app/a: spec.uri: given "http://\\u0000"',
    ],
    ['half a character', user('u', 'access').replace('u}', '"u\\ud800"}'), 'f.yaml:3:18: user/'],
    [
      'a name that objects keep for themselves',
      app('a').replace('a}', 'a, labels: {__proto__: x}}'),
      'f.yaml:3:30: app/a: metadata.labels: given "__proto__"',
    ],
    ['no YAML at all', 'a: b: c\n', 'f.yaml:1:'],
  ])('refused with its place: %s', async (_what, content, said) => {
    const { problems, resources } = await apply(content);
    expect([resources, problems.join('\n')]).toEqual([[], expect.stringContaining(said)]);
  });

  test('files and documents that say nothing change nothing', async () => {
    for (const content of ['', '---\n', '# nothing\n', '---\n---\n...\n', 'null\n'])
      expect(await apply(content)).toEqual({ problems: [], resources: [], notes: [] });
  });
});

describe('each on a store of its own', () => {
  beforeEach(open);
  afterEach(close);

  test('a dry run says what would change, and changes nothing', async () => {
    await apply(app('a'));
    const content = files(app('a', ', friendly_name: A'), app('b'), user('u', 'access'));
    expect(changesOf(await apply(content, true))).toEqual(['app/a updated', 'app/b created', 'user/u created']);
    expect((await core.declared.list('app')).map(({ title }) => title)).toEqual(['a']);
    expect(await core.declared.list('user')).toEqual([]);
    expect(await noted('app.update')).toEqual([]);
  });

  test('the log hears of what was created, changed and removed, with who and what, and of nothing else', async () => {
    await apply(files(app('a'), whole.db ?? '', whole.kube_cluster ?? '', role('r'), user('u', 'r')));
    await apply(files(app('a', ', public_addr: a.example.com'), role('r', '{logins: [x]}'), user('u', 'r', 'access')));
    await apply(files(app('a', ', public_addr: a.example.com'), role('r', '{logins: [x]}'), user('u', 'r', 'access')));
    for (const [kind, name] of [
      ['user', 'u'],
      ['role', 'r'],
      ['app', 'a'],
      ['db', 'orders'],
      ['kube_cluster', 'prod'],
    ] as const)
      await core.declared.remove(kind, name, 'ann');
    const events = await noted(
      'app.create',
      'app.update',
      'app.delete',
      'db.create',
      'db.delete',
      'kube.create',
      'kube.delete',
      'role.created',
      'role.updated',
      'role.deleted',
      'user.create',
      'user.update',
      'user.delete',
    );
    expect(events.map(({ code, name, user: by }) => [code, name, by])).toEqual(
      [
        ['TAP03I', 'a'],
        ['TDB03I', 'orders'],
        ['T3010I', 'prod'],
        ['T9000I', 'r'],
        ['T1002I', 'u'],
        ['TAP04I', 'a'],
        ['T9002I', 'r'],
        ['T1003I', 'u'],
        ['T1004I', 'u'],
        ['T9001I', 'r'],
        ['TAP05I', 'a'],
        ['TDB05I', 'orders'],
        ['T3012I', 'prod'],
      ].map(row => [...row, 'ann']),
    );
    expect(events[5]).toMatchObject({
      app_name: 'a',
      app_uri: 'http://x',
      app_public_addr: 'a.example.com',
      updated_by: 'ann',
    });
    expect(events[1]).toMatchObject({ db_protocol: 'postgres', db_uri: 'orders.example.com:5432', db_type: 'rds' });
  });

  test('adding, changing and removing a server is noted, through YAML and through the admin socket', async () => {
    const node = (env: string) =>
      `kind: node\nversion: v2\nmetadata: {name: n1, labels: {env: ${env}}}\nspec: {addr: n1.example.com, hostKey: '${HOST_KEY}'}\n`;
    await apply(node('dev'));
    await apply(node('prod'));
    await apply(node('prod'));
    await core.declared.remove('node', 'n1', 'ann');
    const admin = createAdmin(core, 'http://localhost');
    const headers = { [ADMIN_USER_HEADER]: 'op' };
    const payload = { addr: 'n2.example.com:2222', hostname: 'n2', labels: [], hostKey: HOST_KEY };
    expect((await admin.inject({ method: 'POST', url: '/servers', headers, payload })).statusCode).toBe(200);
    expect((await admin.inject({ method: 'DELETE', url: '/servers/n2', headers })).statusCode).toBe(200);
    await admin.close();
    const events = (await noted('instance.join', 'server.update', 'server.delete')).filter(({ user }) => user);
    expect(
      events.map(({ code, node_name, server_hostname, user: by, method }) => [
        code,
        node_name ?? server_hostname,
        by,
        method,
      ]),
    ).toEqual([
      ['TJ002I', 'n1', 'ann', 'resource'],
      ['TJ011I', 'n1', 'ann', 'resource'],
      ['TJ012I', 'n1', 'ann', 'resource'],
      ['TJ002I', 'n2', 'system:op', 'command-line'],
      ['TJ012I', 'n2', 'system:op', 'command-line'],
    ]);
  });

  test('what is kept and not enforced yet is said when it is applied, and in the log of a start', async () => {
    const content = role('strict', '{desktop_groups: [staff]}');
    const note =
      'role strict: spec.allow.desktop_groups is kept, not enforced yet: groups are for users that create_desktop_user makes on desktops, and no user is made there yet';
    expect((await apply(content, true)).notes).toEqual([note]);
    expect((await apply(content)).notes).toEqual([note]);
    await core.declared.remove('role', 'strict', 'ann');
    const resourcesPath = join(folder, 'static.yaml');
    await writeFile(resourcesPath, content);
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
    const watch = await openStaticResources({ ...core, configuration: { ...core.configuration, resourcesPath }, log });
    watch?.dispose();
    expect(lines).toEqual([`static configuration: ${note}`]);
    await core.declared.applyStatic([], core.gatewayId);
  });

  test('a stored role that cannot be read is shown with the reason above it', async () => {
    const content = role('odd', '{node_labels: {env: prod, __proto__: x}}');
    const stored = { ...roleResource(role('odd')), spec: { content } };
    await core.store.resources.create(stored);
    expect(await core.declared.get('role', 'odd')).toBe(
      `# Allows nothing until it is written anew: role: spec.allow.node_labels.__proto__: is not a name that a role can hold (line 6, column 36)\n${content}`,
    );
    await core.declared.remove('role', 'odd', 'ann');
  });

  test('roles and users of one file may name each other, but nobody may be left without an administrator', async () => {
    expect(
      (
        await apply(
          files(user('boss', 'chief', 'access'), role('chief', '{rules: [{resources: ["*"], verbs: ["*"]}]}')),
        )
      ).problems,
    ).toEqual([]);
    const refused = ['this would leave nobody who can edit users and roles'];
    expect((await apply(role('chief'))).problems).toEqual(refused);
    expect((await apply(user('boss', 'access'))).problems).toEqual(refused);
    expect((await apply(files(user('boss', 'chief'), role('chief')))).problems).toEqual(refused);
    expect(changesOf(await apply(files(user('boss', 'editor'), role('chief'))))).toEqual([
      'user/boss updated',
      'role/chief updated',
    ]);
    await expect(core.declared.remove('role', 'editor', 'ann')).rejects.toThrow('role "editor" is in use: boss');
    await expect(core.declared.remove('user', 'boss', 'ann')).rejects.toThrow('nobody who can edit');
  });

  test("the gateway's own machine cannot be declared or removed", async () => {
    const content = `kind: node\nversion: v2\nmetadata: {name: ${core.gatewayId}}\nspec: {addr: x, hostKey: '${HOST_KEY}'}\n`;
    expect((await apply(content)).problems).toEqual([
      `f.yaml:3:18: node/${core.gatewayId}: this server joined by itself; it cannot be declared`,
    ]);
    await expect(core.declared.remove('node', core.gatewayId, 'ann')).rejects.toThrow('the machine of a gateway');
  });

  test('labels that the gateway gave a resource outlive an apply', async () => {
    await apply(app('a'));
    const stored = await core.store.resources.get('app', 'a');
    if (!stored) throw new Error('app a is not there');
    await core.store.resources.put({ ...stored, labels: { 'postern.internal/resource-id': '7' } });
    expect(changesOf(await apply(app('a')))).toEqual(['app/a unchanged']);
    await apply(app('a').replace('a}', 'a, labels: {env: dev}}'));
    expect((await core.store.resources.get('app', 'a'))?.labels).toEqual({
      'postern.internal/resource-id': '7',
      env: 'dev',
    });
    expect(await core.declared.get('app', 'a')).not.toContain('resource-id');
  });

  test('what the static configuration holds is marked, kept from people, and removed when it leaves', async () => {
    await apply(app('theirs'));
    const first = await applyStatic(files(app('a'), app('b'), role('r'), user('u', 'r')));
    expect(changesOf(first)).toEqual(['app/a created', 'app/b created', 'role/r created', 'user/u created']);
    expect(
      (await core.declared.list())
        .filter(one => one.origin === 'config-file')
        .map(one => one.name)
        .sort(),
    ).toEqual(['a', 'b', 'r', 'u']);
    expect(changesOf(await applyStatic(files(app('a'), app('b'), role('r'), user('u', 'r')))).join()).not.toMatch(
      /created|updated/,
    );

    const told = 'comes from the static configuration of a gateway: change it there';
    expect((await apply(files(app('a'), user('u', 'access')))).problems).toEqual([
      `f.yaml:3:18: app/a: ${told}`,
      `f.yaml:8:18: user/u: ${told}`,
    ]);
    for (const [kind, name] of [
      ['app', 'a'],
      ['user', 'u'],
    ] as const)
      await expect(core.declared.remove(kind, name, 'ann')).rejects.toThrow('take it out there');

    await core.declared.remove('app', 'a', 'ann', true);
    expect(changesOf(await applyStatic(files(app('a'), app('b'), role('r'), user('u', 'r'))))[0]).toBe('app/a created');

    // Another gateway's configuration is its own business.
    expect(changesOf(await applyStatic(app('c'), 'gateway-2'))).toEqual(['app/c created']);
    expect(changesOf(await applyStatic(app('b')))).toEqual([
      'app/b unchanged',
      'user/u removed',
      'role/r removed',
      'app/a removed',
    ]);
    expect((await core.declared.list('app')).map(one => one.name)).toEqual(['b', 'c', 'theirs']);
    expect((await noted('app.delete'))[1]).toMatchObject({ name: 'a', user: 'system:static-configuration' });

    // A mistake changes nothing, and removes nothing.
    expect((await applyStatic('kind: nothing\n')).problems).toHaveLength(1);
    expect((await core.declared.list('app')).map(one => one.name)).toContain('b');
  });

  test('a role that has left the static configuration stays while somebody holds it, and goes afterwards', async () => {
    await applyStatic(role('r'));
    await apply(user('u', 'r'));
    expect(await applyStatic('')).toEqual({
      problems: [],
      resources: [],
      notes: [],
      kept: ['role/r has left the static configuration and stays: role "r" is in use: u'],
    });
    await core.declared.remove('user', 'u', 'ann');
    expect(changesOf(await applyStatic(''))).toEqual(['role/r removed']);
  });
});
