// May she, why, what may she reach, and who may reach this: asked over the web API.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Explanation } from '../contract/rights.ts';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

const ops = `kind: role
version: v7
metadata:
  name: ops
spec:
  allow:
    node_labels:
      env: prod
    logins: [root, deploy]
`;
const careful = `kind: role
version: v7
metadata:
  name: careful
spec:
  deny:
    node_labels:
      team: bank
    logins: [root]
`;
const nameless = `kind: role
version: v7
metadata: { name: nameless }
spec: { allow: { node_labels: { env: prod } } }
`;
const AWS_ROLE = 'arn:aws:iam::123456789012:role/reader';
const AZURE_IDENTITY = '0f0e0d0c-0b0a-0908-0706-050403020100';
const web = `kind: role
version: v7
metadata: { name: web }
spec:
  allow:
    # Which applications, and as whom in those of clouds.
    app_labels:
      team: web
    aws_role_arns: ['${AWS_ROLE}', '*']
    azure_identities: ['${AZURE_IDENTITY}']
`;
const webless = `kind: role
version: v7
metadata: { name: webless }
spec:
  deny:
    # Beats what others allow.
    app_labels: { team: web }
`;
const maker = `kind: role
version: v7
metadata: { name: maker }
spec:
  options:
    create_host_user_mode: drop
    create_db_user: true
  allow:
    node_labels: { env: made }
    logins: [deploy]
    db_labels: { env: made }
`;
let rig: Rig;
let ann: Browser;
let alice: Browser;
let dbServer: string;
beforeAll(async () => {
  rig = await openRig();
  for (const content of [ops, careful, nameless, ruled, web, webless, maker])
    await rig.store.resources.create(roleResource(content));
  await rig.addUser('ann', ['access', 'editor', 'auditor'], ['root']);
  await rig.addUser('alice', ['ops'], []);
  await rig.addUser('bob', ['ops', 'careful'], []);
  await rig.addUser('carol', ['nameless'], []);
  await rig.addUser('dave', ['auditor'], []);
  await rig.addUser('paul', ['web'], []);
  await rig.addUser('quinn', ['web', 'webless'], []);
  await rig.addUser('rita', ['ruled'], []);
  await rig.addUser('mia', ['maker'], []);

  await rig.store.resources.create(
    roleResource(
      'kind: role\nversion: v7\nmetadata: { name: unmaker }\nspec: { options: { create_db_user: false, create_host_user: false } }\n',
    ),
  );
  await rig.store.resources.create(
    roleResource('kind: role\nversion: v7\nmetadata: { name: unnamed }\nspec: { deny: { db_users: [ned] } }\n'),
  );
  await rig.addUser('ned', ['maker', 'unnamed'], []);
  await rig.addUser('sam', ['maker', 'unmaker'], []);
  await rig.addServer('made-1', { env: 'made', users: 'made' });
  await rig.addServer('bare-1', { env: 'made' });
  for (const [name, spec] of [
    ['books', { protocol: 'postgres', uri: 'books:5432', admin_user: { name: 'gatekeeper' } }],
    ['tiles', { protocol: 'mysql', uri: 'tiles:3306' }],
  ] as const)
    await rig.store.resources.create({
      ...{ kind: 'db', name, title: name, address: '', description: '', subtype: '', words: [], expires: null },
      ...{ labels: { env: 'made' }, spec },
    });
  ann = await rig.signIn('ann');
  alice = await rig.signIn('alice');
  dbServer = await rig.addServer('db-3', { env: 'prod' });
  await rig.addServer('bank-1', { env: 'prod', team: 'bank' });
  await rig.addServer('lab-1', { env: 'lab' });
  for (const [name, uri] of [
    ['grafana', 'http://grafana.example.org'],
    ['aws', 'https://console.aws.amazon.com'],
    ['azure', 'cloud://azure'],
  ] as const)
    await rig.store.resources.create({
      ...{ kind: 'app', name, title: name, address: '', description: '', subtype: '', words: [], expires: null },
      ...{ labels: { team: 'web' }, spec: { uri } },
    });
});
afterAll(() => rig.dispose());

const RIGHTS = `/v1/webapi/sites/${CLUSTER}/rights`;
async function can(who: Browser, user: string, login: string, target: string): Promise<Explanation> {
  const query = new URLSearchParams({ user, action: 'ssh', principal: login, target });
  const { status, json } = await who.call('GET', `${RIGHTS}/explain?${query}`);
  expect(status).toBe(200);
  return json as Explanation;
}

