import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Failure } from '../../../contract/failure.ts';
import type { AuditEntry } from '../../ports/audit.ts';
import type { Rights } from '../../ports/rights.ts';
import type { Actor, Who } from '../../ports/who.ts';
import { openStore } from '../../store/open.ts';
import { resourceNamed } from '../../store/store.testing.ts';
import type { Store, UserRecord } from '../../store/store.ts';
import { createIdentity, type Identity } from './identity.ts';
import { createPasswordHasher } from './password-hasher.ts';
import { createSecretBox } from './secret-box.ts';
import { readSessionCookie } from './session-cookie.ts';

const MINUTE = 60_000;
const PASSWORD = 'correct horse battery';
const from = { remoteAddr: '192.0.2.7:4000', userAgent: 'test' };

let folder: string;
let store: Store;
let now = Date.parse('2026-03-01T08:00:00Z');
let heard: AuditEntry[] = [];
const by: Actor = { user: 'test', rights: null };
let identity: Identity;
let count = 0;
/** What passwords cost to guess is not what is tested here. */
const hasher = createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });
const TOLD_EVERY_MS = 20;
/** What checking a password takes longer, ms. */
let checkMs = 0;

/** Rights by role name: an administrator's, or nobody's. */
const rightsOf = async (user: UserRecord): Promise<Rights> =>
  ({
    may: (resource: string) => user.roles.includes('editor') && (resource === 'user' || resource === 'role'),
    options: { maxSessionTtlMs: user.roles.includes('short') ? 5 * MINUTE : 30 * 60 * MINUTE, keyPolicy: 'none' },
  }) as unknown as Rights;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'postern-identity-'));
  store = await openStore({ kind: 'sqlite', folder });
  for (const name of ['editor', 'access', 'auditor', 'short']) {
    await store.resources.create(resourceNamed('role', name));
  }
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  heard = [];
  identity = createIdentity({
    store,
    secretBox: createSecretBox(Buffer.alloc(32), store.settings),
    audit: { emit: async entry => void heard.push(entry) },
    changes: { emit: () => undefined, subscribe: () => () => undefined },
    rightsOf,
    assumed: async user => ({
      roles: user.roles,
      traits: user.traits,
      rights: await rightsOf(user as UserRecord),
      grants: [],
    }),
    barring: async () => null,
    findDevice: async () => null,
    sessionTtlMs: 12 * 60 * MINUTE,
    inactiveTimeoutMs: 0,
    keyPolicy: 'none',
    passwordLeastCharacters: 12,
    factorSettings: {
      secondFactor: 'off',
      allowPasswordless: false,
      recoveryCodes: false,
      publicUrl: 'http://localhost',
    },
    clusterName: 'here',
    osUser: 'gate',
    clock: () => new Date(now),
    hasher: { ...hasher, verify: (stored, password) => wait(checkMs).then(() => hasher.verify(stored, password)) },
    toldEveryMs: TOLD_EVERY_MS,
  });
  checkMs = 0;
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const codes = (): string[] => heard.map(({ code }) => code);

/** A user with a password, of a name nobody else has. */
async function newUser(roles: readonly string[] = ['access']): Promise<string> {
  count += 1;
  const name = `user-${count}`;
  await identity.accounts.create({ name, roles: [...roles] }, by);
  const [{ id } = { id: '' }] = await store.users.named([name]);
  await store.passwords.set(id, await hasher.hash(PASSWORD));
  return name;
}
const enter = (user: string, password = PASSWORD) => identity.signIn({ user, password }, from);
const refusal = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    thrown => thrown,
  );
  expect(error).toBeInstanceOf(Failure);
  return `${(error as Failure).code}: ${(error as Failure).message}`;
};
const authenticate = (cookie: string, bearer: string): Promise<Who> =>
  identity.sessions.authenticate({ cookie, bearer, remoteAddr: from.remoteAddr });

test.each([
  ['soon clear: at the first', 0, TOLD_EVERY_MS],
  ['clear after that: at the next', TOLD_EVERY_MS + 1, 2 * TOLD_EVERY_MS],
])('refusals come at moments that are the same for all; %s', async (_when, takesMs, momentMs) => {
  for (const name of [await newUser(), 'nobody-there']) {
    checkMs = takesMs;
    let isOver = false;
    const moment = wait(momentMs).then(() => {
      isOver = true;
    });
    await refusal(enter(name, 'not the password'));
    expect(isOver).toBe(true);
    await moment;
  }
});

