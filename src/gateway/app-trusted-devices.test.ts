// Trusted devices: enrolling one, proving that a web session is of it, what is refused without one, and every way to cheat that was thought of.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deviceProofText } from '../contract/device-proof.ts';
import { DEVICE_MISSING } from '../contract/device-trust.ts';
import type { TrustedDevice } from '../contract/trusted-devices.ts';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import { enrollWith, type Key, newKey, proof } from './app-trusted-devices.testing.ts';

let rig: Rig;
let ann: Browser;
beforeAll(async () => {
  rig = await openRig();
  await rig.addUser('ann', ['access', 'editor', 'auditor'], ['root']);
  ann = await rig.signIn('ann');
  for (const [name, options] of [
    ['fleet', '{device_trust_mode: required}'],
    ['loose', '{device_trust_mode: optional}'],
  ] as const)
    await ann.call('POST', '/v1/webapi/roles', {
      content: `kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec: {options: ${options}}\n`,
    });
});
afterAll(() => rig.dispose());

const at = (path: string) => `/v1/webapi/${path}`;
const UNPROVEN = 'access denied: the proof of the device was not accepted; please try again';
const NO_TOKEN = 'this enrol token is not known here: it was mistyped, has ended, or was used';
const messageOf = ({ json }: { readonly json: unknown }) =>
  (json as { readonly error?: { readonly message: string } }).error?.message ?? '';

async function someone(roles: readonly string[] = ['access', 'fleet']): Promise<Browser> {
  const name = `u-${randomUUID().slice(0, 8)}`;
  await rig.addUser(name, roles, ['root']);
  return rig.signIn(name);
}
async function register(asset = `asset-${randomUUID().slice(0, 8)}`): Promise<TrustedDevice> {
  const { status, json } = await ann.call('POST', at('devices'), { os_type: 'linux', asset_tag: asset });
  expect(status).toBe(200);
  return json as TrustedDevice;
}
async function tokenOf({ id }: Pick<TrustedDevice, 'id'>, ttl?: string): Promise<string> {
  const { json } = await ann.call('POST', at(`devices/${id}/token`), ttl === undefined ? {} : { ttl });
  return (json as { token: string }).token;
}
const prove = async (who: Browser, key: Key, device: string) =>
  who.call('POST', at('devicetrust/authenticate'), { device, ...(await proof(who, key, 'authenticate')) });
/** Somebody who has enrolled a new device. */
async function enrolled(roles?: readonly string[]) {
  const who = await someone(roles);
  const device = await register();
  const key = newKey();
  expect((await enrollWith(who, key, await tokenOf(device))).status).toBe(200);
  return { who, key, device };
}
async function openSession(who: Browser): Promise<string> {
  const { services } = rig;
  const person = await services.identity.sessions.authenticate({
    cookie: who.cookie,
    bearer: who.bearer,
    remoteAddr: '10.0.0.1:1',
  });
  const target = await services.servers.target(person, await rig.addServer(`s-${randomUUID()}`));
  return (await services.sessions.open({ who: person, target, login: 'root', size: { cols: 80, rows: 24 } })).sid;
}
const over = (sid: string) => expect.poll(() => rig.services.sessions.ended(sid)?.text ?? null, { timeout: 1000 });
const trustOf = async (who: Browser) =>
  (await who.call('GET', at('devicetrust'))).json as { mode: string; device: TrustedDevice | null };
async function events(code: string): Promise<readonly Record<string, unknown>[]> {
  const { json } = await ann.call('GET', at(`sites/${CLUSTER}/events/search?limit=500`));
  return (json as { events: Record<string, unknown>[] }).events.filter(event => event.code === code);
}