test('people read the roles that they hold, and learn of no other', async () => {
  const read = async (role: string) => (await alice.call('GET', `/v1/webapi/roles/${role}`)).status;
  expect([await read('ops'), await read('careful'), await read('none')]).toEqual([200, 403, 403]);
});

test.each([
  ['alice', 'root', 'db-3', true, [['allows', 'ops', 9, 'Role ops allows root here (logins, node_labels).']]],
  ['bob', 'root', 'db-3', false, [['denies', 'careful', 9, 'Role careful denies root (logins).']]],
  [
    'bob',
    'deploy',
    'bank-1',
    false,
    [['denies', 'careful', 7, 'Role careful denies what has these labels (node_labels).']],
  ],
  [
    'alice',
    'root',
    'lab-1',
    false,
    [['missing', 'ops', 7, 'Role ops names root, and its node_labels do not select this.']],
  ],
  [
    'alice',
    'oracle',
    'db-3',
    false,
    [['missing', 'ops', 9, 'Role ops selects this, and does not name oracle in logins.']],
  ],
])('whether %s may be %s on %s is explained by the very lines', async (user, login, target, allowed, reasons) => {
  const said = await can(ann, user, login, target);
  expect([said.allowed, said.reasons.map(({ kind, role, line, text }) => [kind, role, line, text])]).toEqual([
    allowed,
    reasons,
  ]);
});

test.each([
  ['ann', 'lab-1', true, ['Role access allows root here (logins, node_labels).']],
  ['alice', 'db-3', true, ['Role ops allows root here (logins, node_labels).']],
  [
    'alice',
    'lab-1',
    false,
    [
      'Role ops names root, and its node_labels do not select this.',
      'Role ops names deploy, and its node_labels do not select this.',
    ],
  ],
  ['carol', 'db-3', false, ['Role nameless selects this, and does not name anything in logins.']],
  ['dave', 'db-3', false, ['No role selects this (node_labels) or names anything (logins).']],
])('whether %s may use any login on %s is explained without one being named', async (user, target, allowed, texts) => {
  const query = new URLSearchParams({ user, action: 'ssh', target });
  const said = (await ann.call('GET', `${RIGHTS}/explain?${query}`)).json as Explanation;
  expect([said.allowed, said.reasons.map(({ text }) => text)]).toEqual([allowed, texts]);
  expect(said.text).toBe(`${user} may ${allowed ? '' : 'not '}use anything on ${target} (ssh).`);
});

const ruled = `kind: role
version: v7
metadata:
  name: ruled
spec:
  allow:
    rules:
      - resources: [role]
        verbs: [list, read]
      - resources: [user]
        verbs: [update]
        where: equals(resource.metadata.name, "kim")
  deny:
    rules:
      - resources: [lock]
        verbs: ['*']
`;
test.each([
  ['ann', 'update', 'roles', true, [['allows', 'editor', 'Role editor allows "update" on role.']]],
  [
    'alice',
    'update',
    'roles',
    false,
    [['missing', '', 'No role allows "update" on role (needs it in the rules of a role).']],
  ],
  ['alice', 'list', 'node', true, [['allows', '', 'Everybody may list node: labels choose which.']]],
  ['rita', 'create', 'lock', false, [['denies', 'ruled', 'Role ruled denies "create" on lock.']]],
  [
    'rita',
    'update',
    'users',
    true,
    [['allows', 'ruled', 'Role ruled allows "update" on user, where its condition holds.']],
  ],
  [
    'rita',
    'delete',
    'role',
    false,
    [['missing', '', 'No role allows "delete" on role (needs it in the rules of a role).']],
  ],
])('whether %s may %s %s is explained by the rule, with its line', async (user, action, target, allowed, reasons) => {
  const query = new URLSearchParams({ user, action, target });
  const said = (await ann.call('GET', `${RIGHTS}/explain?${query}`)).json as Explanation;
  expect([said.allowed, said.reasons.map(({ kind, role, text }) => [kind, role, text])]).toEqual([allowed, reasons]);
  // The line that a link to the role leads to.
  const lines = ruled.split('\n');
  for (const { role, line } of said.reasons)
    if (role === 'ruled') expect(lines[line - 1]).toContain(`resources: [${target.replace(/s$/, '')}]`);
});

test('of rules only what they can be about is answered, and of others only to whoever reads roles', async () => {
  const asks = async (who: Browser, more: Record<string, string>) =>
    (await who.call('GET', `${RIGHTS}/explain?${new URLSearchParams({ action: 'update', target: 'roles', ...more })}`))
      .status;
  expect([
    await asks(alice, {}),
    await asks(alice, { user: 'ann' }),
    await asks(ann, { target: 'nonsense' }),
    await asks(ann, { action: 'sing' }),
  ]).toEqual([200, 403, 400, 400]);
});