test('unknown users hear what known ones hear: a refusal, and after five for how long the name is locked', async () => {
  const user = await newUser();
  const heardBy = async (name: string): Promise<string[]> => {
    const said: string[] = [];
    for (let tries = 0; tries < 5; tries += 1) said.push(await refusal(enter(name, 'wrong')));
    now += 29 * MINUTE;
    said.push(await refusal(enter(name)));
    now -= 29 * MINUTE;
    return said;
  };
  const refused = 'denied: invalid credentials';
  const locked = (time: string) => `denied: this name is locked after 5 failed attempts; try again in ${time}`;
  const wanted = [refused, refused, refused, refused, locked('30 minutes'), locked('1 minute')];
  expect(await heardBy(user)).toEqual(wanted);
  expect(await heardBy('nobody-at-all')).toEqual(wanted);
});

test('a name is found however it is spelled, and all spellings count for one lock', async () => {
  const user = await newUser();
  await enter(user.toUpperCase());
  for (let tries = 0; tries < 5; tries += 1) await refusal(enter(tries % 2 ? user : user.toUpperCase(), 'wrong'));
  expect(await refusal(enter(user))).toContain('locked');
});

test('a user of a name that could be mistaken is refused, with the reason', async () => {
  const create = (name: string) => identity.accounts.create({ name, roles: ['access'] }, by);
  expect(await refusal(create('system:root'))).toContain("the gateway's own");
  expect(await refusal(create('аlice'))).toContain('one script');
});

test.each([
  [4, true],
  [5, false],
  [6, false],
])('after %i failures the right password is accepted: %s', async (failures, accepted) => {
  const user = await newUser();
  for (let tries = 0; tries < failures; tries += 1) await refusal(enter(user, 'wrong'));
  const result = await enter(user).then(
    () => true,
    () => false,
  );
  expect(result).toBe(accepted);
});

test('a locked name opens again after half an hour, not a second sooner, and until then the list of users says until when', async () => {
  const user = await newUser();
  for (let tries = 0; tries < 5; tries += 1) await refusal(enter(user, 'wrong'));
  const listed = async () => (await identity.accounts.list(by)).find(({ name }) => name === user)?.lockedUntil;
  const until = new Date(now + 30 * MINUTE).toISOString();
  expect([await listed(), (await identity.accounts.get(user, by)).lockedUntil]).toEqual([until, until]);
  now += 30 * MINUTE - 1000;
  expect(await refusal(enter(user))).toBe('denied: this name is locked after 5 failed attempts; try again in 1 minute');
  now += 2000;
  expect(await listed()).toBeUndefined();
  expect((await enter(user)).reply.type).toBe('bearer');
});

test('guesses made in parallel are counted one by one', async () => {
  const user = await newUser();
  const guesses = await Promise.allSettled(
    ['1', '2', '3', '4', '5', '6', '7', PASSWORD].map(guess => enter(user, guess)),
  );
  expect(guesses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 'rejected'));
});

test('a failure and a success are in the audit log, with where they came from', async () => {
  const user = await newUser();
  heard = [];
  await refusal(enter(user, 'wrong'));
  await enter(user);
  expect(heard).toEqual([
    {
      code: 'T1000W',
      user,
      method: 'local',
      success: false,
      error: 'invalid credentials',
      user_agent: 'test',
      'addr.remote': '192.0.2.7:4000',
    },
    { code: 'T1000I', user, method: 'local', success: true, user_agent: 'test', 'addr.remote': '192.0.2.7:4000' },
  ]);
});

test('cookie and bearer count only together, and only from one session', async () => {
  const a = await enter(await newUser());
  const b = await enter(await newUser());
  expect((await authenticate(a.cookie, a.reply.token)).user).toBe(readSessionCookie(a.cookie)?.user);
  expect(await refusal(authenticate(a.cookie, b.reply.token))).toContain('denied');
  expect(await refusal(authenticate(a.cookie, ''))).toContain('denied');
  expect(await refusal(authenticate('', a.reply.token))).toContain('denied');
  expect(await refusal(authenticate(a.cookie.slice(0, -2), a.reply.token))).toContain('denied');
});

test('a cookie that names another user than its session is refused', async () => {
  const a = await enter(await newUser());
  const forged = Buffer.from(
    Buffer.from(a.cookie, 'hex')
      .toString()
      .replace(/"user":"[^"]*"/, '"user":"admin"'),
  ).toString('hex');
  expect(await refusal(authenticate(forged, a.reply.token))).toContain('denied');
});

