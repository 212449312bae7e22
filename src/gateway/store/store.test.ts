// What people and their secrets need of a store, on both engines.
import { expect, test } from 'vitest';
import { migrations } from './migrations/list.ts';
import type { StorePlace } from './open.ts';
import { openStore } from './open.ts';
import { onBothEngines } from './store.testing.ts';
import type { MfaDevice, OneTimeToken, UserRecord, WebSession } from './store.ts';

const alice: UserRecord = {
  id: 'id of alice',
  name: 'alice',
  roles: ['access', 'editor'],
  traits: { logins: ['root', 'ubuntu'] },
  authType: 'local',
  isBot: false,
  created: new Date('2026-01-02T03:04:05.678Z'),
};
const soon = new Date('2030-01-01T00:00:00Z');
const session = (id: string, userId: string): WebSession => ({
  id,
  userId,
  bearer: `${id}-bearer`,
  bearerExpires: new Date('2026-01-01T00:10:00.123Z'),
  previousBearer: null,
  previousUntil: null,
  created: new Date('2026-01-01T00:00:00Z'),
  expires: new Date('2026-01-01T12:00:00Z'),
  lastActive: new Date('2026-01-01T00:05:00Z'),
  mfaDevice: 'a device',
  remoteAddr: '10.0.0.1:1',
  userAgent: 'a browser',
  accessRequests: ['a-request'],
  trustedDevice: '',
  impersonator: '',
});
const token = (id: string, userId: string): OneTimeToken => ({ id, kind: 'invite', userId, expires: soon });
const device = (name: string, userId: string, id = `${userId}/${name}`): MfaDevice => ({
  id,
  userId,
  name,
  kind: 'totp',
  secret: 'sealed',
  credentialId: null,
  isPasswordless: false,
  progress: -1,
  added: at(0),
  lastUsed: at(0),
});
const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });
const rule = { limit: 5, windowMs: 60_000, lockMs: 1_800_000 };
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