const unpreparedServer =
  'Role maker says create_host_user_mode, and bare-1 was not prepared to make users: it does nothing there.';
const unpreparedDatabase =
  'Role maker says create_db_user, and tiles has no admin_user who would make users: it does nothing there.';
test.each([
  ['mia', 'ssh', 'deploy', 'made-1', true, [['allows', 10]]],
  [
    'mia',
    'ssh',
    'deploy',
    'bare-1',
    true,
    [
      ['allows', 10],
      ['unprepared', 6, unpreparedServer],
    ],
  ],
  ['mia', 'db', 'mia', 'books', true, [['allows', 7, 'Role maker has the user mia made here (create_db_user).']]],
  ['mia', 'db', '', 'books', true, [['allows', 7, 'Role maker has the user mia made here (create_db_user).']]],
  ['mia', 'db', 'app', 'books', false, [['missing', 9]]],
  [
    'mia',
    'db',
    'mia',
    'tiles',
    false,
    [
      ['missing', 9],
      ['unprepared', 7, unpreparedDatabase],
    ],
  ],
  // Another role says that no users are made.
  ['sam', 'ssh', 'deploy', 'bare-1', true, [['allows', 10]]],
  ['sam', 'db', 'sam', 'books', false, [['missing', 9]]],
  // Deny beats what would be made as well.
  ['ned', 'db', 'ned', 'books', false, [['denies', 4, 'Role unnamed denies ned (db_users).']]],
] as const)(
  'whether %s may use %s as "%s" on %s says what makes users there, and what was not prepared for it',
  async (user, action, principal, target, allowed, reasons) => {
    const query = new URLSearchParams({ user, action, target, ...(principal !== '' && { principal }) });
    const said = (await ann.call('GET', `${RIGHTS}/explain?${query}`)).json as Explanation;
    expect(said.allowed).toBe(allowed);
    expect(said.reasons.map(({ kind, line }) => [kind, line])).toEqual(reasons.map(([kind, line]) => [kind, line]));
    for (const [index, [, , text]] of reasons.entries()) if (text) expect(said.reasons[index]?.text).toBe(text);
  },
);

test('a database user that is made for somebody is among what they reach, and they among those who reach it', async () => {
  const byMaker = { name: 'maker', line: 7 };
  expect((await ann.call('GET', `${RIGHTS}/users/mia?action=db`)).json).toMatchObject({
    items: [
      { id: 'books', principals: ['mia'], roles: [byMaker] },
      { id: 'tiles', principals: [] },
    ],
  });
  expect((await ann.call('GET', `${RIGHTS}/db/books`)).json).toMatchObject({
    items: [{ user: 'mia', principals: ['mia'], roles: [byMaker] }],
  });
});

test('a lock is said first', async () => {
  const made = await ann.call('PUT', `/v1/webapi/sites/${CLUSTER}/locks`, { targets: { login: 'deploy' } });
  const { allowed, reasons } = await can(ann, 'alice', 'deploy', dbServer);
  expect([allowed, reasons[0]?.text]).toEqual([false, 'Access with the login deploy is locked.']);
  await ann.call('DELETE', `/v1/webapi/sites/${CLUSTER}/locks/${(made.json as { name: string }).name}`);
});

test('everybody may ask about themselves, and hears nothing of what their roles do not show', async () => {
  expect((await can(alice, 'alice', 'root', 'db-3')).allowed).toBe(true);
  const ask = async (query: Record<string, string>) =>
    (
      await alice.call(
        'GET',
        `${RIGHTS}/explain?${new URLSearchParams({ action: 'ssh', principal: 'root', ...query })}`,
      )
    ).status;
  expect([
    await ask({ target: 'lab-1' }),
    await ask({ target: 'no-such' }),
    await ask({ user: 'bob', target: 'db-3' }),
  ]).toEqual([404, 404, 403]);
});

