// Files over HTTP where a role asks for a hardware key for each session: every call has its own proof, good once.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

      // One touch for several: each once, as it was named, in this web session only, and nothing else.
      const [one, two] = [join(folder, 'one'), join(folder, 'two')];
      const base = `/v1/webapi/sites/${CLUSTER}/nodes/${server}/${login}/scp`;
      const transfers = [
        { download: false, location: one, filename: 'one' },
        { download: true, location: secret, filename: '' },
        { download: false, location: two, filename: '', reach: 'folder' },
      ];
      const asked = await challenge();
      const set = async (proof: string): Promise<string> => {
        const { status, json } = await browser.call('POST', `${base.slice('/v1/webapi/'.length)}/set`, {
          transfers,
          webauthn: proof,
        });
        return status === 200 ? (json as { set: string }).set : `${status}`;
      };
      const key1 = proofOf(asked);
      const name = await set(key1);
      expect([name, await set(key1)]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), '403']);
      const within = async (method: string, location: string, by = name, filename = ''): Promise<number> => {
        const query = new URLSearchParams({ location, set: by, ...(filename !== '' && { filename }) });
        const body = method === 'POST' ? { body: 'new' } : {};
        return (await fetch(`http://127.0.0.1:${port}${base}?${query}`, { method, headers, ...body })).status;
      };
      expect([await within('GET', one), await within('POST', secret), await within('GET', join(folder, 'x'))]).toEqual(
        Array(3).fill(403),
      );
      expect([await within('POST', one, name, 'one'), await within('POST', one, name, 'one')]).toEqual([200, 403]);
      expect([await within('GET', secret), await within('GET', secret)]).toEqual([200, 403]);
      await mkdir(two);
      expect([await within('POST', `${two}/a`, name, 'a'), await within('POST', `${two}/a`, name, 'a')]).toEqual([
        200, 403,
      ]);
      expect(await within('POST', `${two}/../b`, name, 'b')).toBe(403);
      expect(await readdir(folder)).not.toContain('b');
      expect(await within('POST', `${two}/c`, randomUUID(), 'c')).toBe(403);
      const { cookie, bearer } = await withKey(user, key);
      const elsewhere = { cookie: `__Host-session=${cookie}`, authorization: `Bearer ${bearer}` };
      const query = new URLSearchParams({ location: `${two}/d`, filename: 'd', set: name });
      const stolen = await fetch(`http://127.0.0.1:${port}${base}?${query}`, {
        method: 'POST',
        headers: elsewhere,
        body: 'x',
      });
      expect(stolen.status).toBe(403);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
