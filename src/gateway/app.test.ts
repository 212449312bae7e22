import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '../contract/calls.ts';
import { type Browser, CLUSTER, call, openRig, type Rig } from './app.testing.ts';

let rig: Rig;
let admin: Browser;
beforeAll(async () => {
  rig = await openRig();
  await rig.addUser('ann', ['access', 'editor', 'auditor'], ['root', 'ann']);
  admin = await rig.signIn('ann');
});
afterAll(() => rig.dispose());

test('the user context says who is signed in and what they may do', async () => {
  const { status, json } = await admin.call('GET', '/v1/webapi/sites/-current-/context');
  expect(status).toBe(200);
  expect(json).toMatchObject({
    userName: 'ann',
    authType: 'local',
    cluster: { name: CLUSTER, publicURL: 'console.example.com:443' },
  });
});

// Rule 7: every call has a route
test('every call of the contract has a route, and the OpenAPI page lists it', async () => {
  const page = await call(rig.app, { method: 'GET', url: '/v1/webapi/openapi.json' });
  const paths = (page.json as { paths: Record<string, Record<string, unknown>> }).paths;
  for (const { method, path } of Object.values(calls)) {
    expect(rig.app.hasRoute({ method, url: path }), `${method} ${path}`).toBe(true);
    expect(paths[path.replace(/:([A-Za-z]+)/g, '{$1}')], path).toHaveProperty(method.toLowerCase());
  }
});