test('what a user may reach is listed page by page with logins and roles, and who may reach a server with both too', async () => {
  const { json } = await ann.call('GET', `${RIGHTS}/users/alice?limit=1`);
  const page = json as { items: object[]; startKey: string; totalCount: number };
  expect([page.totalCount, page.items]).toMatchObject([
    2,
    [{ title: 'bank-1', principals: ['root', 'deploy'], roles: [{ name: 'ops', line: 9 }] }],
  ]);
  const next = await ann.call('GET', `${RIGHTS}/users/alice?limit=1&startKey=${encodeURIComponent(page.startKey)}`);
  expect(next.json).toMatchObject({ items: [{ id: dbServer }], startKey: '' });
  const skipped = await ann.call('GET', `${RIGHTS}/users/alice?offset=1`);
  expect(skipped.json).toMatchObject({ items: [{ id: dbServer }], totalCount: 2 });
  const byOps = { name: 'ops', line: 9 };
  expect((await ann.call('GET', `${RIGHTS}/ssh/db-3`)).json).toMatchObject({
    id: dbServer,
    title: 'db-3',
    items: [
      { user: 'alice', principals: ['root', 'deploy'], roles: [byOps] },
      { user: 'ann', principals: ['root'], roles: [{ name: 'access' }] },
      { user: 'bob', principals: ['deploy'], roles: [byOps] },
    ],
  });
  expect((await alice.call('GET', `${RIGHTS}/ssh/db-3`)).status).toBe(403);
  expect((await alice.call('GET', `${RIGHTS}/users/bob`)).status).toBe(403);
  expect((await alice.call('GET', `${RIGHTS}/users/alice`)).json).toMatchObject({ totalCount: 2 });
});

test.each([
  ['alice', 'app=grafana', false, [['missing', '', 0, 'No role selects this (app_labels).']], 'use grafana (app)'],
  ['paul', 'app=grafana', true, [['allows', 'web', 7, 'Role web allows it (app_labels).']], 'use grafana (app)'],
  [
    'quinn',
    'app=grafana',
    false,
    [['denies', 'webless', 7, 'Role webless denies what has these labels (app_labels).']],
    'use grafana (app)',
  ],
  [
    'paul',
    'app=grafana&principal=root',
    false,
    [['denies', '', 0, 'It is used as nobody in particular: "root" has no meaning there.']],
    'use root on grafana (app)',
  ],
  [
    'paul',
    `app=aws&principal=${AWS_ROLE}`,
    true,
    [['allows', 'web', 9, `Role web allows ${AWS_ROLE} here (aws_role_arns, app_labels).`]],
    `use ${AWS_ROLE} on aws (app)`,
  ],
  [
    'paul',
    `app=aws&principal=${AWS_ROLE}s`,
    false,
    [['missing', 'web', 9, `Role web selects this, and does not name ${AWS_ROLE}s in aws_role_arns.`]],
    `use ${AWS_ROLE}s on aws (app)`,
  ],
  [
    'paul',
    'app=aws&principal=*',
    false,
    [['denies', '', 0, '"*" is nobody that it could be used as (aws_role_arns).']],
    'use * on aws (app)',
  ],
  [
    'paul',
    `app=azure&principal=${AZURE_IDENTITY.toUpperCase()}`,
    true,
    [['allows', 'web', 10, `Role web allows ${AZURE_IDENTITY.toUpperCase()} here (azure_identities, app_labels).`]],
    `use ${AZURE_IDENTITY.toUpperCase()} on azure (app)`,
  ],
])(
  'whether %s may use the application of "%s" is explained as its sessions are judged',
  async (user, asked, allowed, reasons, text) => {
    const [target = '', principal] = asked.replace('app=', '').split('&principal=');
    const query = new URLSearchParams({ user, action: 'app', target, ...(principal && { principal }) });
    const said = (await ann.call('GET', `${RIGHTS}/explain?${query}`)).json as Explanation;
    const told = said.reasons.map(({ kind, role, line, text }) => [kind, role, line, text]);
    expect([said.allowed, told, said.text]).toEqual([allowed, reasons, `${user} may ${allowed ? '' : 'not '}${text}.`]);
  },
);

test('which applications a user may reach, as whom, and who may reach one, are listed with the roles', async () => {
  const reached = (await ann.call('GET', `${RIGHTS}/users/paul?action=app`)).json as { items: object[] };
  expect(reached.items).toEqual([
    { id: 'aws', title: 'aws', principals: [AWS_ROLE], roles: [{ name: 'web', line: 9 }] },
    { id: 'azure', title: 'azure', principals: [AZURE_IDENTITY], roles: [{ name: 'web', line: 10 }] },
    { id: 'grafana', title: 'grafana', principals: [], roles: [{ name: 'web', line: 7 }] },
  ]);
  const who = async (name: string) =>
    ((await ann.call('GET', `${RIGHTS}/app/${name}`)).json as { items: { user: string }[] }).items.map(
      ({ user }) => user,
    );
  expect([await who('grafana'), await who('aws')]).toEqual([['ann', 'paul'], ['paul']]);
});