test('a bearer lives ten minutes', async () => {
  const { cookie, reply } = await enter(await newUser());
  expect(reply.expires_in).toBe(600);
  now += 10 * MINUTE - 1000;
  await authenticate(cookie, reply.token);
  now += 1000;
  expect(await refusal(authenticate(cookie, reply.token))).toContain('denied');
});

test('renewing replaces cookie and bearer, and the old pair lives on for two minutes', async () => {
  const old = await enter(await newUser());
  now += 8 * MINUTE;
  const fresh = await identity.sessions.renew({ cookie: old.cookie, bearer: old.reply.token, remoteAddr: '' });
  expect(fresh.cookie).not.toBe(old.cookie);
  expect(fresh.reply.token).not.toBe(old.reply.token);
  await authenticate(fresh.cookie, fresh.reply.token);
  now += 2 * MINUTE - 1;
  await authenticate(old.cookie, old.reply.token);
  // Another tab: the browser has the new cookie, the tab still the old token.
  await authenticate(fresh.cookie, old.reply.token);
  now += 1;
  expect(await refusal(authenticate(old.cookie, old.reply.token))).toContain('denied');
  expect(await refusal(authenticate(old.cookie, fresh.reply.token))).toContain('denied');
  await authenticate(fresh.cookie, fresh.reply.token);
});

test('two tabs that renew at once, and one whose answer was lost, end up with the same pair', async () => {
  const old = await enter(await newUser());
  now += 8 * MINUTE;
  const given = { cookie: old.cookie, bearer: old.reply.token, remoteAddr: '' };
  const [first, second] = await Promise.all([identity.sessions.renew(given), identity.sessions.renew(given)]);
  const later = await identity.sessions.renew(given);
  expect(second).toEqual(first);
  expect(later).toEqual(first);
});

test('a page load answers the pair that other tabs use, until half of its life is gone', async () => {
  const first = await enter(await newUser());
  now += 4 * MINUTE;
  const same = await identity.sessions.ofPage({ cookie: first.cookie, remoteAddr: '' });
  expect(same?.reply).toEqual({ ...first.reply, expires_in: 360 });
  now += 2 * MINUTE;
  const renewed = await identity.sessions.ofPage({ cookie: first.cookie, remoteAddr: '' });
  expect(renewed?.reply.token).not.toBe(first.reply.token);
  await authenticate(first.cookie, first.reply.token);
  expect(await identity.sessions.ofPage({ cookie: '7b7d', remoteAddr: '' })).toBeNull();
});

test('a web session ends when the shortest rule says, however often it is renewed', async () => {
  let pair = await enter(await newUser(['short']));
  expect(pair.reply.expires_in).toBe(300);
  now += 3 * MINUTE;
  pair = await identity.sessions.renew({ cookie: pair.cookie, bearer: pair.reply.token, remoteAddr: '' });
  expect(pair.reply.expires_in).toBe(120);
  now += 2 * MINUTE;
  expect(await refusal(authenticate(pair.cookie, pair.reply.token))).toContain('denied');
  expect(await identity.sessions.ofPage({ cookie: pair.cookie, remoteAddr: '' })).toBeNull();
});

test('signing out ends the session at once, for the pair before a renewal as well', async () => {
  const old = await enter(await newUser());
  now += MINUTE;
  const fresh = await identity.sessions.renew({ cookie: old.cookie, bearer: old.reply.token, remoteAddr: '' });
  const who = await authenticate(fresh.cookie, fresh.reply.token);
  await identity.sessions.signOut({ cookie: fresh.cookie, bearer: fresh.reply.token, remoteAddr: '' });
  expect(await refusal(authenticate(fresh.cookie, fresh.reply.token))).toContain('denied');
  expect(await refusal(authenticate(old.cookie, old.reply.token))).toContain('denied');
  expect(await identity.sessions.over(who)).toBe('Your session has ended: sign in again.');
});

test("a session is nobody else's, whatever a certificate says of whose it is", async () => {
  const [own, other] = await Promise.all([newUser().then(user => enter(user)), newUser().then(user => enter(user))]);
  const who = await authenticate(own.cookie, own.reply.token);
  const { userId } = await authenticate(other.cookie, other.reply.token);
  expect((await identity.sessions.again(who)).user).toBe(who.user);
  expect(await refusal(identity.sessions.again({ ...who, userId }))).toContain('signed_out');
  expect(await identity.sessions.over({ ...who, userId })).toBe('Your session has ended: sign in again.');
});