test('a role that requires a trusted device opens no session without one, says how to get one, and opens it once enrolled', async () => {
  const who = await someone();
  expect(await trustOf(who)).toMatchObject({ mode: 'required', device: null });
  await expect(openSession(who)).rejects.toThrow(DEVICE_MISSING);
  expect(DEVICE_MISSING).toContain('postern device enroll TOKEN');

  const device = await register('LAPTOP-1');
  const key = newKey();
  const answer = await enrollWith(who, key, await tokenOf(device));
  expect(answer).toMatchObject({
    status: 200,
    json: { id: device.id, asset_tag: 'LAPTOP-1', enroll_status: 'enrolled', owner: who.user, key_in: 'browser' },
  });
  expect(await trustOf(who)).toMatchObject({ device: { id: device.id } });
  await openSession(who);

  // The next sign-in is of no device until it has proven one.
  const again = await rig.signIn(who.user);
  await expect(openSession(again)).rejects.toThrow(DEVICE_MISSING);
  expect((await prove(again, key, device.id)).status).toBe(200);
  await openSession(again);
  for (const code of ['TV001I', 'TV003I', 'TV004I', 'TV005I', 'TV006I'])
    expect(await events(code), code).toContainEqual(
      expect.objectContaining({
        device: expect.objectContaining({ asset_tag: 'LAPTOP-1' }),
        status: { success: true },
      }),
    );
  const [start] = (await events('T2000I')).filter(({ user }) => user === who.user);
  expect(start).toMatchObject({ trusted_device: { device_id: device.id, os_type: 'linux', asset_tag: 'LAPTOP-1' } });
});

test('"why can\'t I" names the missing device and who asks for it, of oneself and of others', async () => {
  await rig.addServer('why-1');
  const who = await someone();
  const ask = async (by: Browser, user: string) =>
    (
      await by.call(
        'GET',
        `/v1/webapi/sites/${CLUSTER}/rights/explain?user=${user}&action=ssh&principal=root&target=why-1`,
      )
    ).json as { allowed: boolean; reasons: { text: string }[] };
  const own = await ask(who, who.user);
  expect([own.allowed, own.reasons.map(({ text }) => text)]).toEqual([
    false,
    expect.arrayContaining([expect.stringContaining(`${DEVICE_MISSING} (device_trust_mode of role "fleet")`)]),
  ]);
  const other = await ask(ann, who.user);
  expect([other.allowed, other.reasons.map(({ text }) => text)]).toEqual([
    false,
    expect.arrayContaining([
      `${who.user} has enrolled no trusted device, and role "fleet" asks for one (device_trust_mode).`,
    ]),
  ]);
  const key = newKey();
  await enrollWith(who, key, await tokenOf(await register()));
  expect([(await ask(who, who.user)).allowed, (await ask(ann, who.user)).allowed]).toEqual([true, true]);
});

test('what somebody does from a trusted device says so in the audit log, and what happens to them does not', async () => {
  const { who, device } = await enrolled(['access', 'editor']);
  const other = await register();
  await who.call('POST', at(`devices/${other.id}/token`), {});
  await ann.call('PUT', at('users'), { name: who.user, roles: ['access'], traits: { logins: ['root'] } });
  const [token] = (await events('TV003I')).filter(({ user }) => user === who.user);
  expect(token).toMatchObject({ trusted_device: { device_id: device.id }, device: { device_id: other.id } });
  const [changed] = (await events('T1003I')).filter(({ name }) => name === who.user);
  expect(changed).not.toHaveProperty('trusted_device');
});

test('optional asks for nothing, and what is proven counts all the same; off takes no proof', async () => {
  const { who, device } = await enrolled(['access', 'loose']);
  expect(await trustOf(who)).toMatchObject({ mode: 'optional', device: { id: device.id } });
  await openSession(await rig.signIn(who.user));
});

test('a lock on the device ends what it began within a second, signs out, and keeps the device out until it is taken away', async () => {
  const { who, key, device } = await enrolled();
  const elsewhere = await rig.signIn(who.user);
  const sid = await openSession(who);
  const made = await ann.call('PUT', at(`sites/${CLUSTER}/locks`), { targets: { device: device.id }, message: 'lost' });
  expect(made.json).toMatchObject({ title: device.asset_tag });
  await over(sid).toBe('The session was ended. This trusted device is locked: lost');
  expect((await who.call('GET', at('user/status'))).status).toBe(403);
  expect((await elsewhere.call('GET', at('user/status'))).status).toBe(200);
  expect(messageOf(await prove(elsewhere, key, device.id))).toBe('This trusted device is locked: lost');
  const listed = (await ann.call('GET', at('devices'))).json as TrustedDevice[];
  expect(listed.find(({ id }) => id === device.id)?.locked).toBe('This trusted device is locked: lost');
  await ann.call('DELETE', at(`sites/${CLUSTER}/locks/${(made.json as { name: string }).name}`));
  expect((await prove(elsewhere, key, device.id)).status).toBe(200);
});

