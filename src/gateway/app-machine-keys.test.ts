// Trusted devices whose key the machine's own authenticator keeps (WebAuthn): enrolled, proven, and every way to cheat that was thought of.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DevicePurpose, deviceProofText } from '../contract/device-proof.ts';
import type { Assertion, Creation } from '../contract/mfa.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { newKey, proof as signedProof } from './app-trusted-devices.testing.ts';
import { createSoftwareKey, type SoftwareKey } from './software-key.testing.ts';

const UNPROVEN = 'access denied: the proof of the device was not accepted; please try again';
const PAGE = 'https://console.example.com';
const SYSTEM = { user: 'system', rights: null } as const;
const at = (path: string) => `/v1/webapi/${path}`;

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.dispose());

const said = ({ status, json }: Awaited<ReturnType<Browser['call']>>): string =>
  `${status} ${(json as { error?: { message: string } }).error?.message ?? 'ok'}`;
async function someone(): Promise<Browser> {
  const name = `u-${randomUUID().slice(0, 8)}`;
  await rig.addUser(name, ['access'], ['root']);
  return rig.signIn(name);
}
async function tokenOfNew(): Promise<string> {
  const { trustedDevices } = rig.services;
  const { id } = await trustedDevices.add({ os_type: 'windows', asset_tag: `W-${randomUUID()}` }, SYSTEM);
  return (await trustedDevices.token(id, '1h', SYSTEM)).token;
}
type CreateChange = Parameters<SoftwareKey['create']>[1];
type GetChange = Parameters<SoftwareKey['get']>[1];

/** What a browser makes of a challenge for the machine's authenticator. `used`: what it answers the challenge as. */
async function asked(who: Browser, purpose: DevicePurpose, used = purpose) {
  const { json } = await who.call('POST', at('devicetrust/challenge'), { purpose });
  const { challenge, cluster, rp_id: rpId } = json as { challenge: string; cluster: string; rp_id: string };
  const text = deviceProofText({ purpose: used, cluster, challenge });
  return { challenge, rpId, webauthn: Buffer.from(text).toString('base64url') };
}
async function created(who: Browser, key: SoftwareKey, change?: CreateChange) {
  const { challenge, rpId, webauthn } = await asked(who, 'enroll');
  const publicKey = {
    ...{ challenge: webauthn, rp: { id: rpId ?? '', name: 'Postern' }, user: { id: '', name: '', displayName: '' } },
    ...{ pubKeyCredParams: [], excludeCredentials: [], attestation: 'none' as const, timeout: 1 },
    authenticatorSelection: {
      residentKey: 'discouraged' as const,
      requireResidentKey: false,
      userVerification: 'discouraged' as const,
    },
  };
  return { challenge, creation: key.create({ publicKey }, change) };
}
const enroll = async (who: Browser, token: string, body: { challenge: string; creation: Creation }) =>
  who.call('POST', at('devicetrust/enroll'), { token, ...body });
async function proof(who: Browser, key: SoftwareKey, change?: GetChange, used?: DevicePurpose) {
  const { challenge, rpId, webauthn } = await asked(who, 'authenticate', used);
  const publicKey = { challenge: webauthn, rpId, timeout: 1 };
  return { challenge, assertion: key.get({ webauthn_challenge: { publicKey }, totp_challenge: false }, change) };
}
const prove = async (who: Browser, device: string, body: { challenge: string; assertion: Assertion }) =>
  said(await who.call('POST', at('devicetrust/authenticate'), { device, ...body }));
/** Somebody whose machine is enrolled. */
async function enrolled() {
  const who = await someone();
  const key = createSoftwareKey(PAGE);
  const { json, status } = await enroll(who, await tokenOfNew(), await created(who, key));
  expect(status).toBe(200);
  return { who, key, device: (json as { id: string }).id, json };
}
const deviceOf = async (who: Browser) =>
  ((await who.call('GET', at('devicetrust'))).json as { device: { id: string } | null }).device?.id ?? null;

test("a machine's own authenticator is enrolled as a device, and each later sign-in proves itself with it", async () => {
  const { who, key, device, json } = await enrolled();
  expect(json).toMatchObject({ enroll_status: 'enrolled', owner: who.user, key_in: 'webauthn' });
  expect(await deviceOf(who)).toBe(device);
  const again = await rig.signIn(who.user);
  expect(await deviceOf(again)).toBeNull();
  expect(await prove(again, device, await proof(again, key))).toBe('200 ok');
  expect(await deviceOf(again)).toBe(device);
});

