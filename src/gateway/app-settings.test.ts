// Every setting of second factors, and all that people may set with a link, sign in with, and change in their account under it.
import { describe, expect, test } from 'vitest';
import type { Device } from '../contract/devices.ts';
import type { Challenge } from '../contract/mfa.ts';
import { said, ways, withFactors } from './app-factors.testing.ts';

/** Which ways a setting takes, and whether nobody signs in with a password alone. */
const settings = [
  ['off', false, ['password'], false],
  ['on', false, ['totp', 'webauthn'], true],
  ['on', true, ['totp', 'webauthn', 'passwordless'], true],
  ['optional', false, ['password', 'totp', 'webauthn'], false],
  ['optional', true, ['password', 'totp', 'webauthn', 'passwordless'], false],
  ['otp', false, ['totp'], true],
  ['webauthn', false, ['webauthn'], true],
  ['webauthn', true, ['webauthn', 'passwordless'], true],
] as const;

describe.each(settings)('second factor %s, passwordless %s', (secondFactor, allowPasswordless, taken, isRequired) => {
  withFactors({ secondFactor, allowPasswordless }, get => {
    const isTaken = (way: (typeof ways)[number]): boolean => taken.some(one => one === way);

    test.each(ways.filter(way => !isTaken(way)))('%s: neither an invitation nor a reset takes it', async way => {
      const { invite, useLink, signInBy } = get();
      const { user, token } = await invite();
      const refused = /^400 this cluster (does not take|asks for a second factor)|^400 password is missing/;
      expect(said((await useLink(token, way)).answer)).toMatch(refused);
      const reset = await invite('password', user);
      const { answer, ...set } = await useLink(reset.token, way);
      expect(said(answer)).toMatch(refused);
      expect(said(await signInBy(user, way, set))).toMatch(/^403/);
    });

    test.each(taken)('%s: invited, signed in, in the account, and reset', async way => {
      const { invite, useLink, register, signInBy, browserOf, enter, codeOf } = get();
      const { user, token } = await invite();
      const { answer, ...set } = await useLink(token, way);
      expect(said(answer)).toBe('200 ok');
      const browser = browserOf(user, await signInBy(user, way, set));
      if (way !== 'password')
        expect(said(await enter(user))).toMatch(/^403 (a second factor is asked|invalid credentials)/);

      const privilege = async (): Promise<string> => {
        const asked = (await browser.call('POST', 'mfa/authenticatechallenge')).json as Challenge;
        const proof =
          way === 'totp'
            ? { secondFactorToken: codeOf(set.secret) }
            : { webauthnAssertionResponse: asked.webauthn_challenge && set.key?.get(asked) };
        return String((await browser.call('POST', 'users/privilege/token', proof)).json);
      };
      const remove = async (name: string) =>
        said(await browser.call('DELETE', `mfa/token/${await privilege()}/devices/${name}`));
      for (const other of ['totp', 'webauthn', 'passwordless'] as const) {
        const tokenId = await privilege();
        const added = await register(tokenId, other, ({ code, creation }: { code?: string; creation?: unknown }) =>
          browser.call('POST', 'mfa/devices', {
            tokenId,
            deviceName: other,
            secondFactorToken: code,
            webauthnRegisterResponse: creation,
            deviceUsage: other === 'passwordless' ? other : 'mfa',
          }),
        );
        expect(said(added.answer)).toMatch(isTaken(other) ? '200 ok' : /^400 this cluster does not take/);
        // Whoever had none proves the next change with what there is now.
        if (isTaken(other) && way !== 'password') expect(await remove(other)).toBe('200 ok');
        else if (isTaken(other)) break;
      }
      if (way !== 'password') {
        // The console greys by what is listed: it must be what removing answers.
        const listed = (await browser.call('GET', 'mfa/devices')).json as Device[];
        const { kept } = listed.find(({ name }) => name === 'first') ?? {};
        const removed = await remove('first');
        expect(removed).toMatch(isRequired || way === 'passwordless' ? /^400 .*last device/ : '200 ok');
        expect(removed).toBe(kept === undefined ? '200 ok' : `400 ${kept}`);
      }

      const reset = await invite('password', user);
      expect((await browser.call('GET', 'user/status')).status).toBe(403);
      expect(said(await signInBy(user, way, set))).toMatch(/^403/);
      const { answer: again, ...next } = await useLink(reset.token, way);
      expect([said(again), said(await signInBy(user, way, next))]).toEqual(['200 ok', '200 ok']);
    });
  });
});