test('removing a device signs out whoever is signed in from it, and ends what it began', async () => {
  const { who, key, device } = await enrolled();
  const sid = await openSession(who);
  expect((await ann.call('DELETE', at(`devices/${device.id}`))).status).toBe(200);
  await over(sid).toBe('The session was ended: the trusted device that it was begun with is not enrolled any more.');
  expect((await who.call('GET', at('user/status'))).status).toBe(403);
  expect(messageOf(await prove(await rig.signIn(who.user), key, device.id))).toBe(UNPROVEN);
  expect(await events('TV002I')).toContainEqual(expect.objectContaining({ user: 'ann' }));
});

test('whoever forgets their own device stays signed in, from no trusted one, and what was begun with it ends', async () => {
  const { who, key, device } = await enrolled();
  const sid = await openSession(who);
  const other = await someone();
  expect((await other.call('DELETE', at(`devicetrust/devices/${device.id}`))).status).toBe(404);
  expect((await who.call('DELETE', at(`devicetrust/devices/${device.id}`))).status).toBe(200);
  await over(sid).toBe('The session was ended: the trusted device that it was begun with is not enrolled any more.');
  expect(await trustOf(who)).toMatchObject({ device: null });
  expect(messageOf(await prove(who, key, device.id))).toBe(UNPROVEN);
});

test('a session that was begun without a device ends when a role comes to require one', async () => {
  const who = await someone(['access']);
  const sid = await openSession(who);
  await ann.call('PUT', at('users'), { name: who.user, roles: ['access', 'fleet'], traits: { logins: ['root'] } });
  await over(sid).toBe(`The session was ended: ${DEVICE_MISSING}`);
});

