// Access lists through the calls that people make: who sees and manages which, what members get, and its end, in live sessions too.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccessList, WholeAccessList } from '../contract/access-lists.ts';
import { type Answer, type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

const DAY_MS = 86_400_000;
const LISTS = `/v1/webapi/sites/${CLUSTER}/accesslists`;
let rig: Rig;
let eve: Browser;
let ada: Browser;
/** How far the gateway's clock was moved, ms. */
let moved = 0;
function later(ms: number): void {
  moved += ms;
  rig.later(ms);
}
const role = (name: string, spec: string) =>
  rig.store.resources.put(roleResource(`kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec: ${spec}`));

beforeAll(async () => {
  rig = await openRig();
  await role('dba', '{allow: {logins: [root], node_labels: {env: prod}}}');
  await role('deploy', '{allow: {logins: ["{{external.deploys}}"], node_labels: {env: web}}}');
  await role('plain', '{allow: {}}');
  await rig.addUser('eve', ['editor']);
  eve = await rig.signIn('eve');
  await rig.addUser('ada', ['auditor']);
});
afterAll(() => rig.dispose());

async function someone(roles: readonly string[] = ['plain']): Promise<Browser> {
  const name = `u-${randomUUID().slice(0, 8)}`;
  await rig.addUser(name, roles);
  return rig.signIn(name);
}
const fine = <Json>(answer: Answer): Json => {
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.json as Json;
};
const said = ({ status, json }: Answer) => [status, (json as { error?: { message: string } }).error?.message];
interface Wanted {
  readonly owners?: string;
  readonly grants?: string;
  readonly more?: string;
}
const yaml = (name: string, { owners = '[{name: eve}]', grants = '{roles: [dba]}', more = '' }: Wanted) =>
  `kind: access_list\nversion: v1\nmetadata: {name: ${name}}\nspec:\n  title: List ${name}\n  owners: ${owners}\n  grants: ${grants}\n${more}`;
async function made(wanted: Wanted = {}): Promise<string> {
  const name = `l-${randomUUID().slice(0, 8)}`;
  fine(await eve.call('POST', LISTS, { content: yaml(name, wanted) }));
  return name;
}
const add = (who: Browser, list: string, body: object) => who.call('POST', `${LISTS}/${list}/members`, body);
const drop = (who: Browser, list: string, member: string, kind = 'user') =>
  who.call('DELETE', `${LISTS}/${list}/members/${kind}/${member}`);
const get = async (who: Browser, list: string) => fine<WholeAccessList>(await who.call('GET', `${LISTS}/${list}`));
const lists = async (who: Browser) =>
  fine<{ items: AccessList[] }>(await who.call('GET', LISTS)).items.map(({ name }) => name);
const context = async (who: Browser) =>
  fine<{ roles: string[]; userAcl: Record<string, Record<string, boolean>> }>(
    await who.call('GET', `/v1/webapi/sites/${CLUSTER}/context`),
  );
const servers = async (who: Browser) =>
  fine<{ items: { hostname: string }[] }>(await who.call('GET', `/v1/webapi/sites/${CLUSTER}/nodes`)).items.map(
    ({ hostname }) => hostname,
  );
async function openSession(who: Browser, server: string): Promise<string> {
  const { services } = rig;
  const { cookie, bearer } = who;
  const authenticated = await services.identity.sessions.authenticate({ cookie, bearer, remoteAddr: '10.0.0.1:1' });
  const target = await services.servers.target(authenticated, server);
  return (await services.sessions.open({ who: authenticated, target, login: 'root', size: { cols: 80, rows: 24 } }))
    .sid;
}
const over = (sid: string) => expect.poll(() => rig.services.sessions.ended(sid)?.text ?? null);
const events = async (code: string, list: string) => {
  ada ??= await rig.signIn('ada');
  return fine<{ events: { raw?: string; code: string }[] }>(
    await ada.call(
      'GET',
      `/v1/webapi/sites/${CLUSTER}/events/search?from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z`,
    ),
  ).events.filter(event => event.code === code && JSON.stringify(event).includes(list));
};

test('what a list grants is there at once and ends at once, in an open shell too', async () => {
  const ann = await someone();
  const kim = await someone();
  const prod = await rig.addServer(`prod-${kim.user}`, { env: 'prod' });
  const list = await made({ owners: `[{name: ${ann.user}}]` });
  expect(await servers(kim)).not.toContain(`prod-${kim.user}`);
  fine(await add(ann, list, { name: kim.user, reason: 'on call' }));
  expect(await servers(kim)).toContain(`prod-${kim.user}`);
  expect((await context(kim)).roles).toEqual(['plain', 'dba']);
  const sid = await openSession(kim, prod);
  fine(await drop(ann, list, kim.user));
  expect(await servers(kim)).not.toContain(`prod-${kim.user}`);
  await over(sid).toContain(`${kim.user} may no longer log in to prod-${kim.user} as root`);
});

test('it ends when the membership runs out, when a requirement is lost, and when the list is deleted or grants less', async () => {
  const ends: readonly ((list: string, kim: Browser) => Promise<unknown>)[] = [
    async () => later(DAY_MS),
    async (_list, kim) => {
      const user = await rig.store.users.get(kim.user);
      await rig.store.users.update({ ...(user as NonNullable<typeof user>), traits: {} });
      rig.changes.emit({ kind: 'userChanged', user: kim.user });
    },
    async list => fine(await eve.call('DELETE', `${LISTS}/${list}`)),
    async list =>
      fine(await eve.call('PUT', `${LISTS}/${list}`, { content: yaml(list, { grants: '{roles: [plain]}' }) })),
  ];
  for (const end of ends) {
    const kim = await someone();
    const user = await rig.store.users.get(kim.user);
    await rig.store.users.update({ ...(user as NonNullable<typeof user>), traits: { team: ['db'] } });
    const prod = await rig.addServer(`prod-${kim.user}`, { env: 'prod' });
    const list = await made({ more: '  membership_requires: {traits: {team: [db]}}' });
    fine(await add(eve, list, { name: kim.user, expires: new Date(Date.now() + moved + DAY_MS).toISOString() }));
    const sid = await openSession(kim, prod);
    await end(list, kim);
    await over(sid).toContain('may no longer log in');
    eve = await rig.signIn('eve');
    expect(await servers(await rig.signIn(kim.user))).not.toContain(`prod-${kim.user}`);
  }
});
test('traits that a list grants fill templates of roles', async () => {
  const kim = await someone();
  await rig.addServer(`web-${kim.user}`, { env: 'web' });
  const list = await made({ grants: '{roles: [deploy], traits: {deploys: [shipper]}}' });
  fine(await add(eve, list, { name: kim.user }));
  const found = fine<{ items: { hostname: string; sshLogins: string[] }[] }>(
    await kim.call('GET', `/v1/webapi/sites/${CLUSTER}/nodes`),
  ).items.find(({ hostname }) => hostname === `web-${kim.user}`);
  expect(found?.sshLogins).toEqual(['shipper']);
});

test('members see the lists that they are in, owners theirs, and to all others a list is not there', async () => {
  const ann = await someone();
  const kim = await someone();
  const zed = await someone();
  const list = await made({ owners: `[{name: ${ann.user}}]` });
  fine(await add(ann, list, { name: kim.user }));
  expect(await lists(kim)).toEqual([list]);
  expect(await lists(ann)).toEqual([list]);
  expect(await lists(zed)).toEqual([]);
  expect((await context(kim)).userAcl.accessList).toMatchObject({ list: true, read: true, edit: false });
  expect((await context(zed)).userAcl.accessList).toMatchObject({ list: false, read: false });
  expect(await get(kim, list)).toMatchObject({ isMember: true, members: [], memberCount: null, mayManage: false });
  expect(await get(ann, list)).toMatchObject({ isOwner: true, memberCount: 1, mayManage: true, mayEdit: false });
  const absent = said(await zed.call('GET', `${LISTS}/never-was`));
  for (const answer of [
    await zed.call('GET', `${LISTS}/${list}`),
    await add(zed, list, { name: zed.user }),
    await drop(zed, list, kim.user),
    await zed.call('POST', `${LISTS}/${list}/reviews`, {}),
  ])
    expect(said(answer)).toEqual([404, String(absent[1]).replace('never-was', list)]);
  // A member manages nothing, and neither owner nor member changes what is granted.
  expect(said(await add(kim, list, { name: zed.user }))).toEqual([
    403,
    expect.stringContaining('managed by its owners'),
  ]);
  for (const who of [ann, kim])
    expect(
      said(await who.call('PUT', `${LISTS}/${list}`, { content: yaml(list, { grants: '{roles: [editor]}' }) }))[0],
    ).toBe(403);
  expect((await get(ann, list)).grants.roles).toEqual(['dba']);
});

test('an owner who does not meet what owners must have manages nothing, and is shown with why', async () => {
  const ann = await someone();
  const list = await made({
    owners: `[{name: ${ann.user}}, {name: eve}]`,
    more: '  ownership_requires: {roles: [auditor]}',
  });
  expect(said(await ann.call('GET', `${LISTS}/${list}`))[0]).toBe(404);
  const { owners } = await get(eve, list);
  expect(owners.map(({ name, ineligible }) => [name, ineligible])).toEqual([
    [ann.user, 'lacks role "auditor"'],
    ['eve', 'lacks role "auditor"'],
  ]);
});

test('members who do not meet what is asked are shown with why and get nothing', async () => {
  const kim = await someone();
  await rig.addServer(`prod-${kim.user}`, { env: 'prod' });
  const list = await made({ more: '  membership_requires: {roles: [auditor]}' });
  fine(await add(eve, list, { name: kim.user }));
  expect((await get(eve, list)).members).toMatchObject([{ name: kim.user, ineligible: 'lacks role "auditor"' }]);
  expect(await get(kim, list)).toMatchObject({ isMember: false, ineligible: 'lacks role "auditor"' });
  expect(await servers(kim)).not.toContain(`prod-${kim.user}`);
});

test('members of a list that is in a list are members of both, and owners by a list own', async () => {
  const kim = await someone();
  await rig.addServer(`prod-${kim.user}`, { env: 'prod' });
  const inner = await made({ grants: '{roles: [plain]}' });
  const outer = await made();
  const owned = await made({ owners: `[{name: ${inner}, membership_kind: list}]`, grants: '{roles: [plain]}' });
  fine(await add(eve, inner, { name: kim.user }));
  expect(await servers(kim)).not.toContain(`prod-${kim.user}`);
  fine(await add(eve, outer, { kind: 'list', name: inner }));
  expect(await servers(kim)).toContain(`prod-${kim.user}`);
  expect((await lists(kim)).sort()).toEqual([inner, outer, owned].sort());
  expect(await get(kim, owned)).toMatchObject({ isOwner: true, mayManage: true });
  // Circles are refused whichever way they would be closed.
  expect(said(await add(eve, inner, { kind: 'list', name: outer }))).toEqual([400, expect.stringContaining('circle')]);
  expect(said(await add(eve, inner, { kind: 'list', name: inner }))).toEqual([400, expect.stringContaining('circle')]);
  const circle = {
    content: yaml(inner, { owners: `[{name: ${outer}, membership_kind: list}]`, grants: '{roles: [plain]}' }),
  };
  expect(said(await eve.call('PUT', `${LISTS}/${inner}`, circle))).toEqual([400, expect.stringContaining('circle')]);
  expect(said(await eve.call('DELETE', `${LISTS}/${inner}`))).toEqual([400, expect.stringContaining('stands in')]);
  fine(await drop(eve, inner, kim.user));
  expect(await servers(kim)).not.toContain(`prod-${kim.user}`);
  expect(said(await kim.call('GET', `${LISTS}/${owned}`))[0]).toBe(404);
});

test('lists stand in lists at most ten deep', async () => {
  let last = await made({ grants: '{roles: [plain]}' });
  for (let depth = 1; depth <= 10; depth += 1) {
    const next = await made({ grants: '{roles: [plain]}' });
    fine(await add(eve, next, { kind: 'list', name: last }));
    last = next;
  }
  const beyond = await made({ grants: '{roles: [plain]}' });
  expect(said(await add(eve, beyond, { kind: 'list', name: last }))).toEqual([
    400,
    'lists stand in lists at most 10 deep',
  ]);
});

test('whoever gets a name that somebody else had gets none of their places', async () => {
  const kim = await someone();
  const list = await made();
  fine(await add(eve, list, { name: kim.user }));
  const { id } = (await rig.store.users.get(kim.user)) as { id: string };
  await rig.store.users.delete(id);
  later(1000);
  await rig.addUser(kim.user, ['plain']);
  const other = await rig.signIn(kim.user);
  expect((await context(other)).roles).toEqual(['plain']);
  expect((await get(eve, list)).members).toMatchObject([
    { name: kim.user, ineligible: 'another one had this name when it was added' },
  ]);
});

test('a review keeps and removes, is kept as history, sets the next day, and is audited', async () => {
  const kim = await someone();
  const zed = await someone();
  const list = await made({
    more: '  audit: {recurrence: {frequency: 1 month, day_of_month: last}, notifications: {start: 1000h}}',
  });
  fine(await add(eve, list, { name: kim.user }));
  fine(await add(eve, list, { name: zed.user }));
  const before = await get(eve, list);
  expect(before).toMatchObject({ isDue: true, frequency: '1 month', dayOfMonth: 'last', reviews: [] });
  expect(await rig.services.accessLists.due()).toContainEqual(
    expect.objectContaining({ name: list, isOverdue: false }),
  );
  // Told to whoever owns it, and to no member.
  expect(await rig.services.accessLists.dueOf('eve')).toContainEqual(
    expect.objectContaining({ name: list, isOverdue: false }),
  );
  expect(await rig.services.accessLists.dueOf(kim.user)).toEqual([]);
  const after = fine<WholeAccessList>(
    await eve.call('POST', `${LISTS}/${list}/reviews`, { notes: 'left', remove: [{ kind: 'user', name: zed.user }] }),
  );
  expect(after.members.map(({ name }) => name)).toEqual([kim.user]);
  expect(after.reviews).toMatchObject([{ reviewer: 'eve', notes: 'left', removed: [zed.user], kept: 1 }]);
  const [from, to] = [new Date(before.nextReview), new Date(after.nextReview)];
  expect((to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()).toBe(1);
  expect(new Date(to.getTime() + DAY_MS).getUTCDate()).toBe(1);
  expect(await lists(zed)).toEqual([]);
  for (const code of ['TAL001I', 'TAL004I', 'TAL005I', 'TAL007I'])
    expect(await events(code, list), code).not.toEqual([]);
});

test('what could not be done is in the audit log as failed, and what was done as done', async () => {
  const list = await made();
  const kim = await someone();
  expect(said(await eve.call('POST', LISTS, { content: yaml(list, {}) }))).toEqual([
    409,
    expect.stringContaining('exists'),
  ]);
  expect((await eve.call('PUT', `${LISTS}/${list}`, { content: yaml('other', {}) })).status).toBe(400);
  expect(said(await add(eve, list, { name: 'nobody-there' }))).toEqual([400, 'there is no user "nobody-there"']);
  expect((await drop(eve, list, 'nobody-there')).status).toBe(404);
  const member = `${LISTS}/${list}/members/user/${kim.user}`;
  expect((await eve.call('PUT', member, {})).status).toBe(404);
  fine(await add(eve, list, { name: kim.user }));
  expect(said(await add(eve, list, { name: kim.user }))[0]).toBe(409);
  fine(await eve.call('PUT', member, { reason: 'still here' }));
  expect((await get(eve, list)).members).toMatchObject([{ name: kim.user, reason: 'still here' }]);
  expect((await eve.call('POST', `${LISTS}/${list}/reviews`, { remove: [{ kind: 'user', name: 'x' }] })).status).toBe(
    404,
  );
  fine(await eve.call('PUT', `${LISTS}/${list}`, { content: yaml(list, { grants: '{roles: [plain]}' }) }));
  fine(await eve.call('DELETE', `${LISTS}/${list}`));
  expect((await eve.call('DELETE', `${LISTS}/${list}`)).status).toBe(404);
  for (const code of [
    'TAL002I',
    'TAL002E',
    'TAL003I',
    'TAL003E',
    'TAL004E',
    'TAL005E',
    'TAL006I',
    'TAL006E',
    'TAL007E',
    'TAL008I',
  ])
    expect(await events(code, list), code).not.toEqual([]);
});

test('a list that is wrong is refused with where and what is allowed', async () => {
  const refused = async (wanted: Wanted) =>
    said(await eve.call('POST', LISTS, { content: yaml(`l-${randomUUID()}`, wanted) }));
  expect(await refused({ grants: '{}' })).toEqual([400, expect.stringContaining('at least one role or trait')]);
  expect(await refused({ owners: '[]' })).toEqual([400, expect.stringContaining('at least one owner')]);
  expect(await refused({ owners: '[{name: nobody-there}]' })).toEqual([
    400,
    expect.stringMatching(/spec.owners\[0\].name.*the name of a user/),
  ]);
  expect(await refused({ grants: '{roles: [never]}' })).toEqual([400, expect.stringContaining('the name of a role')]);
  expect(await refused({ more: '  audit: {recurrence: {frequency: 2 months}}' })).toEqual([
    400,
    expect.stringContaining('one of 1 month, 3 months, 6 months, 1 year'),
  ]);
});

test('what a list gives is told with the name of the list, and its role cannot be deleted', async () => {
  const kim = await someone();
  await rig.addServer(`prod-${kim.user}`, { env: 'prod' });
  const list = await made();
  fine(await add(eve, list, { name: kim.user }));
  const rights = `/v1/webapi/sites/${CLUSTER}/rights`;
  const { items } = fine<{ items: { title: string; roles: unknown[] }[] }>(
    await eve.call('GET', `${rights}/users/${kim.user}`),
  );
  expect(items.find(({ title }) => title === `prod-${kim.user}`)?.roles).toMatchObject([
    { name: 'dba', list: `List ${list}` },
  ]);
  const why = fine<{ allowed: boolean; reasons: { text: string }[] }>(
    await eve.call('GET', `${rights}/explain?user=${kim.user}&action=ssh&principal=root&target=prod-${kim.user}`),
  );
  expect([why.allowed, why.reasons[0]?.text]).toEqual([
    true,
    expect.stringContaining(`given by the access list "List ${list}"`),
  ]);
  const reaching = fine<{ items: { user: string; roles: unknown[] }[] }>(
    await eve.call('GET', `${rights}/ssh/prod-${kim.user}`),
  );
  expect(reaching.items.find(({ user }) => user === kim.user)?.roles).toMatchObject([{ list: `List ${list}` }]);
  expect(said(await eve.call('DELETE', '/v1/webapi/roles/dba'))).toEqual([
    400,
    expect.stringContaining('in use: access_list/'),
  ]);
});

test('a document may say who is in a list: those are in it and no others, until one that says nothing leaves them alone', async () => {
  const kim = await someone();
  const zed = await someone();
  const inner = await made();
  const list = await made();
  fine(await add(eve, list, { name: zed.user }));
  const apply = (members: string) =>
    rig.declared.apply([{ name: 'lists.yaml', content: yaml(list, { more: members }) }], { by: 'eve' });
  const changes = async (members: string) => {
    const { problems, resources } = await apply(members);
    return [...problems, ...resources.map(({ change }) => change)];
  };
  const said = `  members: [{name: ${kim.user}, expires: 2040-01-01T00:00:00Z, reason: rota}, {name: ${inner}, membership_kind: list}]`;
  expect(await changes(said)).toEqual(['updated']);
  expect(await changes(said)).toEqual(['unchanged']);
  expect(await changes('')).toEqual(['unchanged']);
  const members = async () => (await get(eve, list)).members.map(({ kind, name, reason }) => [kind, name, reason]);
  expect((await members()).toSorted()).toEqual([
    ['list', inner, ''],
    ['user', kim.user, 'rota'],
  ]);
  expect((await context(kim)).roles).toContain('dba');
  expect((await context(zed)).roles).toEqual(['plain']);
  for (const [code, name] of [
    ['TAL005I', kim.user],
    ['TAL007I', zed.user],
  ] as const)
    expect((await events(code, list)).map(event => JSON.stringify(event)).join()).toContain(name);
  expect(await changes('  members: []')).toEqual(['updated']);
  expect(await members()).toEqual([]);
  expect((await context(kim)).roles).toEqual(['plain']);
  expect(await changes('  members: [{name: nobody-here}]')).toEqual([
    expect.stringContaining('spec.members[0].name: given "nobody-here": the name of a user expected'),
  ]);
  expect(await changes(`  members: [{name: ${list}, membership_kind: list}]`)).toEqual([
    expect.stringContaining('that would be a circle'),
  ]);
});

test('when the clock ends a membership its person no longer has what it gave, and open consoles hear of it', async () => {
  const kim = await someone();
  const list = await made();
  const heard: string[] = [];
  const unsubscribe = rig.changes.subscribe(({ kind }) => void heard.push(kind));
  const watch = rig.services.accessLists.watch(problem => void heard.push(problem));
  await watch.look();
  fine(await add(eve, list, { name: kim.user, expires: new Date(Date.now() + moved + 60_000).toISOString() }));
  expect((await context(kim)).roles).toContain('dba');
  await watch.look();
  heard.length = 0;
  later(60_001);
  expect((await context(kim)).roles).toEqual(['plain']);
  await watch.look();
  expect(heard).toEqual(['accessListsChanged']);
  // Once for each end.
  await watch.look();
  expect(heard).toHaveLength(1);
  watch.dispose();
  unsubscribe();
});

test('lists that are due are found by the index: of hundreds that are not, one page is read; one of before the index is found too', async () => {
  const { resources } = rig.store;
  const list = await made({ more: '  audit: {notifications: {start: 80000h}}' });
  const row = await resources.get('access_list', list);
  if (row === null) throw new Error(`there is no list ${list}`);
  const { created: _created, updated: _updated, revision: _revision, ...kept } = row;
  const nextReview = '2999-01-01T00:00:00.000Z';
  const far = { ...(kept.spec as object), nextReview };
  await resources.putMany(
    Array.from({ length: 300 }, (_, at) => ({ ...kept, name: `far-${at}`, subtype: nextReview, spec: far })),
  );
  await resources.put({ ...kept, name: 'of-before', subtype: '' });
  let rows = 0;
  const { list: read } = resources;
  const counted = Object.assign(resources, {
    list: async (...asked: Parameters<typeof read>) => {
      const page = await read(...asked);
      rows += page.items.length;
      return page;
    },
  });
  try {
    const due = (await rig.services.accessLists.due()).map(({ name }) => name);
    expect([due.includes(list), due.includes('of-before'), due.some(name => name.startsWith('far-')), rows]).toEqual([
      true,
      true,
      false,
      100,
    ]);
  } finally {
    Object.assign(counted, { list: read });
    for (const name of ['of-before', ...Array.from({ length: 300 }, (_, at) => `far-${at}`)])
      await resources.delete('access_list', name);
  }
});