test('deleting a user ends their sessions', async () => {
  const admin = await newUser(['editor']);
  const user = await newUser();
  const { cookie, reply } = await enter(user);
  await identity.accounts.delete(user, { ...by, user: admin });
  expect(await refusal(authenticate(cookie, reply.token))).toContain('denied');
});

test('the store holds neither the cookie nor the bearer, only digests', async () => {
  const { cookie, reply } = await enter(await newUser());
  const who = await authenticate(cookie, reply.token);
  const kept = JSON.stringify(await store.webSessions.get(who.webSessionId));
  const read = readSessionCookie(cookie);
  for (const secret of [reply.token, read?.family, read?.secret]) expect(kept).not.toContain(secret);
});

test('changing the password needs the old one, and ends the other sessions and every open link', async () => {
  const user = await newUser();
  const { tokenId } = await identity.credentials.createToken(user, 'invite', by);
  const here = await enter(user);
  const there = await enter(user);
  const who = await authenticate(here.cookie, here.reply.token);
  heard = [];
  const change = (old: string, next: string) =>
    identity.credentials.change(who, { old: base64(old), next: base64(next) }, from);
  expect(await refusal(change('wrong', 'a new long password'))).toBe('denied: invalid credentials');
  expect(await refusal(change(PASSWORD, 'short'))).toBe('bad_request: new_password must have at least 12 characters');
  await change(PASSWORD, 'a new long password');
  expect(codes()).toEqual(['T1000W', 'T1005I']);
  await authenticate(here.cookie, here.reply.token);
  expect(await refusal(authenticate(there.cookie, there.reply.token))).toContain('denied');
  expect(await refusal(enter(user))).toContain('denied');
  await enter(user, 'a new long password');
  expect(await refusal(identity.credentials.readToken(tokenId))).toBe('denied: bad or expired token');
});

test('a link works once, until its time, and says nothing about what was wrong', async () => {
  const user = await newUser();
  const invite = await identity.credentials.createToken(user, 'invite', by);
  const complete = (token: string, password: string) => identity.credentials.complete({ token, password }, from);
  expect(await refusal(complete(invite.tokenId, '%%%'))).toBe('bad_request: password must be base64');
  expect(await refusal(complete(invite.tokenId, base64('eleven char')))).toBe(
    'bad_request: password must have at least 12 characters',
  );
  expect(await refusal(complete(invite.tokenId, base64('x'.repeat(1025))))).toContain('longer than 1024 bytes');
  expect(await identity.credentials.readToken(invite.tokenId)).toMatchObject({ user });
  await complete(invite.tokenId, base64('one more long password'));
  expect(await refusal(complete(invite.tokenId, base64(PASSWORD)))).toBe('denied: bad or expired token');
  expect(await refusal(identity.credentials.readToken('0'.repeat(64)))).toBe('denied: bad or expired token');
  const late = await identity.credentials.createToken(user, 'invite', by);
  now += 60 * MINUTE;
  expect(await refusal(identity.credentials.readToken(late.tokenId))).toBe('denied: bad or expired token');
});

