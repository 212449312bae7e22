// Every call of the contract against everyone who may not make it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Call } from '../contract/call.ts';
import { calls } from '../contract/calls.ts';
import type { OwnSession } from '../contract/own-sessions.ts';
import { signOut } from '../contract/session.ts';
import { type Actor, expected, type Got, queries } from './access-table.testing.ts';
import { type Answer, type Browser, CLUSTER, call, openRig, PASSWORD, type Rig } from './app.testing.ts';
import { presetRoles } from './services/rights/presets.ts';
import { roleResource } from './services/rights/source.ts';

let rig: Rig;
let ann: Browser;
let bob: Browser;
beforeAll(async () => {
  rig = await openRig({ factors: { secondFactor: 'optional' } });
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

/** The session that olga owned and that was recorded: `:sid` of every path. */
const sid = randomUUID();
/** A path with something well-formed in every place. */
const samples: Readonly<Record<string, string>> = { index: '0', action: 'ssh', kind: 'app', memberKind: 'user' };
const urlOf = (name: string, { path }: Call, clusterId = CLUSTER): string =>
  path.replace(/:([A-Za-z]+)/g, (_whole, parameter: string) =>
    parameter === 'clusterId' ? clusterId : parameter === 'sid' ? sid : (samples[parameter] ?? 'something'),
  ) + (queries[name] ?? '');
/** A body that no schema takes: whoever gets as far as that is in, and nothing is changed. */
const bodyOf = (one: Call): unknown => (one.parts.body ? [] : undefined);

/** What an answer says about whoever asked. */
function read({ status, json }: Answer): Got {
  const { code } = (json as { error?: { code?: string } } | null)?.error ?? {};
  if (status === 403) return code === 'signed_out' ? 'signed out' : 'refused';
  return status < 500 || status === 501 ? 'in' : 'broken';
}

const people = {
  access: ['access'],
  editor: ['editor'],
  auditor: ['auditor'],
  nobody: ['nothing'],
  owner: ['access'],
  other: ['access'],
};
const actors = {} as Record<Actor, Browser>;
let expired: Browser;
let half: string;
beforeAll(async () => {
  await rig.addUser('sleeper', ['access', 'editor', 'auditor']);
  expired = await rig.signIn('sleeper');
  rig.later(13 * 3_600_000);
  [ann, bob] = [await rig.signIn('ann'), await rig.signIn('bob')];
  for (const [actor, roles] of Object.entries(people)) {
    await rig.addUser(`the-${actor}`, roles, ['root']);
    actors[actor as Actor] = await rig.signIn(`the-${actor}`);
  }
  const { audit, identity } = rig.services;
  const [owner] = await rig.store.users.named(['the-owner']);
  await audit.emit({
    code: 'T2004I',
    sid,
    user: 'the-owner',
    participants: ['the-owner'],
    participant_ids: [owner?.id],
    session_start: '2026-01-01T00:00:00Z',
    session_stop: '2026-01-01T00:01:00Z',
  });
  // Whoever has given their password and owes the second step: all they hold is a challenge.
  await rig.addUser('halfway', ['access', 'editor', 'auditor']);
  const [halfway] = await rig.store.users.named(['halfway']);
  await rig.store.mfaDevices.create({
    id: 'd1',
    userId: halfway?.id ?? '',
    name: 'key',
    kind: 'webauthn',
    secret: '',
    credentialId: 'AAAA',
    isPasswordless: false,
    progress: 0,
    added: new Date(),
    lastUsed: new Date(),
  });
  const from = { remoteAddr: '10.0.0.1:1', userAgent: '' };
  const { webauthn_challenge } = await identity.begin({ user: 'halfway', password: PASSWORD }, from);
  half = webauthn_challenge?.publicKey.challenge ?? '';
});

/** Everybody who shows no live pair of cookie and bearer. */
const outsiders: Readonly<Record<string, () => { readonly cookie?: string; readonly bearer?: string }>> = {
  'no token': () => ({}),
  'a cookie only': () => ({ cookie: ann.cookie }),
  'a bearer only': () => ({ bearer: ann.bearer }),
  "another person's bearer": () => ({ cookie: ann.cookie, bearer: bob.bearer }),
  "another person's cookie": () => ({ cookie: bob.cookie, bearer: ann.bearer }),
  'a broken cookie': () => ({ cookie: 'not hex', bearer: ann.bearer }),
  'a bearer that is none': () => ({ cookie: ann.cookie, bearer: 'x'.repeat(43) }),
  'an expired pair': () => expired,
  'the password only': () => ({ cookie: half, bearer: half }),
};
const listed = Object.entries(calls);

test('every call has a row, every row a call, and together they are more than 800 cells', () => {
  expect(Object.keys(expected).sort()).toEqual(listed.map(([name]) => name).sort());
  const perCall = Object.keys(outsiders).length + Object.keys(people).length;
  expect(listed.length * perCall).toBeGreaterThan(800);
  expect(half).not.toBe('');
});

// Rule 6: who may make which call
test.each(listed)('%s lets in whom its row names', async (name, one) => {
  const csrf = { cookie: `__Host-postern_csrf=${'a'.repeat(64)}`, 'x-csrf-token': 'a'.repeat(64) };
  const got: Record<string, Got> = {};
  const make = async (who: { readonly cookie?: string; readonly bearer?: string }, clusterId?: string) => {
    const headers = { ...(who.bearer && { authorization: `Bearer ${who.bearer}` }), ...csrf };
    const cookie = who.cookie ? `${csrf.cookie}; __Host-session=${who.cookie}` : csrf.cookie;
    return call(rig.app, {
      method: one.method,
      url: urlOf(name, one, clusterId),
      body: bodyOf(one),
      headers: { ...headers, cookie },
    });
  };
  const row = expected[name];
  const wanted: Record<string, Got> = {};
  for (const [outsider, held] of Object.entries(outsiders)) {
    const holds = held();
    got[outsider] = read(await make(holds));
    // Half of a live session cannot be signed out.
    const isHalf = one === signOut && [ann.cookie, bob.cookie].includes(holds.cookie ?? '');
    wanted[outsider] = isHalf ? 'signed out' : (row?.outside ?? 'broken');
  }
  for (const actor of Object.keys(people) as Actor[]) {
    got[actor] = read(await make(actors[actor]));
    wanted[actor] = row?.inside.includes(actor) ? 'in' : 'refused';
    if (one === signOut) actors[actor] = await rig.signIn(actors[actor].user);
  }
  expect(got).toEqual(wanted);
  // Before anything else of what was sent is looked at.
  if (one.path.includes(':clusterId')) expect((await make(ann, 'elsewhere')).status).toBe(404);
});

const probe = (who: Browser) => who.call('GET', '/v1/webapi/user/status');

test('a session is refused everywhere after sign-out, after its time, and when its user is gone', async () => {
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

test('people see their own web sessions and where they come from, and end one or all others', async () => {
  await rig.addUser('fay', ['nothing']);
  const [first, second, third] = [await rig.signIn('fay'), await rig.signIn('fay'), await rig.signIn('fay')];
  const list = async (who: Browser) => (await who.call('GET', '/v1/webapi/user/sessions')).json as OwnSession[];
  const end = async (who: Browser, path = '') => (await who.call('DELETE', `/v1/webapi/user/sessions${path}`)).status;
  const seen = await list(first);
  expect(seen.map(({ current }) => current).sort()).toEqual([false, false, true]);
  expect(seen[0]).toMatchObject({ remoteAddr: '127.0.0.1:0', userAgent: expect.stringMatching(/./) });
  const own = (await list(third)).find(({ current }) => current)?.id ?? '';
  // Somebody else's, and one that is not there, are the same.
  expect([await end(ann, `/${own}`), await end(first, '/something')]).toEqual([404, 404]);
  expect(await end(first, `/${own}`)).toBe(200);
  expect([(await probe(third)).status, (await list(second)).length]).toEqual([403, 2]);
  expect(await end(second)).toBe(200);
  expect([(await probe(first)).status, (await probe(second)).status]).toEqual([403, 200]);
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

// Rule 6: a person's rights are those of their roles, asked anew at each call
test('a right that is taken away is gone at the next call', async () => {
  await rig.addUser('dan', ['access', 'auditor']);
  const dan = await rig.signIn('dan');
  const search = () => dan.call('GET', `/v1/webapi/sites/${CLUSTER}/events/search`);
  expect((await search()).status).toBe(200);
  await ann.call('PUT', '/v1/webapi/users', { name: 'dan', roles: ['nothing'] });
  expect((await search()).status).toBe(403);
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
  for (const rest of ['', '/segments/0', '/asciicast', '/file?format=text', '/file?format=html']) {
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
