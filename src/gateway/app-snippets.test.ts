import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, openRig, type Rig } from './app.testing.ts';

let rig: Rig;
let ann: Browser;
let bob: Browser;
beforeAll(async () => {
  rig = await openRig();
  await rig.addUser('ann', ['access', 'editor']);
  await rig.addUser('bob', ['access']);
  ann = await rig.signIn('ann');
  bob = await rig.signIn('bob');
});
afterAll(() => rig.dispose());

const names = async (browser: Browser): Promise<readonly string[]> => {
  const { snippets } = (await browser.call('GET', '/v1/webapi/snippets')).json as {
    snippets: { name: string; isOwn: boolean; mayChange: boolean }[];
  };
  return snippets.map(
    ({ name, isOwn, mayChange }) => `${name} ${isOwn ? 'own' : 'shared'}${mayChange ? '' : ', read'}`,
  );
};

test('own snippets are seen by their owner alone, shared ones by those with the role', async () => {
  expect((await bob.call('PUT', '/v1/webapi/snippets', { name: 'disk', text: 'df -h' })).status).toBe(200);
  expect((await ann.call('PUT', '/v1/webapi/snippets', { name: 'disk', text: 'df', roles: ['access'] })).status).toBe(
    200,
  );
  expect(
    (await ann.call('PUT', '/v1/webapi/snippets', { name: 'load', text: 'uptime', roles: ['auditor'] })).status,
  ).toBe(200);
  expect(await names(bob)).toEqual(['disk own', 'disk shared, read']);
  expect(await names(ann)).toEqual(['disk shared', 'load shared']);
  expect((await bob.call('PUT', '/v1/webapi/snippets', { name: 'x', text: 'id', roles: ['access'] })).status).toBe(403);
  expect((await bob.call('DELETE', '/v1/webapi/snippets/shared/disk')).status).toBe(403);
  expect((await bob.call('DELETE', '/v1/webapi/snippets/own/load')).status).toBe(404);
  expect((await bob.call('DELETE', '/v1/webapi/snippets/own/disk')).status).toBe(200);
  expect(await names(bob)).toEqual(['disk shared, read']);
});

test.each([
  ['a name that is no name', { name: 'a/b', text: 'x' }],
  ['nothing', { name: 'a', text: '' }],
  ['an escape sequence', { name: 'a', text: 'ls\u001b]52;c;eA==\u0007' }],
  ['letters turned round', { name: 'a', text: 'ls \u202e' }],
  ['more than fits', { name: 'a', text: 'x'.repeat(5000) }],
])('%s is refused', async (_what, body) =>
  expect((await bob.call('PUT', '/v1/webapi/snippets', body)).status).toBe(400),
);