onBothEngines(({ dialect, open, place }) => {
  test('a user comes back as it was created, and only once', async () => {
    const { users } = await open();
    expect(await users.list()).toEqual([]);
    await users.create(alice);
    await expect(users.create({ ...alice, roles: [] })).rejects.toEqual(failure('exists'));
    expect(await users.get('alice')).toEqual(alice);
    expect(await users.get('Alice')).toBeNull();
    expect(await users.byId('id of alice')).toEqual(alice);
    expect(await users.named(['alice', 'bob'])).toEqual([alice]);
    expect([await users.byId('alice'), await users.named([])]).toEqual([null, []]);
  });

  test('of two people who create the same user at once, one hears that it exists', async () => {
    const { users } = await open();
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map(index => users.create({ ...alice, roles: [`role-${index}`] })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('updating replaces, and a user who is not there is not found', async () => {
    const { users } = await open();
    await users.create(alice);
    const bot = { ...alice, roles: [], isBot: true, authType: 'github' as const };
    await users.update(bot);
    expect(await users.list()).toEqual([bot]);
    await expect(users.update({ ...alice, id: 'another' })).rejects.toEqual(failure('not_found'));
  });

  test("deleting a user takes password, web sessions, tokens and preferences along, and no one else's", async () => {
    const { users, passwords, webSessions, oneTimeTokens, preferences, ...factors } = await open();
    const { mfaDevices, recoveryCodes, challenges } = factors;
    for (const name of ['alice', 'bob']) {
      await users.create({ ...alice, id: name, name });
      await passwords.set(name, `hash of ${name}`);
      await webSessions.create(session(`session of ${name}`, name));
      await oneTimeTokens.create(token(`token of ${name}`, name));
      await preferences.put(name, { theme: 'dark' });
      await mfaDevices.create(device('phone', name));
      await recoveryCodes.replace(name, ['a'], at(0));
      await challenges.create(
        { id: `for ${name}`, userId: name, purpose: 'sign_in', scope: '', expires: at(5) },
        at(0),
      );
    }
    expect(await users.delete('alice')).toBe(true);
    expect(await users.delete('alice')).toBe(false);
    expect([
      await passwords.get('alice'),
      await webSessions.get('session of alice'),
      await oneTimeTokens.get('token of alice'),
      await preferences.get('alice'),
    ]).toEqual([null, null, null, null]);
    expect([
      await passwords.get('bob'),
      await webSessions.get('session of bob'),
      await oneTimeTokens.get('token of bob'),
      await preferences.get('bob'),
    ]).toEqual(['hash of bob', session('session of bob', 'bob'), token('token of bob', 'bob'), { theme: 'dark' }]);
    for (const name of ['alice', 'bob']) {
      const isLeft = name === 'bob';
      expect([
        (await mfaDevices.list(name)).length === 1,
        await recoveryCodes.take(name, 'a'),
        (await challenges.take(`for ${name}`)) !== null,
      ]).toEqual([isLeft, isLeft, isLeft]);
    }
  });

  test('conversations are found by their person alone, in order, bounded, and go with them', async () => {
    const { users, conversations } = await open();
    for (const name of ['alice', 'bob']) await users.create({ ...alice, id: name, name });
    const one = { id: 'one', title: '', created: at(1) };
    const other = { id: 'other', title: 'Later', created: at(2) };
    expect(await conversations.create('alice', one, 2)).toBe(true);
    expect(await conversations.create('alice', other, 2)).toBe(true);
    expect(await conversations.create('alice', { ...other, id: 'third' }, 2)).toBe(false);
    expect(await conversations.list('alice')).toEqual([other, one]);
    expect([await conversations.list('bob'), await conversations.get('bob', 'one')]).toEqual([[], null]);
    expect([await conversations.title('bob', 'one', 'x'), await conversations.delete('bob', 'one')]).toEqual([
      false,
      false,
    ]);
    expect(await conversations.title('alice', 'one', 'Disks \0')).toBe(true);
    expect((await conversations.get('alice', 'one'))?.title).toBe('Disks \ufffd');
    const said = (payload: string) => ({ type: 'CHAT_MESSAGE_USER', created: at(3), payload });
    await conversations.add('one', 0, [said('first'), said('second')]);
    await conversations.add('one', 2, [said('third')]);
    await conversations.add('nowhere', 0, [said('lost')]);
    expect((await conversations.messages('one')).map(({ payload }) => payload)).toEqual(['first', 'second', 'third']);
    expect(await conversations.delete('alice', 'other')).toBe(true);
    await users.delete('alice');
    expect([await conversations.list('alice'), await conversations.messages('one')]).toEqual([[], []]);
  });

  test('names that cannot be kept are refused, and asking for them finds nothing', async () => {
    const { users, passwords, attempts, webSessions } = await open();
    for (const name of ['', 'a\0b', 'x'.repeat(600), '\ud800'])
      await expect(users.create({ ...alice, name })).rejects.toEqual(failure('bad_request'));
    expect([await users.get('a\0b'), await passwords.get('a\0b'), await webSessions.get('\0')]).toEqual([
      null,
      null,
      null,
    ]);
    expect(await attempts.fail('a\0b', at(0), rule)).toEqual({ failures: 1, lockedUntil: null });
    expect(await attempts.get('a\0b')).toEqual({ failures: 1, lockedUntil: null });
  });

  test('a password is set, replaced and removed', async () => {
    const { passwords } = await open();
    await passwords.set('alice', 'one');
    await passwords.set('alice', 'two');
    expect(await passwords.get('alice')).toBe('two');
    await passwords.remove('alice');
    expect(await passwords.get('alice')).toBeNull();
  });

  test('the fifth failure within the window locks and counting starts anew', async () => {
    const { attempts } = await open();
    for (const second of [0, 10, 20, 30]) await attempts.fail('alice', at(second), rule);
    expect(await attempts.get('alice')).toEqual({ failures: 4, lockedUntil: null });
    const locked = { failures: 0, lockedUntil: at(40 + 1800) };
    expect(await attempts.fail('alice', at(40), rule)).toEqual(locked);
    expect(await attempts.get('alice')).toEqual(locked);
    await attempts.fail('nobody', at(40), { ...rule, limit: 1 });
    expect(await attempts.lockedUsers(at(41))).toEqual(new Map());
    // The new window begins with the first failure after the lock.
    expect(await attempts.fail('alice', at(50), rule)).toEqual({ failures: 1, lockedUntil: at(40 + 1800) });
    expect(await attempts.fail('alice', at(70), rule)).toEqual({ failures: 2, lockedUntil: at(40 + 1800) });
    await attempts.clear('alice');
    expect(await attempts.get('alice')).toBeNull();
  });

  test('failures spread wider than the window do not lock', async () => {
    const { attempts } = await open();
    for (const second of [0, 30, 61, 92, 123, 154, 185])
      expect((await attempts.fail('alice', at(second), rule)).lockedUntil).toBeNull();
  });

  test('failures at the same moment are all counted', async () => {
    const { attempts } = await open();
    const answers = await Promise.all(Array.from({ length: 12 }, () => attempts.fail('alice', at(0), rule)));
    expect(answers.map(({ failures }) => failures).sort()).toEqual([0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4].sort());
  });

  test('failures older than a day are forgotten, a running lock is not', async () => {
    const { attempts } = await open();
    await attempts.fail('old', at(0), rule);
    await attempts.fail('locked', at(0), { ...rule, limit: 1, lockMs: 10 * 86_400_000 });
    await attempts.fail('new', at(2 * 86_400), rule);
    expect([await attempts.get('old'), (await attempts.get('locked'))?.lockedUntil]).toEqual([null, at(10 * 86_400)]);
  });

  test('a user sees their web sessions that last, and activity only moves forward', async () => {
    const { webSessions } = await open();
    for (const [id, created] of [
      ['one', 0],
      ['two', 60],
    ] as const)
      await webSessions.create({ ...session(id, 'alice'), created: at(created) });
    await webSessions.create(session('three', 'bob'));
    const ids = async (now: Date) => (await webSessions.listOf('alice', now)).map(({ id }) => id);
    expect([await ids(at(0)), await ids(session('', '').expires)]).toEqual([['two', 'one'], []]);
    await webSessions.active('one', at(900));
    await webSessions.active('one', at(600));
    expect((await webSessions.get('one'))?.lastActive).toEqual(at(900));
  });

  test('a web session is of a trusted device until that is given up or removed, whoever renews it meanwhile', async () => {
    const { webSessions } = await open();
    for (const id of ['one', 'two', 'three', 'four']) await webSessions.create(session(id, 'alice'));
    const read = await webSessions.get('one');
    expect(await webSessions.trust('one', 'laptop')).toBe(true);
    expect(await webSessions.trust('none', 'laptop')).toBe(false);
    await webSessions.trust('two', 'laptop');
    await webSessions.trust('three', 'phone');
    // A renewal that has read the row before does not take the device away.
    await webSessions.update({ ...(read as WebSession), bearer: 'next' });
    const devices = async () =>
      Promise.all(['one', 'two', 'three', 'four'].map(async id => (await webSessions.get(id))?.trustedDevice));
    expect(await devices()).toEqual(['laptop', 'laptop', 'phone', '']);
    await webSessions.distrust('phone');
    expect([await webSessions.deleteOfDevice('laptop'), await webSessions.deleteOfDevice('')]).toEqual([2, 0]);
    expect(await devices()).toEqual([undefined, undefined, '', '']);
  });

  test('what must be alone runs one after the other, also in two gateways, and inside of itself at once', async () => {
    const shared = await place();
    const first = await open({}, shared);
    const stores = dialect === 'postgres' ? [first, await open({}, shared)] : [first, first];
    let running = 0;
    const most = await Promise.all(
      stores.map(({ alone, users }) =>
        alone(async () => {
          running += 1;
          await users.list();
          await alone(() => users.list());
          return running--;
        }),
      ),
    );
    expect(most).toEqual([1, 1]);
    await expect(first.alone(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await first.alone(async () => 'free')).toBe('free');
  });

  test('a web session is replaced whole, pruned when it has ended, and gone when deleted', async () => {
    const { webSessions } = await open();
    await webSessions.create(session('one', 'alice'));
    const renewed = { ...session('one', 'alice'), bearer: 'new', previousBearer: 'one-bearer', previousUntil: at(120) };
    expect(await webSessions.update(renewed)).toBe(true);
    expect(await webSessions.get('one')).toEqual(renewed);
    expect(await webSessions.update(session('other', 'alice'))).toBe(false);
    expect(await webSessions.prune(renewed.expires)).toBe(0);
    expect(await webSessions.prune(new Date(renewed.expires.getTime() + 1))).toBe(1);
    expect(await webSessions.delete('one')).toBe(false);
  });

  test('all web sessions of a user end, or all but one', async () => {
    const { webSessions } = await open();
    for (const id of ['one', 'two', 'three']) await webSessions.create(session(id, 'alice'));
    await webSessions.create(session('four', 'bob'));
    expect(await webSessions.deleteOf('alice', 'two')).toBe(2);
    expect(await webSessions.get('two')).not.toBeNull();
    expect(await webSessions.deleteOf('alice')).toBe(1);
    expect(await webSessions.get('four')).not.toBeNull();
  });

  test('a device is known by its name and its credential, and its progress only grows', async () => {
    const { mfaDevices } = await open();
    await mfaDevices.create(device('phone', 'alice'));
    await mfaDevices.create({ ...device('key', 'alice'), kind: 'webauthn', credentialId: 'cred', progress: 0 });
    await expect(mfaDevices.create(device('phone', 'alice', 'other'))).rejects.toEqual(failure('exists'));
    const samesKey = { ...device('copy', 'bob'), credentialId: 'cred' };
    await expect(mfaDevices.create(samesKey)).rejects.toEqual(failure('exists'));
    await mfaDevices.create(device('phone', 'bob'));

    const steps = await Promise.all(
      Array.from({ length: 5 }, () => mfaDevices.advance('alice/phone', 60_000_000, at(1))),
    );
    expect(steps.filter(Boolean)).toHaveLength(1);
    expect(await mfaDevices.advance('alice/phone', 59_999_999, at(2))).toBe(false);
    expect(await mfaDevices.advance('alice/key', 0, at(1))).toBe(true);
    expect(await mfaDevices.advance('alice/key', 4_294_967_295, at(1))).toBe(true);
    expect(await mfaDevices.advance('alice/key', 0, at(2))).toBe(false);
    expect(await mfaDevices.advance('nobody', 1, at(2))).toBe(false);

    const key = await mfaDevices.byCredential('cred');
    expect(key).toMatchObject({ id: 'alice/key', userId: 'alice', progress: 4_294_967_295, lastUsed: at(1) });
    expect((await mfaDevices.list('alice')).map(({ name }) => name)).toEqual(['key', 'phone']);
    expect([await mfaDevices.delete('alice/key'), await mfaDevices.delete('alice/key')]).toEqual([true, false]);
    await mfaDevices.deleteOf('alice');
    expect([await mfaDevices.list('alice'), (await mfaDevices.list('bob')).length]).toEqual([[], 1]);
  });

  // Rule 9: recovery codes are single-use
  test('a recovery code is used once, and a new set replaces the old', async () => {
    const { recoveryCodes } = await open();
    await recoveryCodes.replace('alice', ['a', 'b', 'c'], at(0));
    const taken = await Promise.all(Array.from({ length: 5 }, () => recoveryCodes.take('alice', 'a')));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await recoveryCodes.take('bob', 'b')).toBe(false);
    expect(await recoveryCodes.left('alice')).toEqual({ count: 2, created: at(0) });
    await recoveryCodes.replace('alice', ['d'], at(1));
    expect(await recoveryCodes.take('alice', 'b')).toBe(false);
    expect(await recoveryCodes.left('alice')).toEqual({ count: 1, created: at(1) });
    await recoveryCodes.replace('alice', [], at(2));
    expect(await recoveryCodes.left('alice')).toEqual({ count: 0, created: null });
  });

  test('a challenge is taken once, and those that have ended go', async () => {
    const { challenges } = await open();
    const asked = { userId: 'alice', purpose: 'sign_in', scope: '', expires: at(5) };
    await challenges.create({ ...asked, id: 'one' }, at(0));
    const taken = await Promise.all(Array.from({ length: 5 }, () => challenges.take('one')));
    expect(taken.filter(item => item !== null)).toMatchObject([{ id: 'one', ...asked }]);
    await challenges.create({ ...asked, id: 'two' }, at(0));
    await challenges.create({ ...asked, id: 'three', expires: at(9) }, at(6));
    expect([await challenges.take('two'), (await challenges.take('three'))?.id]).toEqual([null, 'three']);
  });

  test('a challenge is changed by one of many, from what it was', async () => {
    const { challenges } = await open();
    const asked = { id: 'four', userId: '', purpose: 'asked', scope: 'a', expires: at(5) };
    const answered = { ...asked, userId: 'alice', purpose: 'answered', scope: 'b', expires: at(7) };
    await challenges.create(asked, at(0));
    const changed = await Promise.all(Array.from({ length: 5 }, () => challenges.change('asked', answered)));
    expect([changed.filter(Boolean).length, await challenges.get('four')]).toEqual([1, answered]);
    expect(await challenges.change('asked', { ...asked, id: 'five' })).toBe(false);
  });

  test('of many who take one token at once, one gets it', async () => {
    const { oneTimeTokens } = await open();
    await oneTimeTokens.create(token('one', 'alice'));
    expect(await oneTimeTokens.get('one')).toEqual(token('one', 'alice'));
    const taken = await Promise.all(Array.from({ length: 20 }, () => oneTimeTokens.take('one')));
    expect(taken.filter(item => item !== null)).toEqual([token('one', 'alice')]);
    await oneTimeTokens.create(token('two', 'alice'));
    expect(await oneTimeTokens.deleteOf('alice')).toBe(1);
  });

  test('settings keep any JSON, and of many first values one wins for all', async () => {
    const { settings } = await open();
    expect(await settings.get('key')).toBeNull();
    await settings.put('key', { deep: ['ü', 1, null, 'nul \0'] });
    expect(await settings.get('key')).toEqual({ deep: ['ü', 1, null, 'nul \0'] });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => settings.putIfAbsent('ca', index)));
    expect(new Set(answers)).toEqual(new Set([await settings.get('ca')]));
  });

  test('what was kept is there after closing and opening again', async () => {
    const where = await place();
    const first = await openStore(where);
    await first.users.create(alice);
    await first.close();
    const second = await open({}, where);
    expect(second.dialect).toBe(dialect);
    expect(await second.users.get('alice')).toEqual(alice);
  });

  test('people of before ids keep what is theirs', async () => {
    const created = Date.UTC(2026, 0, 2);
    const rows = [
      ...['alice', 'bob'].map(
        name =>
          `INSERT INTO users (name, roles, traits, auth_type, is_bot, created) VALUES ('${name}', '["access"]', '{}', 'local', 0, ${created})`,
      ),
      `INSERT INTO passwords (user_name, hash) VALUES ('alice', 'hash')`,
      `INSERT INTO preferences (user_name, value) VALUES ('alice', '1'), ('gone', '2')`,
      `INSERT INTO one_time_tokens (id, kind, user_name, expires) VALUES ('t', 'invite', 'bob', ${soon.getTime()}), ('f', 'first_admin', 'admin', 1)`,
    ];
    const at = migrations.findIndex(({ name }) => name === 'people');
    const old = { number: at + 1, name: 'rows', statements: { sqlite: rows, postgres: rows } };
    const steps = [
      ...migrations.slice(0, at),
      old,
      ...migrations.slice(at).map(one => ({ ...one, number: one.number + 1 })),
    ];
    const store = await open({ migrations: steps });
    const [one, other] = await store.users
      .named(['alice', 'bob'])
      .then(found => found.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
    expect([one?.id, other?.id]).toEqual([
      expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      expect.not.stringMatching(one?.id ?? ''),
    ]);
    const id = one?.id ?? '';
    expect([await store.passwords.get(id), await store.preferences.get(id)]).toEqual(['hash', 1]);
    expect(await store.oneTimeTokens.get('t')).toMatchObject({ userId: other?.id });
    expect(await store.oneTimeTokens.get('f')).toBeNull();
  });

  test('a newer schema is refused, naming both versions, and left alone', async () => {
    const where: StorePlace = await place();
    const statement = 'CREATE TABLE from_the_future (id integer)';
    const newer = [
      ...migrations,
      { number: migrations.length + 1, name: 'future', statements: { sqlite: [statement], postgres: [statement] } },
    ];
    await (await openStore(where, { migrations: newer })).close();
    await expect(openStore(where)).rejects.toThrow(
      `schema version ${newer.length}, but this version of Postern knows only versions up to ${migrations.length}`,
    );
    await (await openStore(where, { migrations: newer })).close();
  });

  test('a step that fails leaves the schema as it was', async () => {
    const where = await place();
    const broken = [
      ...migrations,
      {
        number: migrations.length + 1,
        name: 'broken',
        statements: {
          sqlite: ['CREATE TABLE half (id integer)', 'NOT SQL'],
          postgres: ['CREATE TABLE half (id integer)', 'NOT SQL'],
        },
      },
    ];
    await expect(openStore(where, { migrations: broken })).rejects.toThrow();
    const mended = [
      ...migrations,
      {
        number: migrations.length + 1,
        name: 'mended',
        statements: { sqlite: ['CREATE TABLE half (id integer)'], postgres: ['CREATE TABLE half (id integer)'] },
      },
    ];
    await (await open({ migrations: mended }, where)).users.create(alice);
  });
});