describe('whoever cheats', () => {
  test("proves nothing with another person's device", async () => {
    const { key, device } = await enrolled();
    const thief = await someone();
    expect(messageOf(await prove(thief, key, device.id))).toBe(UNPROVEN);
    await expect(openSession(thief)).rejects.toThrow(DEVICE_MISSING);
    expect(await events('TV006I')).toContainEqual(
      expect.objectContaining({ user: thief.user, status: { success: false } }),
    );
  });
  test('proves nothing with a proof that was given before, nor with one for another session, person or purpose', async () => {
    const { who, key, device } = await enrolled();
    const given = { device: device.id, ...(await proof(who, key, 'authenticate')) };
    const send = (by: Browser, body: object) => by.call('POST', at('devicetrust/authenticate'), body);
    expect((await send(who, given)).status).toBe(200);
    expect(messageOf(await send(who, given))).toBe(UNPROVEN);

    const again = await rig.signIn(who.user);
    expect(messageOf(await send(again, { device: device.id, ...(await proof(who, key, 'authenticate')) }))).toBe(
      UNPROVEN,
    );
    expect(
      messageOf(await send(again, { device: device.id, ...(await proof(await someone(), key, 'authenticate')) })),
    ).toBe(UNPROVEN);
    const { challenge } = await proof(again, key, 'enroll');
    const signature = key.sign(deviceProofText({ purpose: 'authenticate', cluster: CLUSTER, challenge }));
    expect(messageOf(await send(again, { device: device.id, challenge, signature }))).toBe(UNPROVEN);
  });
  test('has five minutes for a challenge, and it is gone once it was answered wrongly', async () => {
    const { who, key, device } = await enrolled();
    const late = { device: device.id, ...(await proof(who, key, 'authenticate')) };
    rig.later(5 * 60_000 + 1);
    expect(messageOf(await who.call('POST', at('devicetrust/authenticate'), late))).toBe(UNPROVEN);
    const right = await proof(who, key, 'authenticate');
    const wrong = { device: device.id, challenge: right.challenge, signature: newKey().sign('anything') };
    expect(messageOf(await who.call('POST', at('devicetrust/authenticate'), wrong))).toBe(UNPROVEN);
    expect(messageOf(await who.call('POST', at('devicetrust/authenticate'), { device: device.id, ...right }))).toBe(
      UNPROVEN,
    );
    ann = await rig.signIn('ann');
  });
  test('uses a token once, not after its end, and not once another was made', async () => {
    const device = await register();
    const token = await tokenOf(device);
    const [first, second] = [await someone(), await someone()];
    const answers = await Promise.all([enrollWith(first, newKey(), token), enrollWith(second, newKey(), token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(messageOf(await enrollWith(first, newKey(), token))).toBe(NO_TOKEN);
    const old = await register();
    const before = await tokenOf(old);
    const after = await tokenOf(old, '1m');
    expect(messageOf(await enrollWith(first, newKey(), before))).toBe(NO_TOKEN);
    rig.later(61_000);
    expect(messageOf(await enrollWith(first, newKey(), after))).toBe(NO_TOKEN);
    for (const wrong of ['.', 'x', `${old.id}.`, `${old.id}.${'a'.repeat(43)}`])
      expect(messageOf(await enrollWith(first, newKey(), wrong)), wrong).toBe(NO_TOKEN);
  });
  test('enrolls no key of somebody else, nor one twice, nor anything but a P-256 key', async () => {
    const { who, key } = await enrolled();
    const device = await register();
    const token = await tokenOf(device);
    const thief = await someone();
    const other = newKey();
    // The signature is of another key than the one that is shown.
    const body = { token, public_key: key.publicKey, ...(await proof(thief, other, 'enroll')) };
    expect(messageOf(await thief.call('POST', at('devicetrust/enroll'), body))).toBe(UNPROVEN);
    expect(messageOf(await enrollWith(who, key, token))).toBe(
      'this key is enrolled already: a device has a key of its own',
    );
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const strange = publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
    const given = { token, ...(await proof(thief, other, 'enroll')), public_key: strange };
    expect((await thief.call('POST', at('devicetrust/enroll'), given)).status).toBe(400);
    expect((await enrollWith(thief, other, token)).status).toBe(200);
  });
  test('has nothing of the device of somebody who was deleted, whose name another person has now', async () => {
    const { who, key, device } = await enrolled();
    await ann.call('DELETE', at(`users/${who.user}`));
    await rig.addUser(who.user, ['access', 'fleet'], ['root']);
    const heir = await rig.signIn(who.user);
    expect(messageOf(await prove(heir, key, device.id))).toBe(UNPROVEN);
    const listed = (await ann.call('GET', at('devices'))).json as TrustedDevice[];
    expect(listed.find(({ id }) => id === device.id)?.owner).toBe('');
  });
  test('is told of no secret: neither the token nor its digest stands in a list, in YAML or in the log', async () => {
    const device = await register();
    const [, secret = '-'] = (await tokenOf(device)).split('.');
    const content = await rig.declared.get('device', device.id);
    const list = (await ann.call('GET', at('devices'))).body;
    const all = `${content}${list}${JSON.stringify(await events('TV003I'))}${rig.log.join('')}`;
    expect(all).not.toContain(secret);
    expect(`${content}${list}`).not.toContain('hash');
  });
});

test('where the whole cluster requires one, a sign-in does nothing but prove its device', async () => {
  const strict = await openRig({ config: { deviceTrust: 'required' } });
  try {
    await strict.addUser('bob', ['access', 'editor'], ['root']);
    const bob = await strict.signIn('bob');
    const missing = { status: 403, json: { error: { message: DEVICE_MISSING } } };
    expect(await bob.call('GET', at(`sites/${CLUSTER}/nodes`))).toMatchObject(missing);
    expect(await bob.call('GET', at('users'))).toMatchObject(missing);
    expect((await bob.call('GET', at('user/status'))).status).toBe(200);
    expect((await bob.call('GET', at(`sites/${CLUSTER}/context`))).json).toMatchObject({ deviceTrust: 'required' });
    const { trustedDevices } = strict.services;
    const device = await trustedDevices.add({ os_type: 'macos', asset_tag: 'M1' }, { user: 'system', rights: null });
    const { token } = await trustedDevices.token(device.id, '1h', { user: 'system', rights: null });
    expect((await enrollWith(bob, newKey(), token)).status).toBe(200);
    expect((await bob.call('GET', at(`sites/${CLUSTER}/nodes`))).status).toBe(200);
  } finally {
    await strict.dispose();
  }
});
