// Second factors over the wire.
import { describe, expect, test } from 'vitest';
import { hostileLinks } from '../../e2e/rigs/hostile-links.ts';
import { type Challenge, type CreationOptions, PRIVILEGE_MS } from '../contract/mfa.ts';
import { call, PASSWORD } from './app.testing.ts';
import { base64, said, withFactors } from './app-factors.testing.ts';

describe('any second factor is required', () => {
  withFactors({ secondFactor: 'on', allowPasswordless: true, recoveryCodes: true }, get => {
    // Rule 7.1: a user and a password sign in, with the code where one is asked for
    test('a code signs in once, and the sixth wrong one finds the name locked', async () => {
      const { enrolled, enter, codeOf, codeAt } = get();
      const { user, secret } = await enrolled('totp');
      const code = codeOf(secret);
      expect(said(await enter(user))).toMatch(/^403 a second factor is asked for/);
      expect(said(await enter(user, code, 'wrong password'))).toBe('403 invalid credentials');
      expect(said(await enter(user, code))).toBe('200 ok');
      for (const wrong of [code, '12', 'abcdef', codeAt(secret, Date.now() - 3_600_000)])
        expect(said(await enter(user, wrong))).toBe('403 invalid credentials');
      expect(said(await enter(user, '000000'))).toMatch(/^403 this name is locked after 5 failed attempts/);
      expect(said(await enter(user, codeOf(secret)))).toMatch(/locked/);
    });

    test('the right password alone, step by step, does not lift what wrong codes have counted', async () => {
      const { enrolled, enter, begin } = get();
      const { user } = await enrolled('totp');
      for (let tries = 0; tries < 4; tries++) {
        expect((await begin(user)).json).toEqual({ webauthn_challenge: null, totp_challenge: true });
        expect(said(await enter(user, '000000'))).toBe('403 invalid credentials');
      }
      expect(said(await enter(user, '000000'))).toMatch(/locked/);
      expect(said(await begin(user))).toMatch(/locked/);
    });

    test('unknown names, wrong passwords and names without a device hear the same of a first step', async () => {
      const { begin, invite } = get();
      const { user } = await invite();
      expect([said(await begin('nobody')), said(await begin(user, 'wrong password'))]).toEqual([
        '403 invalid credentials',
        '403 invalid credentials',
      ]);
      expect(said(await begin(user))).toMatch(/you have none: ask an administrator/);
    });

    // Rule 7.2: a key signs in, once per challenge
    test('a key signs in, once per challenge', async () => {
      const { enrolled, begin, finish, browserOf } = get();
      const { user, key } = await enrolled('webauthn');
      const answer = key.get((await begin(user)).json as Challenge);
      const browser = browserOf(user, await finish(user, answer));
      expect((await browser.call('GET', 'user/status')).status).toBe(200);
      expect(said(await finish(user, answer))).toBe('403 invalid credentials');
    });

    test.each([
      ['another origin', { origin: 'https://evil.example.com' }],
      ['another domain', { rpId: 'evil.example.com' }],
      ['a forged signature', { isForged: true }],
      ['a counter that went back', { counter: 0 }],
    ])('a key that answers with %s is refused', async (_what, change) => {
      const { enrolled, begin, finish, withKey } = get();
      const { user, key } = await enrolled('webauthn');
      await withKey(user, key);
      const asked = (await begin(user)).json as Challenge;
      expect(said(await finish(user, key.get(asked, change)))).toBe('403 invalid credentials');
      // The challenge went with the failed answer.
      expect(said(await finish(user, key.get(asked)))).toBe('403 invalid credentials');
    });

    test('a command line has its own challenge of a session asked for by the browser, and answered at its loopback alone', async () => {
      const { enrolled, withKey, rig, later } = get();
      const { user, key } = await enrolled('webauthn');
      const [browser, stranger] = [await withKey(user, key), await enrolled('webauthn')];
      const other = await withKey(stranger.user, stranger.key);
      const { factors } = rig.services.identity;
      const userId = (await rig.store.users.get(user))?.id ?? '';
      const scope = JSON.stringify({ connection: 'c1', title: 'root@db-3' });
      const of = ({ webauthn_challenge }: Challenge): string => webauthn_challenge?.publicKey.challenge ?? '';
      const challenge = of(await factors.challenge(userId, 'session', scope));
      const redirect_url = 'http://127.0.0.1:4000/callback?state=1';
      const ask = (given: object = {}, by = browser) =>
        by.call('POST', 'mfa/sessionkeychallenge', { challenge, redirect_url, ...given });
      const { json } = await ask();
      expect(json).toMatchObject({ title: 'root@db-3', redirect_url });
      for (const link of hostileLinks)
        expect(said(await ask({ redirect_url: link })), link).toMatch(/^400 redirect_url/);
      const none = '400 no session of yours waits for this key';
      const account = of((await browser.call('POST', 'mfa/authenticatechallenge')).json as Challenge);
      expect(said(await ask({ challenge: account }))).toBe(none);
      expect(said(await ask({}, other))).toBe(none);
      const assertion = key.get((json as { challenge: Challenge }).challenge);
      // Whose connection it is not gets nothing for it, and it is used up.
      expect(await factors.prove(userId, { assertion }, 'session', scope.replace('c1', 'c2'))).toBeNull();
      expect(said(await ask())).toBe(none);
      const late = of(await factors.challenge(userId, 'session', scope));
      later(PRIVILEGE_MS);
      expect(said(await ask({ challenge: late }))).toMatch(/^40[03]/);
    });

    test('the key that is asked for a certificate opens that one database, through the browser of a command line as well', async () => {
      const { enrolled, withKey } = get();
      const { user, key } = await enrolled('webauthn');
      const browser = await withKey(user, key);
      const at = (name: string, more = '') => `sites/-current-/databases/${name}/certificate${more}`;
      const asked = (await browser.call('POST', at('orders', '/challenge'))).json as Challenge;
      const { json } = await browser.call('POST', 'mfa/sessionkeychallenge', {
        challenge: asked.webauthn_challenge?.publicKey.challenge,
        redirect_url: 'http://127.0.0.1:4000/callback',
      });
      expect(json).toMatchObject({ title: 'the database orders' });
      const issue = async (name: string) => {
        const challenge = (await browser.call('POST', at('orders', '/challenge'))).json as Challenge;
        return said(
          await browser.call('POST', at(name), { publicKey: 'none', webauthnAssertionResponse: key.get(challenge) }),
        );
      };
      expect(await issue('payroll')).toBe('403 The hardware key was not accepted.');
      expect(await issue('orders')).not.toMatch(/hardware key/);
    });

    test('a challenge is for one person, one purpose and five minutes', async () => {
      const { later, enrolled, begin, finish, withKey } = get();
      const one = await enrolled('webauthn');
      const other = await enrolled('webauthn');
      const asked = (await begin(one.user)).json as Challenge;
      expect(said(await finish(other.user, other.key.get(asked)))).toBe('403 invalid credentials');
      const browser = await withKey(one.user, one.key);
      const account = (await browser.call('POST', 'mfa/authenticatechallenge')).json as Challenge;
      expect(said(await finish(one.user, one.key.get(account)))).toBe('403 invalid credentials');
      const late = (await begin(one.user)).json as Challenge;
      later(5 * 60_000);
      expect(said(await finish(one.user, one.key.get(late)))).toBe('403 invalid credentials');
    });

    test('half signed in reaches nothing but the second step', async () => {
      const { rig, enrolled, begin } = get();
      const { user } = await enrolled('webauthn');
      const half = await begin(user);
      expect(half.headers['set-cookie']).toBeUndefined();
      expect(Object.keys(half.json as object).sort()).toEqual(['totp_challenge', 'webauthn_challenge']);
      const challenge = (half.json as Challenge).webauthn_challenge?.publicKey.challenge ?? '';
      const tried = { method: 'GET', url: '/v1/webapi/user/status', bearer: challenge, cookie: challenge };
      expect((await call(rig.app, tried)).status).toBe(403);
    });

    // Rule 7.2: a passkey begins without a name
    test('a passkey signs in by itself, when its owner was verified', async () => {
      const { rig, post, enrolled, finish, browserOf } = get();
      const { user, key } = await enrolled('passwordless');
      const ask = async () => (await post('mfa/login/begin', { passwordless: true })).json as Challenge;
      expect((await ask()).webauthn_challenge?.publicKey).not.toHaveProperty('allowCredentials');
      browserOf(user, await finish('', key.get(await ask())));
      for (const change of [{ isVerified: false }, { userHandle: 'AAAA' }, { counter: 0 }, { origin: 'https://x.y' }])
        expect(said(await finish('', key.get(await ask(), change)))).toBe('403 invalid credentials');
      const stored = await rig.store.users.get(user);
      expect(await rig.store.passwords.get(stored?.id ?? '')).toBeNull();
    });

    test('a key that is only a second factor does not sign in by itself', async () => {
      const { post, enrolled, finish } = get();
      const { key } = await enrolled('webauthn');
      const asked = (await post('mfa/login/begin', { passwordless: true })).json as Challenge;
      expect(said(await finish('', key.get(asked)))).toBe('403 invalid credentials');
    });

    // Rule 7.1: a link is used up only by what is complete
    // Rule 7.1: a code alone resets nothing: it goes with the new password and a name for the device
    test('a link is used up only by what is complete, and shows its QR code however often', async () => {
      const { rig, put, post, invite, challengeFor, codeOf } = get();
      const { user, token } = await invite();
      const complete = (more: object) => put('users/password/token', { token, password: base64(PASSWORD), ...more });
      expect(said(await complete({}))).toMatch(/^400 this cluster asks for a second factor/);
      expect(said(await complete({ second_factor_token: '000000' }))).toBe('400 Device name is required');
      expect(said(await complete({ second_factor_token: '000000', deviceName: 'phone' }))).toMatch(
        /^400 the code is wrong/,
      );
      expect(said(await put('users/password/token', { token, password: null }))).toBe('400 password is missing');
      const { totp } = await challengeFor(token, 'totp');
      expect((await challengeFor(token, 'totp')).totp).toEqual(totp);
      expect(Buffer.from(totp.qrCode, 'base64').subarray(1, 4).toString()).toBe('PNG');
      const shown = await call(rig.app, { method: 'GET', url: `/v1/webapi/users/password/token/${token}` });
      expect(shown.json).toEqual({ tokenId: token, user, qrCode: totp.qrCode });
      const done = await complete({ second_factor_token: codeOf(totp.secret), deviceName: ' phone ' });
      expect((done.json as { recovery: { codes: string[] } }).recovery.codes).toHaveLength(3);
      expect(said(await complete({}))).toBe('403 bad or expired token');
      expect(said(await post(`mfa/token/${token}/registerchallenge`, { deviceType: 'totp' }))).toMatch(/^403/);
      const kept = await rig.store.mfaDevices.list((await rig.store.users.get(user))?.id ?? '');
      expect(kept.map(({ name, secret }) => [name, secret.startsWith('v1.')])).toEqual([['phone', true]]);
      expect(JSON.stringify(kept)).not.toContain(totp.secret);
    });

    // Rule 9: a new set of codes replaces the old
    test('a reset takes the devices away, and the new codes replace the old', async () => {
      const { rig, invite, enrolled, begin } = get();
      const { user } = await enrolled('webauthn');
      const { id = '' } = (await rig.store.users.get(user)) ?? {};
      await invite('password', user);
      expect(await rig.store.mfaDevices.list(id)).toEqual([]);
      expect(said(await begin(user))).toBe('403 invalid credentials');
    });

    // Rule 3.4: a device: its kind in words, when it was registered and last used
    // Rule 7.2: devices are listed, added and removed, also with a token
    test('devices are added and removed with a privilege token, and of two that go at once the last one stays', async () => {
      const { enrolled, withKey, codeOf } = get();
      const { user, key } = await enrolled('webauthn');
      const browser = await withKey(user, key);
      const prove = async (given: object) => browser.call('POST', 'users/privilege/token', given);
      const privilege = async (): Promise<string> => {
        const asked = (await browser.call('POST', 'mfa/authenticatechallenge')).json as Challenge;
        return String((await prove({ webauthnAssertionResponse: key.get(asked) })).json);
      };
      expect(said(await prove({}))).toBe('403 invalid credentials');
      expect(said(await prove({ secondFactorToken: '000000' }))).toBe('403 invalid credentials');

      const tokenId = await privilege();
      const options = await browser.call('POST', `mfa/token/${tokenId}/registerchallenge`, { deviceType: 'totp' });
      const { totp } = options.json as { totp: { secret: string } };
      const add = (more: object) => browser.call('POST', 'mfa/devices', { tokenId, deviceName: 'phone', ...more });
      expect(said(await add({ secondFactorToken: '000000' }))).toMatch(/^400 the code is wrong/);
      expect(said(await add({ secondFactorToken: codeOf(totp.secret) }))).toBe('200 ok');
      expect(said(await add({ secondFactorToken: codeOf(totp.secret) }))).toBe('403 bad or expired token');
      const devices = (await browser.call('GET', 'mfa/devices')).json as { name: string; type: string }[];
      expect(devices.map(({ name, type }) => `${name} ${type}`)).toEqual(['first WebAuthn', 'phone TOTP']);

      const again = await privilege();
      const known = await browser.call('POST', `mfa/token/${again}/registerchallenge`, { deviceType: 'webauthn' });
      const { webauthn } = known.json as { webauthn: CreationOptions };
      expect(webauthn.publicKey.excludeCredentials).toHaveLength(1);
      const sameKey = { tokenId: again, deviceName: 'twin', webauthnRegisterResponse: key.create(webauthn) };
      expect((await browser.call('POST', 'mfa/devices', sameKey)).status).toBe(409);

      const remove = async (name: string, token: string) =>
        said(await browser.call('DELETE', `mfa/token/${token}/devices/${name}`));
      const third = await privilege();
      expect(await remove('none', third)).toBe('404 you have no device "none"');
      const fourth = await privilege();
      const [phone, first] = await Promise.all([remove('phone', third), remove('first', fourth)]);
      expect([phone, first].sort()).toEqual(['200 ok', expect.stringMatching(/^400 .* this is your last device$/)]);
      expect(await remove('first', phone === '200 ok' ? third : fourth)).toBe('403 bad or expired token');
    });

    test("a privilege token is nobody else's, and does for no link", async () => {
      const { enrolled, withKey, put } = get();
      const [one, other] = [await enrolled('webauthn'), await enrolled('webauthn')];
      const [mine, theirs] = [await withKey(one.user, one.key), await withKey(other.user, other.key)];
      const asked = (await mine.call('POST', 'mfa/authenticatechallenge')).json as Challenge;
      const answer = { webauthnAssertionResponse: one.key.get(asked) };
      const tokenId = String((await mine.call('POST', 'users/privilege/token', answer)).json);
      const add = { tokenId, deviceName: 'phone', secondFactorToken: '000000' };
      expect(said(await theirs.call('POST', 'mfa/devices', add))).toBe('403 bad or expired token');
      const password = base64(PASSWORD);
      expect(said(await put('users/password/token', { token: tokenId, password }))).toBe('403 bad or expired token');
      expect(said(await theirs.call('POST', 'mfa/recoverycodes', { tokenId }))).toBe('403 bad or expired token');
      const renewed = (await mine.call('POST', 'mfa/recoverycodes', { tokenId })).json as { codes: string[] };
      expect(renewed.codes.every(code => /^postern(-[a-z]+){8}$/.test(code))).toBe(true);
      expect((await mine.call('GET', 'mfa/recoverycodes')).json).toMatchObject({ left: 3 });
    });

    // Rule 7.1: a password is changed with the second factor
    test('a password is changed with the second factor as well', async () => {
      const { enrolled, withKey } = get();
      const { user, key } = await enrolled('webauthn');
      const browser = await withKey(user, key);
      const change = { old_password: base64(PASSWORD), new_password: base64('another long one') };
      expect(said(await browser.call('PUT', 'users/password', change))).toBe('403 invalid credentials');
      const begin = (pass: string) =>
        browser.call('POST', 'mfa/authenticatechallenge/password', { pass: base64(pass) });
      expect(said(await begin('wrong password'))).toBe('403 invalid credentials');
      const answer = key.get((await begin(PASSWORD)).json as Challenge);
      const given = { ...change, webauthnAssertionResponse: answer };
      expect(said(await browser.call('PUT', 'users/password', given))).toBe('200 ok');
    });

    test('who has a passkey and no password sets one with that passkey, and nobody who has one goes round it', async () => {
      const { enrolled, signInBy, browserOf } = get();
      const { user, key, secret } = await enrolled('passwordless');
      const browser = browserOf(user, await signInBy(user, 'passwordless', { key, secret }));
      const context = async () => (await browser.call('GET', 'sites/here/context')).json as { hasPassword: boolean };
      expect((await context()).hasPassword).toBe(false);
      const set = (more: object) =>
        browser.call('PUT', 'users/password', {
          old_password: null,
          new_password: base64('a first password'),
          ...more,
        });
      expect(said(await set({}))).toBe('403 invalid credentials');
      expect(said(await set({ old_password: base64('') }))).toBe('403 invalid credentials');
      const asked = await browser.call('POST', 'mfa/authenticatechallenge', {});
      expect(said(await set({ webauthnAssertionResponse: key.get(asked.json as Challenge) }))).toBe('200 ok');
      expect((await context()).hasPassword).toBe(true);
      const again = await browser.call('POST', 'mfa/authenticatechallenge', {});
      const assertion = key.get(again.json as Challenge);
      expect(said(await set({ webauthnAssertionResponse: assertion }))).toBe('403 invalid credentials');
    });

    test('the audit log names the device, and no secret', async () => {
      const { rig, enrolled, withKey } = get();
      const { user, key } = await enrolled('webauthn');
      const browser = await withKey(user, key);
      await browser.call('POST', 'users/privilege/token', { secondFactorToken: '000000' });
      const asked = (await browser.call('POST', 'mfa/authenticatechallenge')).json as Challenge;
      await browser.call('POST', 'users/privilege/token', { webauthnAssertionResponse: key.get(asked) });
      const day = 24 * 3_600_000;
      const found = await rig.store.events.search({
        from: new Date(Date.now() - day),
        to: new Date(Date.now() + day),
        limit: 100,
        types: [],
        descending: false,
        participant: user,
      });
      const mine = found.events.filter(event => event.user === user);
      const all = ['T1006I', 'T1008I', 'T1000I', 'T1015I', 'T1016I', 'T1016W', 'T6002I'];
      expect(mine.map(({ code }) => code)).toEqual(expect.arrayContaining(all));
      const device = { mfa_device_name: 'first', mfa_device_type: 'WebAuthn' };
      for (const code of ['T1006I', 'T1016I'])
        expect(mine.find(event => event.code === code)?.raw).toMatchObject(device);
      expect(mine.filter(({ code }) => code === 'T1000I').at(-1)?.raw.mfa_device).toMatchObject(device);
    });
  });
});

