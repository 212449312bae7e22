// Every call of the contract against everyone who may not make it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Call } from '../contract/call.ts';
import { calls } from '../contract/calls.ts';
import { type Browser, CLUSTER, call, openRig, type Rig } from './app-rig.ts';
import { presetRoles } from './services/rights/presets.ts';
import { roleResource } from './services/rights/source.ts';

let rig: Rig;
let ann: Browser;
let bob: Browser;
beforeAll(async () => {
  rig = await openRig();
  await rig.store.resources.create(
    roleResource(
      'kind: role\nversion: v7\nmetadata:\n  name: nothing\nspec:\n  deny:\n    rules:\n      - resources: ["*"]\n        verbs: ["*"]\n',
    ),
  );
  await rig.addUser('ann', ['access', 'editor', 'auditor'], ['root']);
  await rig.addUser('bob', ['nothing']);
  ann = await rig.signIn('ann');
  bob = await rig.signIn('bob');
});
afterAll(() => rig.dispose());

/** A path with something well-formed in every place. */
const urlOf = ({ path }: Call): string =>
  path.replace(/:([A-Za-z]+)/g, (_whole, name: string) =>
    name === 'clusterId' ? CLUSTER : name === 'sid' ? randomUUID() : name === 'index' ? '0' : 'something',
  );
const bodyOf = (one: Call): unknown => (one.parts.body ? {} : undefined);
const closed = Object.entries(calls).filter(([, { parts }]) => parts.access !== 'public');
const needRight = closed.filter(([, { parts }]) => typeof parts.access === 'object');

test('the contract has calls that need a right, and calls that do not', () => {
  expect([closed.length > 30, needRight.length > 20]).toEqual([true, true]);
});

test.each(closed)('%s is refused without a live pair of cookie and bearer', async (_name, one) => {
  const made = (credentials: { cookie?: string; bearer?: string }) =>
    call(rig.app, { method: one.method, url: urlOf(one), body: bodyOf(one), ...credentials });
  const answers = [
    await made({}),
    await made({ cookie: ann.cookie }),
    await made({ bearer: ann.bearer }),
    await made({ cookie: ann.cookie, bearer: bob.bearer }),
    await made({ cookie: bob.cookie, bearer: ann.bearer }),
    await made({ cookie: 'not hex', bearer: ann.bearer }),
    await made({ cookie: ann.cookie, bearer: 'x'.repeat(43) }),
  ];
  for (const { status, json } of answers) {
    expect(status).toBe(403);
    expect(json).toMatchObject({ error: { code: 'signed_out' } });
  }
});

test.each(needRight)('%s is refused without the right', async (_name, one) => {
  const { status, json } = await bob.call(one.method, urlOf(one), bodyOf(one));
  expect([status, json]).toMatchObject([403, { error: { code: 'denied' } }]);
});

test.each(closed)('%s is never refused for the sign-in when it is a live one', async (_name, one) => {
  if (one.path.endsWith('/sessions/web') || one.path.endsWith('/users/password')) return;
  const { status, body } = await ann.call(one.method, urlOf(one), bodyOf(one));
  expect(status === 403 ? body : 'let in').toBe('let in');
});

test('a session is refused everywhere after sign-out, after its time, and when its user is gone', async () => {
  const probe = (who: Browser) => who.call('GET', '/v1/webapi/user/status');
  const leaving = await rig.signIn('ann');
  expect((await probe(leaving)).status).toBe(200);
  const out = await leaving.call('DELETE', '/v1/webapi/sessions/web');
  expect(out.headers['set-cookie']).toContain('Max-Age=0');
  expect((await probe(leaving)).status).toBe(403);

  await rig.addUser('carol', ['access']);
  const carol = await rig.signIn('carol');
  expect((await ann.call('DELETE', '/v1/webapi/users/carol')).status).toBe(200);
  expect((await probe(carol)).status).toBe(403);

  expect((await probe(bob)).status).toBe(200);
  rig.later(600_000);
  expect((await probe(bob)).status).toBe(403);
  ann = await rig.signIn('ann');
  bob = await rig.signIn('bob');
});

test('whoever slept through the end of their bearer token can still sign out, and do nothing else', async () => {
  const [asleep, other] = [await rig.signIn('ann'), await rig.signIn('ann')];
  rig.later(600_000);
  const page = () => call(rig.app, { method: 'GET', url: '/web', cookie: asleep.cookie });
  const out = (bearer: string) =>
    call(rig.app, { method: 'DELETE', url: '/v1/webapi/sessions/web', cookie: asleep.cookie, bearer });
  expect((await asleep.call('GET', '/v1/webapi/user/status')).status).toBe(403);
  expect([(await out(other.bearer)).status, (await out('')).status]).toEqual([403, 403]);
  expect((await out(asleep.bearer)).status).toBe(200);
  expect((await page()).body).not.toContain('postern_bearer_token');
  ann = await rig.signIn('ann');
  bob = await rig.signIn('bob');
});

test('a right that is taken away is gone at the next call', async () => {
  await rig.addUser('dan', ['access', 'auditor']);
  const dan = await rig.signIn('dan');
  const search = () => dan.call('GET', `/v1/webapi/sites/${CLUSTER}/events/search`);
  expect((await search()).status).toBe(200);
  await ann.call('PUT', '/v1/webapi/users', { name: 'dan', roles: ['nothing'] });
  expect((await search()).status).toBe(403);
});

test('another cluster is not found', async () => {
  const { status, json } = await ann.call('GET', '/v1/webapi/sites/elsewhere/nodes');
  expect([status, json]).toMatchObject([404, { error: { code: 'not_found' } }]);
});

test('recordings of others are refused, by every call that names one', async () => {
  const sid = randomUUID();
  await rig.services.audit.emit({
    code: 'T2004I',
    sid,
    user: 'ann',
    participants: ['ann'],
    session_start: '2026-01-01T00:00:00Z',
    session_stop: '2026-01-01T00:01:00Z',
  });
  await rig.addUser('erin', ['access']);
  const erin = await rig.signIn('erin');
  for (const rest of ['events', 'stream']) {
    expect((await erin.call('GET', `/v1/webapi/sites/${CLUSTER}/sessions/${sid}/${rest}`)).status).toBe(403);
  }
  for (const rest of ['', '/segments/0', '/asciicast']) {
    expect((await erin.call('GET', `/v1/webapi/sites/${CLUSTER}/recordings/${sid}${rest}`)).status).toBe(403);
  }
  const list = async (who: Browser) =>
    (
      (await who.call('GET', `/v1/webapi/sites/${CLUSTER}/events/search/sessions`)).json as {
        events: { sid: string }[];
      }
    ).events.map(event => event.sid);
  expect(await list(erin)).toEqual([]);
  expect(await list(ann)).toContain(sid);
});

test('preset roles are listed for everyone, and are those that can be read', () => {
  expect(presetRoles.map(({ name }) => name).sort()).toEqual(['access', 'auditor', 'editor']);
});
