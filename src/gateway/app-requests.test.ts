// Access requests through the calls that people make: asking, reviewing, using, and the end of what was given, in live sessions too.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccessRequest, RequestGrants } from '../contract/access-requests.ts';
import type { Explanation } from '../contract/rights.ts';
import { type Answer, type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

const HOUR_MS = 3_600_000;
let rig: Rig;
let rae: Browser;
const REQUESTS = `/v1/webapi/sites/${CLUSTER}/accessrequests`;
const role = (name: string, spec: string) =>
  rig.store.resources.put(roleResource(`kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec: ${spec}`));

beforeAll(async () => {
  rig = await openRig();
  await role('dba', '{allow: {logins: [root], node_labels: {env: prod}, rules: [{resources: [user], verbs: [list]}]}}');
  await role('web', '{allow: {logins: [web], node_labels: {env: web}}}');
  await role('asker', '{allow: {request: {roles: [dba, web], search_as_roles: [dba], max_duration: 4h}}}');
  await role('reviewer', '{allow: {review_requests: {roles: [dba, web]}}}');
  await rig.addUser('rae', ['reviewer', 'auditor']);
  rae = await rig.signIn('rae');
});
afterAll(() => rig.dispose());

async function someone(roles: readonly string[] = ['asker']): Promise<Browser> {
  const name = `u-${randomUUID().slice(0, 8)}`;
  await rig.addUser(name, roles);
  return rig.signIn(name);
}
const made = (answer: Answer): AccessRequest => {
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.json as AccessRequest;
};
const said = ({ status, json }: Answer) => [status, (json as { error?: { message: string } }).error?.message];
const ask = (who: Browser, body: object) => who.call('POST', REQUESTS, body);
const review = (who: Browser, id: string, body: object) => who.call('PUT', `${REQUESTS}/${id}`, body);
const renew = (who: Browser, body: object) => who.call('POST', '/v1/webapi/sessions/web/renew', body);
/** The browser with the pair that a renewal answered. */
async function assumed(who: Browser, body: object): Promise<Browser> {
  const answer = await renew(who, body);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  const cookie = /__Host-session=([0-9a-f]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '';
  const { token: bearer } = answer.json as { token: string };
  const { call } = await import('./app.testing.ts');
  return {
    user: who.user,
    cookie,
    bearer,
    call: (method, url, body) => call(rig.app, { method, url, body, cookie, bearer }),
  };
}
const context = async (who: Browser) =>
  (await who.call('GET', `/v1/webapi/sites/${CLUSTER}/context`)).json as Record<string, unknown>;
const servers = async (who: Browser, query = '') =>
  ((await who.call('GET', `/v1/webapi/sites/${CLUSTER}/nodes${query}`)).json as { items: { hostname: string }[] }).items
    .map(({ hostname }) => hostname)
    .sort();
async function openSession(who: Browser, server: string, login = 'root'): Promise<string> {
  const { services } = rig;
  const { cookie, bearer } = who;
  const authenticated = await services.identity.sessions.authenticate({ cookie, bearer, remoteAddr: '10.0.0.1:1' });
  const target = await services.servers.target(authenticated, server);
  return (await services.sessions.open({ who: authenticated, target, login, size: { cols: 80, rows: 24 } })).sid;
}
const why = async (who: Browser, target: string, principal: string) =>
  (
    await who.call(
      'GET',
      `/v1/webapi/sites/${CLUSTER}/rights/explain?action=ssh&target=${target}&principal=${principal}`,
    )
  ).json as Explanation;
const over = (sid: string) => expect.poll(() => rig.services.sessions.ended(sid)?.text ?? null);
async function approved(who: Browser, body: object): Promise<AccessRequest> {
  const { id } = made(await ask(who, body));
  return made(await review(rae, id, { state: 'APPROVED' }));
}

// Rule 7.3: access requests
test('a request waits, is approved by who may, is assumed by renewal, and dropped by switchback', async () => {
  const kim = await someone();
  const prod = await rig.addServer(`prod-${kim.user}`, { env: 'prod' });
  expect(await servers(kim)).not.toContain(`prod-${kim.user}`);
  const request = made(await ask(kim, { roles: ['dba'], reason: 'incident 4711', maxDuration: '2h' }));
  expect(request).toMatchObject({ state: 'PENDING', user: kim.user, roles: ['dba'], resources: [], isOwn: true });
  expect(said(await renew(kim, { requestId: request.id }))).toEqual([400, expect.stringContaining('pending')]);
  expect(said(await review(kim, request.id, { state: 'APPROVED' }))).toEqual([403, expect.stringContaining('own')]);
  const after = made(await review(rae, request.id, { state: 'APPROVED', reason: 'go' }));
  expect(after).toMatchObject({ state: 'APPROVED', resolveReason: 'go', isOwn: false, mayReview: false });
  // Approved is not used yet.
  expect(await servers(kim)).not.toContain(`prod-${kim.user}`);
  const armed = await assumed(kim, { requestId: request.id });
  expect(await servers(armed)).toContain(`prod-${kim.user}`);
  expect(await context(armed)).toMatchObject({
    accessRequestId: request.id,
    assumed: [{ id: request.id, roles: ['dba'], things: 0, ends: after.expires }],
    roles: ['asker', 'dba'],
  });
  const sid = await openSession(armed, prod);
  const bare = await assumed(armed, { switchback: true });
  expect(await servers(bare)).not.toContain(`prod-${kim.user}`);
  expect((await context(bare)).accessRequestId).toBeUndefined();
  expect(rig.services.sessions.get(sid)).not.toBeNull();
});

test('what a request gave ends on time, in live sessions too', async () => {
  const kim = await someone();
  const prod = await rig.addServer(`prod-${kim.user}`, { env: 'prod' });
  const { id } = await approved(kim, { roles: ['dba'], maxDuration: '1h' });
  const armed = await assumed(kim, { requestId: id });
  const sid = await openSession(armed, prod);
  rig.later(HOUR_MS - 60_000);
  rae = await rig.signIn('rae');
  const still = await rig.signIn(kim.user);
  const again = await assumed(still, { requestId: id });
  expect(await servers(again)).toContain(`prod-${kim.user}`);
  rig.later(60_000);
  expect(await servers(again)).not.toContain(`prod-${kim.user}`);
  expect(said(await renew(again, { requestId: id }))).toEqual([400, expect.stringContaining('ended at')]);
  await over(sid).toContain(`${kim.user} may no longer log in to prod-${kim.user} as root`);
});

test('whoever must ask opens nothing of their own before a request is approved and in use, and nothing goes on once it is dropped', async () => {
  await role('must', '{allow: {logins: [root], node_labels: {env: web}}, options: {request_access: always}}');
  const kim = await someone(['asker', 'must']);
  const web = await rig.addServer(`must-${kim.user}`, { env: 'web' });
  await expect(openSession(kim, web)).rejects.toThrow('Your roles ask for an access request that is approved');
  const { id } = await approved(kim, { roles: ['web'], reason: 'work' });
  await expect(openSession(kim, web)).rejects.toThrow('Your roles ask for an access request that is approved');
  expect((await why(kim, web, 'root')).allowed).toBe(false);
  const armed = await assumed(kim, { requestId: id });
  expect((await why(armed, web, 'root')).allowed).toBe(true);
  // What the request gives is named too.
  expect((await why(armed, web, 'web')).reasons).toContainEqual(
    expect.objectContaining({ kind: 'allows', role: 'web' }),
  );
  const sid = await openSession(armed, web);
  expect((await armed.call('DELETE', `${REQUESTS}/${id}`)).status).toBe(200);
  await over(sid).toContain('Your roles ask for an access request that is approved');
});

test('a request that is taken back, and one that is locked, give nothing from that moment on', async () => {
  const kim = await someone();
  const prod = await rig.addServer(`prod-${kim.user}`, { env: 'prod' });
  for (const end of [
    (id: string) => kim.call('DELETE', `${REQUESTS}/${id}`),
    async (id: string) => {
      const { newLock } = await import('./services/locks/stored.ts');
      await rig.store.resources.create(
        newLock(randomUUID(), { targets: { access_request: id }, message: '', ttl: '' }, 'x', null),
      );
      rig.changes.emit({ kind: 'lockChanged', lock: 'x' });
    },
  ]) {
    const { id } = await approved(kim, { roles: ['dba'] });
    const armed = await assumed(await rig.signIn(kim.user), { requestId: id });
    const sid = await openSession(armed, prod);
    await end(id);
    expect(await servers(armed)).not.toContain(`prod-${kim.user}`);
    await over(sid).toContain('may no longer log in');
  }
});

test('of two things with one name a reviewer approves the one that they name, and not the other', async () => {
  await role('twins', '{allow: {db_labels: {of: twins}, db_users: [reader], app_labels: {of: twins}}}');
  await role('asks-twins', '{allow: {request: {search_as_roles: [twins]}}}');
  await role('sees-twins', '{allow: {review_requests: {roles: [twins]}}}');
  await rig.addUser('tom', ['sees-twins']);
  const tom = await rig.signIn('tom');
  const name = `twin-${randomUUID().slice(0, 8)}`;
  const twin = { name, title: name, description: '', labels: { of: 'twins' }, words: [], expires: null };
  await rig.store.resources.create({ ...twin, kind: 'db', address: '127.0.0.1:1', subtype: '', spec: {} });
  await rig.store.resources.create({ ...twin, kind: 'app', address: 'http://127.0.0.1:1', subtype: '', spec: {} });
  const kim = await someone(['asks-twins']);
  const [db, app] = [
    { kind: 'db', name },
    { kind: 'app', name },
  ];
  const { id, resources } = made(await ask(kim, { resourceIds: [db, app] }));
  expect(resources).toHaveLength(2);
  const after = made(await review(tom, id, { state: 'APPROVED', resourceIds: [app] }));
  expect(after).toMatchObject({ state: 'APPROVED', reviews: [{ resources: [name] }] });
  expect(after.resources.map(one => one.id.kind)).toEqual(['app']);
  // What was not asked for is approved by nobody, whatever else is called so.
  const alone = made(await ask(kim, { resourceIds: [db] }));
  expect(said(await review(tom, alone.id, { state: 'APPROVED', resourceIds: [app] }))).toEqual([
    400,
    expect.stringContaining('was not asked for'),
  ]);
});

// Rule 6: list calls accept search-as-roles
test('single things are asked for through roles that may be searched as, and nothing beside them is given', async () => {
  const kim = await someone();
  const [first, second] = [`one-${kim.user}`, `two-${kim.user}`];
  const id = await rig.addServer(first, { env: 'prod' });
  const beside = await rig.addServer(second, { env: 'prod' });
  const elsewhere = await rig.addServer(`three-${kim.user}`, { env: 'web' });
  expect(await servers(kim, `?search=${kim.user}`)).toEqual([]);
  expect(await servers(kim, `?search=${kim.user}&searchAsRoles=yes`)).toEqual([first, second]);
  const node = (name: string) => ({ kind: 'node', name });
  expect(said(await ask(kim, { resourceIds: [node(elsewhere)] }))).toEqual([404, expect.stringContaining('leads to')]);
  expect(said(await ask(kim, { resourceIds: [node(id)], loginHint: 'ann' }))[0]).toBe(404);
  const request = await approved(kim, { resourceIds: [node(id)], loginHint: 'root' });
  expect(request).toMatchObject({
    roles: ['dba'],
    resources: [
      { id: { kind: 'node', name: id, clusterName: CLUSTER }, details: { hostname: first, friendlyName: first } },
    ],
  });
  const armed = await assumed(kim, { requestId: request.id });
  expect(await servers(armed, `?search=${kim.user}`)).toEqual([first]);
  expect((await context(armed)).userAcl).toMatchObject({ users: { list: false } });
  await openSession(armed, id);
  await expect(openSession(armed, beside)).rejects.toThrow();
});

test('a reviewer reads by name what a request would give, and nothing that its person has already', async () => {
  const kim = await someone(['asker', 'web']);
  await rig.addServer(`web-${kim.user}`, { env: 'web' });
  await rig.addServer(`prod-${kim.user}`, { env: 'prod' });
  const { id } = made(await ask(kim, { roles: ['dba'] }));
  const { grants } = (await rae.call('GET', `${REQUESTS}/${id}`)).json as { grants: RequestGrants };
  expect(grants.things).toContainEqual({
    kind: 'node',
    id: expect.any(String),
    title: `prod-${kim.user}`,
    principals: ['root'],
  });
  expect(grants.things.map(({ title }) => title)).not.toContain(`web-${kim.user}`);
  expect(grants.rights).toEqual(['users: list']);
});

test('what roles say of a request is on it: conditions are about it, reviewers see it, the log has it, and deny takes it away', async () => {
  await role(
    'annotated',
    '{allow: {request: {roles: [dba], annotations: {service: [shop, bank, secret], team: ["{{external.team}}"], none: ["{{external.none}}"]}}}}',
  );
  await role('silent', '{allow: {}, deny: {request: {annotations: {service: [secret]}}}}');
  // Of another role than those that let it be asked for.
  await role('beside', '{allow: {request: {roles: [web], annotations: {service: [web]}}}}');
  await role(
    'bank-only',
    `{allow: {review_requests: {roles: [dba], where: 'contains(request.system_annotations["service"], "bank")'}}}`,
  );
  await role(
    'never-bank',
    `{allow: {review_requests: {roles: [dba]}}, deny: {review_requests: {roles: [dba], where: 'contains(request.system_annotations["service"], "bank")'}}}`,
  );
  const [bank, never] = [await someone(['bank-only']), await someone(['never-bank'])];
  const kim = await someone(['annotated', 'silent', 'beside']);
  const user = await rig.store.users.get(kim.user);
  if (user === null) throw new Error('nobody');
  // Nothing of what nobody sees gets there.
  await rig.store.users.update({ ...user, traits: { team: ['ops', 'two\nlines'] } });
  const request = made(await ask(kim, { roles: ['dba'] }));
  const annotations = { service: ['shop', 'bank'], team: ['ops'] };
  expect(request.annotations).toEqual(annotations);
  expect((await rae.call('GET', `${REQUESTS}/${request.id}`)).json).toMatchObject({ annotations, mayReview: true });
  expect((await never.call('GET', `${REQUESTS}/${request.id}`)).status).toBe(404);
  expect(made(await review(bank, request.id, { state: 'APPROVED' })).state).toBe('APPROVED');
  const plain = made(await ask(await someone(), { roles: ['dba'] }));
  expect(plain.annotations).toEqual({});
  expect((await bank.call('GET', `${REQUESTS}/${plain.id}`)).status).toBe(404);
  expect((await never.call('GET', `${REQUESTS}/${plain.id}`)).json).toMatchObject({ mayReview: true });
  const created = await rig.store.events.search({
    ...{
      from: new Date(0),
      to: new Date(Date.now() + 365 * 24 * HOUR_MS),
      limit: 50,
      types: ['access_request.create'],
    },
    descending: true,
  });
  expect(created.events.map(({ raw }) => raw)).toContainEqual(expect.objectContaining({ id: request.id, annotations }));
});

test('a threshold may be about what roles say of a request', async () => {
  const filter = `contains(request.system_annotations["weight"], "light")`;
  for (const [name, weight] of [
    ['light', 'light'],
    ['heavy', 'heavy'],
  ] as const) {
    await role(
      name,
      `{allow: {request: {roles: [dba], annotations: {weight: [${weight}]}, thresholds: [{approve: 2, deny: 1}, {filter: '${filter}', approve: 1, deny: 1}]}}}`,
    );
    const { id } = made(await ask(await someone([name]), { roles: ['dba'] }));
    const { state } = made(await review(rae, id, { state: 'APPROVED' }));
    expect([name, state]).toEqual([name, name === 'light' ? 'APPROVED' : 'PENDING']);
  }
});

test('more than a request may carry is refused, and a role that cannot be worked out is not written', async () => {
  const kim = await someone(['annotated']);
  const user = await rig.store.users.get(kim.user);
  if (user === null) throw new Error('nobody');
  await rig.store.users.update({ ...user, traits: { team: Array.from({ length: 101 }, (_, at) => `team-${at}`) } });
  expect(said(await ask(kim, { roles: ['dba'] }))).toEqual([400, expect.stringContaining('more of this request')]);
  expect(() => role('broken', '{allow: {request: {annotations: {a: ["{{nothing(}}"]}}}}')).toThrow(
    'spec.allow.request.annotations.a[0]',
  );
});

test('a reviewer sees what is asked for as the roles that they may preview as show it, and only while it is theirs to review', async () => {
  await role('previewer', '{allow: {review_requests: {roles: [dba, web], preview_as_roles: [dba, web]}}}');
  await role('no-web', '{deny: {review_requests: {preview_as_roles: [web]}}}');
  const kim = await someone();
  const title = `prod-${kim.user}`;
  await rig.addServer(title, { env: 'prod', rack: '7' });
  await rig.addServer(`web-${kim.user}`, { env: 'web' });
  const { id } = made(await ask(kim, { roles: ['dba', 'web'] }));
  const details = async (who: Browser) => {
    const { grants } = (await who.call('GET', `${REQUESTS}/${id}`)).json as { grants: RequestGrants };
    const named = (name: string) => grants.things.find(one => one.title === name);
    expect([named(title), named(`web-${kim.user}`)]).toMatchObject([{ kind: 'node' }, { kind: 'node' }]);
    return [named(title)?.details, named(`web-${kim.user}`)?.details?.address];
  };
  const shown = {
    address: `${title}:22`,
    description: '',
    labels: expect.arrayContaining([{ name: 'rack', value: '7' }]),
  };
  expect(await details(await someone(['previewer']))).toEqual([shown, `web-${kim.user}:22`]);
  expect(await details(await someone(['previewer', 'no-web']))).toEqual([shown, undefined]);
  // Whoever asks, and a reviewer without such roles, see names alone; one's own roles count as everywhere.
  expect(await details(kim)).toEqual([undefined, undefined]);
  expect(await details(rae)).toEqual([undefined, undefined]);
  expect(await details(await someone(['reviewer', 'web']))).toEqual([undefined, `web-${kim.user}:22`]);
  // Nothing else is shown by it.
  expect(await servers(await someone(['previewer']), `?search=${kim.user}`)).toEqual([]);
});

test('part of a request can be approved, and nothing more than that is given', async () => {
  const kim = await someone();
  const { id } = made(await ask(kim, { roles: ['dba', 'web'] }));
  expect(said(await review(rae, id, { state: 'APPROVED', roles: ['editor'] }))).toEqual([
    400,
    expect.stringContaining('not asked for'),
  ]);
  expect(said(await review(rae, id, { state: 'APPROVED', roles: [] }))[0]).toBe(400);
  const after = made(await review(rae, id, { state: 'APPROVED', roles: ['web'] }));
  expect(after.roles).toEqual(['web']);
  expect((await context(await assumed(kim, { requestId: id }))).roles).toEqual(['asker', 'web']);
});

test('thresholds and their filters decide, each reviewer counts once, and what they do not agree on is not given', async () => {
  await role(
    'strict-asker',
    `{allow: {request: {roles: [dba, web], thresholds: [{name: leads, filter: 'contains(reviewer.roles, "lead")', approve: 2, deny: 1}]}}}`,
  );
  await role('lead', '{allow: {review_requests: {roles: [dba, web]}}}');
  const kim = await someone(['strict-asker']);
  const [one, two] = [await someone(['lead']), await someone(['lead'])];
  const { id, thresholdNames } = made(await ask(kim, { roles: ['dba', 'web'] }));
  expect(thresholdNames).toEqual(['leads']);
  // Of no threshold's filter: heard, and not counted.
  expect(made(await review(rae, id, { state: 'APPROVED' })).state).toBe('PENDING');
  expect(made(await review(one, id, { state: 'APPROVED', roles: ['web'] })).state).toBe('PENDING');
  expect(said(await review(one, id, { state: 'APPROVED' }))).toEqual([400, expect.stringContaining('already')]);
  expect(said(await review(two, id, { state: 'APPROVED', roles: ['dba'] }))).toEqual([
    400,
    expect.stringContaining('nothing would be left'),
  ]);
  expect(made(await review(two, id, { state: 'APPROVED' }))).toMatchObject({ state: 'APPROVED', roles: ['web'] });
  const denied = made(await ask(kim, { roles: ['dba'] }));
  expect(made(await review(one, denied.id, { state: 'DENIED', reason: 'no' }))).toMatchObject({
    state: 'DENIED',
    resolveReason: 'no',
  });
  expect(said(await review(two, denied.id, { state: 'APPROVED' }))).toEqual([400, expect.stringContaining('denied')]);
});

test('nobody asks for what their roles do not name, for longer than they say, or without the reason that they demand', async () => {
  const kim = await someone();
  expect(said(await ask(kim, { roles: ['editor'] }))[0]).toBe(403);
  expect(said(await ask(kim, { roles: ['no-such-role'] }))[0]).toBe(403);
  expect(said(await ask(kim, {}))[0]).toBe(400);
  expect(said(await ask(kim, { roles: ['dba'], maxDuration: '5h' }))).toEqual([
    400,
    'at most 240 minutes may be asked for',
  ]);
  expect(said(await ask(await someone(['access']), { roles: ['dba'] }))[0]).toBe(403);
  await role(
    'reasoner',
    '{options: {request_access: reason, request_prompt: Ticket?}, allow: {request: {roles: [dba]}}}',
  );
  const lee = await someone(['reasoner']);
  expect(said(await ask(lee, { roles: ['dba'], reason: ' ' }))).toEqual([400, 'Ticket?']);
  expect(made(await ask(lee, { roles: ['dba'], reason: 'T-1', dryRun: true })).state).toBe('PENDING');
  expect(((await lee.call('GET', REQUESTS)).json as { items: unknown[] }).items).toEqual([]);
});

test('a request is seen by whoever made it and whoever may review or list it, and by nobody else', async () => {
  const kim = await someone();
  const { id } = made(await ask(kim, { roles: ['dba'] }));
  const seen = async (who: Browser) => [
    ((await who.call('GET', REQUESTS)).json as { items: AccessRequest[] }).items.some(one => one.id === id),
    (await who.call('GET', `${REQUESTS}/${id}`)).status,
  ];
  await role('lister', '{allow: {rules: [{resources: [access_request], verbs: [list]}]}}');
  expect([await seen(kim), await seen(rae), await seen(await someone(['lister']))]).toEqual(Array(3).fill([true, 200]));
  const other = await someone();
  expect(await seen(other)).toEqual([false, 404]);
  expect([
    (await review(other, id, { state: 'APPROVED' })).status,
    (await other.call('DELETE', `${REQUESTS}/${id}`)).status,
  ]).toEqual([404, 404]);
  expect(said(await renew(other, { requestId: id }))[0]).toBe(404);
  expect((await rae.call('DELETE', `${REQUESTS}/${id}`)).status).toBe(403);
});

test('what was given for a while lets nobody ask for more or review what others ask for', async () => {
  await role('ladder', '{allow: {request: {roles: [access]}, review_requests: {roles: [dba]}}}');
  await role('climber', '{allow: {request: {roles: [ladder]}}}');
  await role('ladder-reviewer', '{allow: {review_requests: {roles: [ladder]}}}');
  const kim = await someone(['climber']);
  const lead = await someone(['ladder-reviewer']);
  const { id } = made(await ask(kim, { roles: ['ladder'] }));
  made(await review(lead, id, { state: 'APPROVED' }));
  const armed = await assumed(kim, { requestId: id });
  expect((await context(armed)).roles).toContain('ladder');
  expect(said(await ask(armed, { roles: ['access'] }))[0]).toBe(403);
  const other = made(await ask(await someone(), { roles: ['dba'] }));
  expect((await review(armed, other.id, { state: 'APPROVED' })).status).toBe(404);
});

test('the audit log has who asked, who reviewed, what became of it, and who took it back', async () => {
  const kim = await someone();
  const { id } = await approved(kim, { roles: ['dba'], reason: 'why' });
  await kim.call('DELETE', `${REQUESTS}/${id}`);
  const { events } = (
    await rae.call(
      'GET',
      `/v1/webapi/sites/${CLUSTER}/events/search?from=2000-01-01T00:00:00Z&to=2900-01-01T00:00:00Z&order=asc&include=access_request.create,access_request.update,access_request.review,access_request.delete`,
    )
  ).json as { events: Record<string, unknown>[] };
  expect(events.filter(event => event.id === id)).toMatchObject([
    { code: 'T5000I', user: kim.user, roles: ['dba'], state: 'PENDING', reason: 'why' },
    { code: 'T5002I', reviewer: 'rae', proposed_state: 'APPROVED' },
    { code: 'T5001I', state: 'APPROVED' },
    { code: 'T5003I', id },
  ]);
});