test('of two who use one link at once, one gets in', async () => {
  const user = await newUser();
  const { tokenId } = await identity.credentials.createToken(user, 'password', by);
  const complete = () => identity.credentials.complete({ token: tokenId, password: base64(PASSWORD) }, from);
  const both = await Promise.allSettled([complete(), complete()]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a reset takes the password and the sessions away, and replaces earlier links', async () => {
  const user = await newUser();
  const { cookie, reply } = await enter(user);
  const first = await identity.credentials.createToken(user, 'password', by);
  expect(await refusal(enter(user))).toContain('denied');
  expect(await refusal(authenticate(cookie, reply.token))).toContain('denied');
  await identity.credentials.createToken(user, 'password', by);
  expect(await refusal(identity.credentials.readToken(first.tokenId))).toContain('bad or expired');
});

test('a completed link lifts the lock-out', async () => {
  const user = await newUser();
  for (let tries = 0; tries < 5; tries += 1) await refusal(enter(user, 'wrong'));
  const { tokenId } = await identity.credentials.createToken(user, 'password', by);
  await identity.credentials.complete({ token: tokenId, password: base64(PASSWORD) }, from);
  await enter(user);
});

test('traits that are left out stay, empty ones are cleared, and both spellings at once are refused', async () => {
  const user = await newUser();
  const update = (more: object) => identity.accounts.update({ name: user, roles: ['access'], ...more }, by);
  await update({ traits: { logins: ['root', 'root', 'deploy'], databaseUsers: ['app'] } });
  expect((await identity.accounts.get(user, by)).allTraits).toEqual({ logins: ['root', 'deploy'], db_users: ['app'] });
  await update({ traits: { logins: [], databaseUsers: null } });
  expect((await identity.accounts.get(user, by)).allTraits).toEqual({ db_users: ['app'] });
  await update({ allTraits: { team: ['blue'] } });
  expect((await identity.accounts.get(user, by)).allTraits).toEqual({ team: ['blue'] });
  expect(await refusal(update({ traits: {}, allTraits: {} }))).toContain('not both');
  expect(await refusal(identity.accounts.update({ name: user, roles: ['nothing'] }, by))).toContain(
    'role "nothing" is not known',
  );
});

test('the last administrator can neither be deleted nor lose the role, and nobody deletes oneself', async () => {
  for (const { id, roles } of await store.users.list()) if (roles.includes('editor')) await store.users.delete(id);
  const admin = await newUser(['editor']);
  const user = await newUser();
  expect(await refusal(identity.accounts.delete(admin, { ...by, user }))).toContain(
    'nobody who can edit users and roles',
  );
  expect(await refusal(identity.accounts.update({ name: admin, roles: ['access'] }, { ...by, user }))).toContain(
    'nobody who can edit',
  );
  expect(await refusal(identity.accounts.delete(admin, { ...by, user: admin }))).toContain('oneself');
  await newUser(['editor']);
  await identity.accounts.delete(admin, { ...by, user });
});

test('a check says who would lose their own right to edit users and roles, and changes nothing', async () => {
  await newUser(['editor']);
  const admin = await newUser(['access', 'editor']);
  const other = await newUser(['editor']);
  const check = (name: string, roles: string[]) => identity.accounts.check({ name, roles }, { ...by, user: admin });
  expect(await check(admin, ['access'])).toEqual({ losesAdministration: true });
  expect(await check(admin, ['editor'])).toEqual({ losesAdministration: false });
  expect(await check(other, ['access'])).toEqual({ losesAdministration: false });
  expect(await refusal(check(admin, ['nothing']))).toContain('role "nothing" is not known');
  expect((await identity.accounts.get(admin, by)).roles).toEqual(['access', 'editor']);
});

test('the first link works until somebody who may edit users and roles can sign in', async () => {
  for (const { id } of await store.users.list()) await store.users.delete(id);
  const first = await identity.inviteFirstAdmin();
  const second = await identity.inviteFirstAdmin();
  expect(await store.users.list()).toEqual([]);
  expect(await refusal(identity.credentials.readToken(first?.tokenId ?? ''))).toContain('bad or expired');
  const link = second?.tokenId ?? '';
  expect(await identity.credentials.readToken(link)).toMatchObject({ user: 'admin' });
  // Neither somebody without the right, nor somebody who has the right and cannot sign in, ends it.
  await newUser();
  await identity.accounts.create({ name: 'admin', roles: ['editor'] }, by);
  expect(await identity.credentials.readToken(link)).toMatchObject({ user: 'admin-2' });
  await identity.credentials.complete({ token: link, password: base64(PASSWORD) }, from);
  const admin = await identity.accounts.get('admin-2', by);
  expect([admin.roles, admin.allTraits]).toEqual([['access', 'auditor', 'editor'], { logins: ['root', 'gate'] }]);
  expect(await identity.inviteFirstAdmin()).toBeNull();
});

test('the first link is dead once another administrator has a password', async () => {
  for (const { id } of await store.users.list()) await store.users.delete(id);
  const link = (await identity.inviteFirstAdmin())?.tokenId ?? '';
  await identity.accounts.create({ name: 'root', roles: ['editor'] }, by);
  const invite = await identity.credentials.createToken('root', 'invite', by);
  await identity.credentials.complete({ token: invite.tokenId, password: base64(PASSWORD) }, from);
  expect(await refusal(identity.credentials.readToken(link))).toContain('bad or expired');
  expect(await refusal(identity.credentials.complete({ token: link, password: base64(PASSWORD) }, from))).toContain(
    'bad or expired',
  );
  expect(await identity.inviteFirstAdmin()).toBeNull();
});
