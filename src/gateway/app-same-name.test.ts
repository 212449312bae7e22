// A new user of an old name inherits nothing of the one before, by whichever door they ask.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';

const site = `/v1/webapi/sites/${CLUSTER}`;
const size = { cols: 80, rows: 24 };
let rig: Rig;
let admin: Browser;
let old: Browser;
let fresh: Browser;
let sid: string;
let running: string;

async function openSession(browser: Browser): Promise<string> {
  const { identity, sessions } = rig.services;
  const who = await identity.sessions.authenticate({ ...browser, remoteAddr: '[::1]:1' });
  const target = { id: 'n', hostname: 'web-1', subKind: 'openssh', addr: 'web-1:22', hostKeys: [], labels: {} };
  const opened = await sessions.open({ who, target, login: 'root', size });
  rig.shells.at(-1)?.print('secret of the first kim');
  return opened.sid;
}

beforeAll(async () => {
  rig = await openRig();
  await rig.addUser('ann', ['access', 'editor', 'auditor'], ['root']);
  await rig.addUser('kim', ['access'], ['root']);
  await rig.addServer('web-1');
  admin = await rig.signIn('ann');
  old = await rig.signIn('kim');
  await old.call('PUT', '/v1/webapi/user/preferences', { theme: 2, console: { pinned: ['theirs'] } });
  sid = await openSession(old);
  rig.services.sessions.end(sid, 'over');
  await vi.waitUntil(async () => (await recordingsOf(old)).includes(sid));
  running = await openSession(old);
  const invite = (await admin.call('POST', '/v1/webapi/users/password/token', { name: 'kim', type: 'invite' })).json;
  expect(await admin.call('DELETE', '/v1/webapi/users/kim')).toMatchObject({ status: 200 });
  rig.later(1000);
  await rig.addUser('kim', ['access'], ['root']);
  fresh = await rig.signIn('kim');
  link = (invite as { tokenId: string }).tokenId;
});
afterAll(() => rig.dispose());
let link: string;

async function recordingsOf(browser: Browser): Promise<readonly string[]> {
  const { json } = await browser.call('GET', `${site}/events/search/sessions`);
  return (json as { events: { sid: string }[] }).events.map(event => event.sid);
}

test('recordings are neither listed nor played', async () => {
  expect(await recordingsOf(fresh)).toEqual([]);
  expect(await recordingsOf(admin)).toContain(sid);
  for (const path of [`recordings/${sid}`, `recordings/${sid}/segments/0`, `recordings/${sid}/asciicast`])
    expect([path, (await fresh.call('GET', `${site}/${path}`)).status]).toEqual([path, 403]);
  for (const path of [`sessions/${sid}/events`, `sessions/${sid}/stream`, `sessions/${running}/stream`])
    expect([path, (await fresh.call('GET', `${site}/${path}`)).status]).toEqual([path, 403]);
});

test('a running session is neither seen nor ended nor joined', async () => {
  expect((await fresh.call('GET', `${site}/sessions`)).json).toEqual({ sessions: [] });
  expect((await fresh.call('GET', `${site}/sessions/${running}`)).status).toBe(404);
  expect((await fresh.call('DELETE', `${site}/sessions/${running}`)).status).toBe(404);
  const params = encodeURIComponent(JSON.stringify({ server_id: '', login: '', sid: running, term: { h: 24, w: 80 } }));
  const joined = await fresh.call('GET', `${site}/connect?access_token=${fresh.bearer}&params=${params}`);
  // It may have been ended meanwhile: its owner is gone.
  expect([403, 404]).toContain(joined.status);
});

test('preferences, web sessions and links of before are not theirs', async () => {
  expect((await fresh.call('GET', '/v1/webapi/user/preferences')).json).toMatchObject({
    theme: 1,
    console: { pinned: [] },
  });
  expect((await old.call('GET', '/v1/webapi/user/status')).status).toBe(403);
  expect((await fresh.call('GET', `/v1/webapi/users/password/token/${link}`)).status).toBe(403);
});

test('what they record themselves is theirs, and events tell both apart', async () => {
  const own = await openSession(fresh);
  rig.services.sessions.end(own, 'over');
  await expect.poll(() => recordingsOf(fresh)).toEqual([own]);
  expect((await fresh.call('GET', `${site}/recordings/${own}`)).status).toBe(200);
  const { json } = await admin.call('GET', `${site}/events/search?include=session.start`);
  const { events } = json as { events: { user: string; user_id: string }[] };
  expect(events.map(({ user }) => user)).toEqual(['kim', 'kim', 'kim']);
  expect(new Set(events.map(event => event.user_id)).size).toBe(2);
});