describe('the setting says which devices are taken', () => {
  withFactors({ secondFactor: 'otp' }, get => {
    test('authenticator apps only, and no recovery codes where there are none', async () => {
      const { post, invite, enrolled } = get();
      const { token } = await invite();
      const asked = (deviceType: string, deviceUsage: string) =>
        post(`mfa/token/${token}/registerchallenge`, { deviceType, deviceUsage });
      expect(said(await asked('webauthn', 'mfa'))).toBe('400 this cluster does not take hardware keys');
      expect(said(await asked('webauthn', 'passwordless'))).toBe('400 this cluster does not take passwordless sign-in');
      expect(said(await post('mfa/login/begin', { passwordless: true }))).toMatch(/^403 .* passwordless sign-in/);
      expect((await enrolled('totp')).recovery).toEqual({ recovery: {} });
    });
  });
  withFactors({ secondFactor: 'off', allowPasswordless: true }, get => {
    test('a passkey proves again who somebody is where no second factor is asked for', async () => {
      const { enrolled, signInBy, browserOf } = get();
      const { user, key, secret } = await enrolled('passwordless');
      const browser = browserOf(user, await signInBy(user, 'passwordless', { key, secret }));
      expect(said(await browser.call('POST', 'users/privilege/token', {}))).toBe('403 invalid credentials');
      const asked = (await browser.call('POST', 'mfa/authenticatechallenge', {})).json as Challenge;
      const given = { webauthnAssertionResponse: key.get(asked) };
      expect(said(await browser.call('POST', 'users/privilege/token', given))).toBe('200 ok');
    });
  });
  withFactors({ secondFactor: 'optional' }, get => {
    test('none is asked of whoever has none, and asked of whoever has one, who may remove it', async () => {
      const { invite, enter, enrolled, codeOf, browserOf } = get();
      const { user } = await invite();
      expect(said(await enter(user))).toBe('200 ok');
      const { user: careful, secret } = await enrolled('totp');
      expect(said(await enter(careful))).toMatch(/^403 a second factor is asked for/);
      const browser = browserOf(careful, await enter(careful, codeOf(secret)));
      const given = { secondFactorToken: codeOf(secret) };
      const token = String((await browser.call('POST', 'users/privilege/token', given)).json);
      expect(said(await browser.call('DELETE', `mfa/token/${token}/devices/first`))).toBe('200 ok');
      expect(said(await enter(careful))).toBe('200 ok');
    });
  });
  withFactors({ secondFactor: 'on', allowPasswordless: true, publicUrl: 'https://192.0.2.1' }, get => {
    test('at an IP address a hardware key is said to be impossible, and why', async () => {
      const { post, invite, enrolled, begin } = get();
      const { token } = await invite();
      const asked = await post(`mfa/token/${token}/registerchallenge`, { deviceType: 'webauthn' });
      expect(said(asked)).toMatch(/^501 hardware keys and passkeys are bound to a domain name, and https:\/\/192/);
      expect(said(await post('mfa/login/begin', { passwordless: true }))).toMatch(/^501/);
      const { user } = await enrolled('totp');
      expect((await begin(user)).json).toEqual({ webauthn_challenge: null, totp_challenge: true });
    });
  });
});
