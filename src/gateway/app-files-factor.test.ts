// Files over HTTP where a role asks for a hardware key for each session: every call has its own proof, good once.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Challenge } from '../contract/mfa.ts';
import { CLUSTER } from './app.testing.ts';
import { withFactors } from './app-factors.testing.ts';
import { roleResource } from './services/rights/source.ts';

const login = userInfo().username;

withFactors({ secondFactor: 'webauthn' }, get => {
  test('a file is read, listed and written with the key that was asked for this, once, and refused without it', async () => {
    const { rig, enrolled, withKey } = get();
    const folder = await mkdtemp(join(tmpdir(), 'postern-files-factor-'));
    try {
      await writeFile(join(folder, 'secret'), 'what is in it');
      const options = 'spec: {options: {require_session_mfa: true}}';
      await rig.store.resources.create(roleResource(`kind: role\nversion: v7\nmetadata: {name: keyed}\n${options}\n`));
      const server = await rig.addServer('db-3');
      const user = 'grace';
      await rig.addUser(user, ['access', 'keyed'], [login]);
      const { key } = await enrolled('webauthn', user);
      const browser = await withKey(user, key);
      const { factors } = rig.services.identity;
      const userId = (await rig.store.users.get(user))?.id ?? '';
      const challenge = async () => (await browser.call('POST', 'mfa/authenticatechallenge')).json as Challenge;
      const proofOf = (asked: Challenge): string => JSON.stringify({ webauthnAssertionResponse: key.get(asked) });
      await rig.app.listen({ port: 0, host: '127.0.0.1' });
      const { port } = rig.app.server.address() as AddressInfo;
      const headers = { cookie: `__Host-session=${browser.cookie}`, authorization: `Bearer ${browser.bearer}` };
      /** Status and message. */
      async function make(method: string, what: string, location: string, webauthn?: string): Promise<string> {
        const query = new URLSearchParams({ location, ...(webauthn !== undefined && { webauthn }) });
        const url = `http://127.0.0.1:${port}/v1/webapi/sites/${CLUSTER}/nodes/${server}/${login}/${what}?${query}`;
        const answer = await fetch(url, { method, headers, ...(method === 'POST' && { body: 'new' }) });
        const told = await answer.text();
        return answer.ok
          ? '200'
          : `${answer.status} ${(JSON.parse(told) as { error: { message: string } }).error.message}`;
      }
      const secret = join(folder, 'secret');
      const read = (webauthn?: string) => make('GET', 'scp', secret, webauthn);
      const list = (webauthn?: string) => make('GET', 'files', folder, webauthn);
      const write = (webauthn?: string) => make('POST', 'scp', secret, webauthn);

      expect(await read()).toBe('403 MFA required for file transfer');
      expect(await list()).toBe('403 MFA required for file transfer');
      expect(await write()).toBe('403 MFA required for file transfer');
      const proof = proofOf(await challenge());
      expect(await read(proof)).toBe('200');
      const refused = '403 The hardware key was not accepted.';
      expect(await read(proof)).toBe(refused);
      expect(await read(proofOf(await factors.challenge(userId, 'session', 'other')))).toBe(refused);
      const other = await enrolled('webauthn');
      const foreign = JSON.stringify({ webauthnAssertionResponse: other.key.get(await challenge()) });
      for (const wrong of [foreign, '{}', 'no JSON', '{"webauthnAssertionResponse":{"id":"AA"}}'])
        expect(await read(wrong), wrong).toBe(refused);
      expect(await list(proofOf(await challenge()))).toBe('200');
      // Looking around is proven once; copying is proven each time.
      expect(await list()).toBe('200');
      expect(await read()).toBe('403 MFA required for file transfer');
      expect(await write(proofOf(await challenge()))).toBe('200');
      expect(await readFile(secret, 'utf8')).toBe('new');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