test('an answer of another page, domain, purpose or key, a forged one and one that was given before prove nothing', async () => {
  const { who, key, device } = await enrolled();
  const again = await rig.signIn(who.user);
  for (const change of [{ origin: 'https://evil.example.com' }, { rpId: 'example.com' }, { isForged: true }])
    expect(await prove(again, device, await proof(again, key, change)), JSON.stringify(change)).toBe(`403 ${UNPROVEN}`);
  expect(await prove(again, device, await proof(again, key, {}, 'enroll'))).toBe(`403 ${UNPROVEN}`);
  expect(await prove(again, device, await proof(again, createSoftwareKey(PAGE)))).toBe(`403 ${UNPROVEN}`);
  expect(await prove(again, device, await proof(who, key))).toBe(`403 ${UNPROVEN}`);
  const thief = await someone();
  expect(await prove(thief, device, await proof(thief, key))).toBe(`403 ${UNPROVEN}`);
  // A plain signature is none of such a key, whoever made it.
  const signed = { device, ...(await signedProof(again, newKey(), 'authenticate')) };
  expect(said(await again.call('POST', at('devicetrust/authenticate'), signed))).toBe(`403 ${UNPROVEN}`);
  expect(await deviceOf(again)).toBeNull();

  const right = await proof(again, key);
  expect(await prove(again, device, right)).toBe('200 ok');
  expect(await prove(again, device, right)).toBe(`403 ${UNPROVEN}`);
});

test('a challenge is over after five minutes, and gone once it was answered wrongly', async () => {
  const { who, key, device } = await enrolled();
  const wrong = await proof(who, key, { isForged: true });
  const { challenge } = wrong;
  expect(await prove(who, device, wrong)).toBe(`403 ${UNPROVEN}`);
  const { cluster } = (await who.call('POST', at('devicetrust/challenge'), { purpose: 'authenticate' })).json as {
    cluster: string;
  };
  const text = Buffer.from(deviceProofText({ purpose: 'authenticate', cluster, challenge })).toString('base64url');
  const publicKey = { challenge: text, rpId: 'console.example.com', timeout: 1 };
  const assertion = key.get({ webauthn_challenge: { publicKey }, totp_challenge: false });
  expect(await prove(who, device, { challenge, assertion })).toBe(`403 ${UNPROVEN}`);
  const late = await proof(who, key);
  rig.later(5 * 60_000 + 1);
  expect(await prove(who, device, late)).toBe(`403 ${UNPROVEN}`);
});

test('a copy of an authenticator is refused: what counts its uses may not fall behind', async () => {
  const { who, key, device } = await enrolled();
  expect(await prove(who, device, await proof(who, key, { counter: 7 }))).toBe('200 ok');
  for (const counter of [7, 6, 0])
    expect(await prove(who, device, await proof(who, key, { counter })), String(counter)).toBe(`403 ${UNPROVEN}`);
  expect(await prove(who, device, await proof(who, key, { counter: 8 }))).toBe('200 ok');
});

test('of two answers with the same count that come at once, one counts', async () => {
  const { who, key, device } = await enrolled();
  const both = [await proof(who, key, { counter: 3 }), await proof(who, key, { counter: 3 })];
  const answers = await Promise.all(both.map(body => prove(who, device, body)));
  expect(answers.sort()).toEqual(['200 ok', `403 ${UNPROVEN}`]);
});

test('a key that is copied to other machines, one of another page and one that is enrolled already are enrolled as nothing, and the token stays', async () => {
  const who = await someone();
  const token = await tokenOfNew();
  const key = createSoftwareKey(PAGE);
  expect(said(await enroll(who, token, await created(who, key, { isSynced: true })))).toBe(
    '400 this key is copied to other machines: a trusted device has one that stays',
  );
  for (const change of [{ origin: 'https://evil.example.com' }, { rpId: 'example.com' }])
    expect(said(await enroll(who, token, await created(who, key, change))), JSON.stringify(change)).toBe(
      `403 ${UNPROVEN}`,
    );
  const { key: known } = await enrolled();
  expect(said(await enroll(who, token, await created(who, known)))).toBe(
    '409 this key is enrolled already: a device has a key of its own',
  );
  const both = { ...(await created(who, key)), public_key: newKey().publicKey, signature: 'a'.repeat(86) };
  expect((await who.call('POST', at('devicetrust/enroll'), { token, ...both })).status).toBe(400);
  expect((await enroll(who, token, await created(who, key))).status).toBe(200);
});

test('a gateway at an IP address names no domain for keys, and takes none', async () => {
  const bare = await openRig({ config: { publicUrl: 'https://10.0.0.1' } });
  try {
    await bare.addUser('bob', ['access'], ['root']);
    const bob = await bare.signIn('bob');
    const { json } = await bob.call('POST', at('devicetrust/challenge'), { purpose: 'enroll' });
    expect(json).not.toHaveProperty('rp_id');
    const { trustedDevices } = bare.services;
    const { id } = await trustedDevices.add({ os_type: 'linux', asset_tag: 'L-1' }, SYSTEM);
    const { token } = await trustedDevices.token(id, '1h', SYSTEM);
    expect(said(await enroll(bob, token, await created(bob, createSoftwareKey(PAGE), { rpId: '10.0.0.1' })))).toMatch(
      /^\d{3} hardware keys and passkeys are bound to a domain name/,
    );
  } finally {
    await bare.dispose();
  }
});
