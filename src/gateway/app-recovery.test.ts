// Lost passwords and lost devices, replaced with a recovery code; and policies of private keys, which keep browsers out.
import { describe, expect, test } from 'vitest';
import type { Challenge } from '../contract/mfa.ts';
import { RECOVERY_MS } from '../contract/recovery.ts';
import { PASSWORD } from './app.testing.ts';
import { base64, said, withFactors } from './app-factors.testing.ts';
import { NO_HARDWARE_KEYS } from './ports/rights.ts';
import { roleResource } from './services/rights/source.ts';

const NEXT = 'another long password';
type Codes = { recovery: { codes: string[] } };

describe('recovery codes', () => {
  withFactors({ secondFactor: 'on', recoveryCodes: true, allowPasswordless: true }, get => {
    const begin = (user: string, code: string, lost = 'password') => get().post('users/recovery', { user, code, lost });
    const complete = (body: object) => get().put('users/recovery', body);
    const tokenOf = async (user: string, code: string, lost?: string) =>
      ((await begin(user, code, lost)).json as { tokenId: string }).tokenId;
    const codesOf = ({ recovery }: { recovery: unknown }) =>
      (recovery as Codes).recovery.codes as [string, string, string];
    const events = async (user: string) =>
      (
        await get().rig.store.events.search({
          from: new Date(0),
          to: new Date(Date.now() + 10 * 24 * 3_600_000),
          limit: 100,
          types: [],
          descending: false,
          participant: user,
        })
      ).events.map(({ code }) => code);

    test('a lost password is replaced with a code and the device, and everything else of before ends', async () => {
      const { enrolled, withKey, post, enter, begin: signIn } = get();
      const made = await enrolled('webauthn');
      const { user, key } = made;
      const old = await withKey(user, key);
      const [code] = codesOf(made);
      // As people type it.
      const token = await tokenOf(user, ` ${code.slice('postern-'.length).replaceAll('-', ' ').toUpperCase()}`);
      expect(said(await begin(user, code))).toBe('403 invalid credentials');
      const asked = (await post(`mfa/token/${token}/authenticatechallenge`, {})).json as Challenge;
      const body = { token, password: base64(NEXT) };
      expect(said(await complete(body))).toBe('403 invalid credentials');
      expect(said(await complete({ ...body, password: base64('short') }))).toMatch(/^400 password must have/);
      const done = await complete({ ...body, webauthnAssertionResponse: key.get(asked) });
      expect((done.json as Codes).recovery.codes).toHaveLength(3);
      expect(done.headers['set-cookie']).toContain('__Host-session=');
      expect(said(await complete(body))).toBe('403 bad or expired token');
      expect([(await old.call('GET', 'user/status')).status, said(await enter(user))]).toEqual([
        403,
        '403 invalid credentials',
      ]);
      expect((await signIn(user, NEXT)).status).toBe(200);
      // The old set went with the new one.
      expect(said(await begin(user, codesOf(made)[1]))).toBe('403 invalid credentials');
      expect(await events(user)).toEqual(expect.arrayContaining(['T1009I', 'T1009W', 'T6001I', 'T1005I', 'T1008I']));
    });

    test('a lost device is replaced with a code and the password, and all devices of before go', async () => {
      const { enrolled, challengeFor, codeOf, enter, rig } = get();
      const made = await enrolled('webauthn');
      const token = await tokenOf(made.user, codesOf(made)[0], 'device');
      const { totp } = await challengeFor(token, 'totp');
      const body = { token, deviceName: 'phone', second_factor_token: codeOf(totp.secret) };
      expect(said(await complete({ ...body, password: base64('wrong password') }))).toBe('403 invalid credentials');
      expect(said(await complete({ ...body, deviceName: ' ', password: base64(PASSWORD) }))).toBe(
        '400 Device name is required',
      );
      expect(said(await complete({ ...body, password: base64(PASSWORD) }))).toBe('200 ok');
      const { id = '' } = (await rig.store.users.get(made.user)) ?? {};
      expect((await rig.store.mfaDevices.list(id)).map(({ name }) => name)).toEqual(['phone']);
      expect(said(await enter(made.user, codeOf(totp.secret)))).toBe('200 ok');
      expect(await events(made.user)).toEqual(expect.arrayContaining(['T1007I', 'T1006I']));
    });

    test('whoever has only a passkey gets another one with a code', async () => {
      const { enrolled, challengeFor } = get();
      const made = await enrolled('passwordless');
      const token = await tokenOf(made.user, codesOf(made)[0], 'device');
      const { webauthn } = await challengeFor(token, 'webauthn', 'passwordless');
      const { key } = made;
      const answer = { token, password: null, deviceName: 'new', webauthnCreationResponse: key.create(webauthn) };
      expect(said(await complete(answer))).toBe('200 ok');
    });

    test('unknown names and wrong codes hear the same, five of them lock the name, and a token is for what it is', async () => {
      const { enrolled, put, post, later } = get();
      const made = await enrolled('totp');
      const [code] = codesOf(made);
      const wrong = code.replace(/-[a-z]+$/, '-zoo');
      for (const user of [made.user, 'nobody-at-all']) {
        for (let tries = 0; tries < 4; tries++) expect(said(await begin(user, wrong))).toBe('403 invalid credentials');
        expect(said(await begin(user, wrong))).toMatch(/^403 this name is locked after 5 failed attempts/);
      }
      expect(said(await begin(made.user, code))).toMatch(/locked/);
      later(30 * 60_000);
      const token = await tokenOf(made.user, code);
      expect(said(await put('users/password/token', { token, password: base64(NEXT) }))).toBe(
        '403 bad or expired token',
      );
      const register = { deviceType: 'totp', deviceUsage: 'mfa' };
      expect(said(await post(`mfa/token/${token}/registerchallenge`, register))).toBe('403 bad or expired token');
      later(RECOVERY_MS);
      expect(said(await post(`mfa/token/${token}/authenticatechallenge`, {}))).toBe('403 bad or expired token');
    });
  });

  withFactors({ secondFactor: 'off' }, get => {
    test('are none where the cluster gives none', async () => {
      const { post } = get();
      const asked = { user: 'nobody', code: 'x', lost: 'password' };
      expect(said(await post('users/recovery', asked))).toBe('501 this cluster has no recovery codes');
    });

    // Rule 3.4: a key policy is told to whoever completes an invitation
    test('a role that wants private keys in hardware keeps browsers out, also with a link, and never the last administrator', async () => {
      const { rig, enter, invite, put } = get();
      const keyed =
        'kind: role\nversion: v7\nmetadata: {name: keyed}\nspec: {options: {require_session_mfa: hardware_key_touch}}\n';
      await rig.store.resources.create(roleResource(keyed));
      await rig.addUser('kim', ['access', 'keyed']);
      const refused = await enter('kim');
      expect(said(refused)).toBe(`403 private key policy not met: hardware_key_touch. ${NO_HARDWARE_KEYS}`);
      expect([refused.json, refused.headers['set-cookie']]).toMatchObject([
        { error: { code: 'hardware_key' } },
        undefined,
      ]);
      const { token } = await invite('password', 'kim');
      const done = await put('users/password/token', { token, password: base64(NEXT) });
      expect([done.status, done.json, done.headers['set-cookie']]).toEqual([
        200,
        { recovery: {}, privateKeyPolicyEnabled: true },
        undefined,
      ]);
      await rig.addUser('root', ['access', 'editor']);
      const root = await rig.signIn('root');
      const locksOut = await root.call('PUT', '/v1/webapi/users', {
        name: 'root',
        roles: ['access', 'editor', 'keyed'],
      });
      expect(said(locksOut)).toBe('400 this would leave nobody who can edit users and roles');
    });
  });
});
