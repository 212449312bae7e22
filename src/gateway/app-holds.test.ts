import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hold } from '../contract/holds.ts';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';

let rig: Rig;
let ann: Browser;
let bob: Browser;
beforeAll(async () => {
  rig = await openRig();
  await rig.addUser('ann', ['access', 'editor']);
  await rig.addUser('bob', ['access', 'auditor']);
  ann = await rig.signIn('ann');
  bob = await rig.signIn('bob');
});
afterAll(() => rig.dispose());

const at = `/v1/webapi/sites/${CLUSTER}/holds`;
const told = async (browser: Browser) => (await browser.call('GET', at)).json;
const nobody = { holds: [], mayHold: false, mayRelease: false };

test('a recording is held and released with a reason, by whoever has the right, and both are in the audit log', async () => {
  const sid = randomUUID();
  const made = (await ann.call('POST', at, { on: { sid }, why: 'case 7' })).json as Hold;
  expect(made).toMatchObject({ on: { sid }, why: 'case 7', by: 'ann' });
  expect(await told(ann)).toEqual({ holds: [made], mayHold: true, mayRelease: true });
  expect(await told(bob)).toEqual(nobody);
  expect((await bob.call('POST', at, { on: { sid }, why: 'mine' })).status).toBe(403);
  expect((await bob.call('POST', `${at}/${made.id}/release`, { why: 'no' })).status).toBe(403);
  expect((await ann.call('POST', `${at}/${made.id}/release`, { why: 'closed' })).status).toBe(200);
  expect((await ann.call('POST', `${at}/${made.id}/release`, { why: 'again' })).status).toBe(404);
  expect(await told(ann)).toMatchObject({ holds: [] });
  const { events } = await rig.store.events.search({
    from: new Date(0),
    to: new Date(8e15),
    limit: 10,
    types: [],
    search: 'TPR0',
    descending: false,
  });
  expect(events.map(({ raw }) => [raw.code, raw.user, raw.reason])).toEqual([
    ['TPR02I', 'ann', 'case 7'],
    ['TPR03I', 'ann', 'closed'],
  ]);
});

test.each([
  ['no reason', { on: { user: 'bob' }, why: '' }],
  ['a reason that moves a terminal', { on: { user: 'bob' }, why: 'a\u001b[2J' }],
  ['nothing that it is on', { on: {}, why: 'case 7' }],
  ['a field that no hold has', { on: { users: 'bob' }, why: 'case 7' }],
])('a hold with %s is refused', async (_what, body) => expect((await ann.call('POST', at, body)).status).toBe(400));
