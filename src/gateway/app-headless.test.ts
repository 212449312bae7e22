// Headless sign-in over the wire: a command line asks, its person approves in a browser.
import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { HEADLESS_MS } from '../contract/headless.ts';
import type { Challenge } from '../contract/mfa.ts';
import { said, withFactors } from './app-factors.testing.ts';

const newVerifier = () => randomBytes(32).toString('hex');
const idOf = (verifier: string) => createHash('sha256').update(verifier).digest('hex');

describe('a headless sign-in', () => {
  withFactors({ secondFactor: 'webauthn' }, get => {
    const ask = (user: string, verifier: string) => get().post('headless/login', { user, verifier });
    const someone = async () => {
      const { user, key } = await get().enrolled('webauthn');
      const browser = await get().withKey(user, key);
      const assertion = async () =>
        key.get((await browser.call('POST', 'mfa/authenticatechallenge')).json as Challenge);
      const answer = async (id: string, action: string, isProven = true) =>
        browser.call('PUT', `headless/${id}`, {
          action,
          ...(isProven && { webauthnAssertionResponse: await assertion() }),
        });
      return { user, browser, answer };
    };
    const codes = async (user: string) => {
      const { events } = await get().rig.store.events.search({
        from: new Date(0),
        to: new Date(Date.now() + 10 * HEADLESS_MS),
        limit: 100,
        types: ['user.login'],
        descending: false,
        participant: user,
      });
      return events.map(({ code }) => code).filter(code => code.startsWith('T101'));
    };

    test('opens one session for whoever has the verifier, once it is approved with a key', async () => {
      const { browserOf, later, rig } = get();
      const { user, browser, answer } = await someone();
      const verifier = newVerifier();
      const id = idOf(verifier);
      // The page may be there first: it waits for the question.
      const shown = browser.call('GET', `headless/${id}`);
      const asked = ask(user, verifier);
      expect((await shown).json).toMatchObject({ user, state: 1, client_ip_address: '127.0.0.1' });
      expect(said(await answer(id, 'accept', false))).toBe('403 invalid credentials');
      expect(said(await answer(id, 'accept'))).toBe('200 ok');
      const got = await asked;
      const { session } = got.json as { session: { token: string } };
      const signedIn = browserOf(user, { ...got, json: session });
      expect((await signedIn.call('GET', 'user/status')).status).toBe(200);
      expect(await codes(user)).toEqual(['T1012I', 'T1013W', 'T1013I']);
      expect(said(await answer(id, 'accept'))).toBe('400 invalid headless session');
      // Also after the machine has its session, the link says at once how it was answered.
      expect((await browser.call('GET', `headless/${id}`)).json).toMatchObject({ user, state: 3 });
      const other = await someone();
      const answers: string[] = [];
      void other.browser.call('GET', `headless/${id}`).then(got => answers.push(said(got)));
      // To anybody else it is a link that nobody has asked by, for as long.
      await expect
        .poll(() => {
          later(HEADLESS_MS);
          rig.changes.emit({ kind: 'headlessChanged' });
          return answers;
        })
        .toEqual(['400 invalid headless session']);
    });

    test('hears the answer whenever it looks: there is no moment between asked and answered', async () => {
      const { rig } = get();
      const { user, answer } = await someone();
      const verifier = newVerifier();
      const asked = ask(user, verifier);
      await expect.poll(async () => rig.store.challenges.get(idOf(verifier))).not.toBeNull();
      const { challenges } = rig.store;
      const original = { ...challenges };
      let looks = 0;
      let isLooking = false;
      /** After each thing that the store does for the answer, the machine that asks looks. */
      const watched =
        <Given extends readonly unknown[], Got>(run: (...given: Given) => Promise<Got>) =>
        async (...given: Given): Promise<Got> => {
          const got = await run(...given);
          if (isLooking) return got;
          isLooking = true;
          const before = looks;
          rig.changes.emit({ kind: 'headlessChanged' });
          await Promise.race([expect.poll(() => looks).toBeGreaterThan(before), asked]);
          isLooking = false;
          return got;
        };
      Object.assign(challenges, {
        get: async (id: string) => {
          const got = await original.get(id);
          looks += 1;
          return got;
        },
        take: watched(original.take),
        create: watched(original.create),
      });
      await answer(idOf(verifier), 'accept');
      Object.assign(challenges, original);
      expect(said(await asked)).toBe('200 ok');
    });

    // Rule 7.2: a headless request is accepted or denied by its person
    test('is refused by its person alone, and runs out after three minutes', async () => {
      const { later } = get();
      const [one, other] = [await someone(), await someone()];
      const verifier = newVerifier();
      const asked = ask(one.user, verifier);
      await one.browser.call('GET', `headless/${idOf(verifier)}`);
      for (const method of ['GET', 'PUT'])
        expect(
          said(
            await other.browser.call(
              method,
              `headless/${idOf(verifier)}`,
              method === 'PUT' ? { action: 'denied' } : undefined,
            ),
          ),
        ).toBe('400 invalid headless session');
      expect(said(await one.answer(idOf(verifier), 'denied', false))).toBe('200 ok');
      expect((await one.browser.call('GET', `headless/${idOf(verifier)}`)).json).toMatchObject({ state: 2 });
      expect(said(await asked)).toBe(`403 ${one.user} has refused this sign-in`);
      expect(await codes(one.user)).toEqual(['T1012I', 'T1014W']);

      const late = newVerifier();
      const unanswered = ask('nobody-has-this-name', late);
      await expect.poll(async () => get().rig.store.challenges.get(idOf(late))).not.toBeNull();
      later(HEADLESS_MS);
      get().rig.changes.emit({ kind: 'headlessChanged' });
      expect(said(await unanswered)).toBe('403 nobody has approved this sign-in within three minutes');
    });

    test('waits for so many of one address at once', async () => {
      const all = Array.from({ length: 11 }, () => ask('nobody', newVerifier()));
      expect((await Promise.race(all)).status).toBe(429);
      get().later(HEADLESS_MS);
      get().rig.changes.emit({ kind: 'headlessChanged' });
      expect((await Promise.all(all)).filter(({ status }) => status === 429)).toHaveLength(1);
    });
  });
});
