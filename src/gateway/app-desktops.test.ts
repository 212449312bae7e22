// Desktops added, changed and removed one by one, and tried: over real servers of each protocol.
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DesktopsRig, openDesktops } from '../../e2e/rigs/desktops.ts';
import { freePort } from '../../e2e/rigs/gateway.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';

const DESKTOPS = '/v1/webapi/sites/-current-/desktops';
let rig: Rig;
let desktops: DesktopsRig;
let silent: Server;
let ann: Browser;
let ed: Browser;

const office = `kind: role
version: v7
metadata: {name: office}
spec:
  options: {reach_loopback: true}
  allow:
    windows_desktop_labels: {env: office}
    windows_desktop_logins: [alice]
`;

beforeAll(async () => {
  rig = await openRig();
  desktops = await openDesktops();
  silent = createServer(socket => socket.on('error', () => undefined));
  await new Promise<void>(done => silent.listen(0, '127.0.0.1', done));
  await rig.declared.apply([{ name: 'role.yaml', content: office }], { by: 'test' });
  await rig.addUser('ann', ['office']);
  await rig.addUser('ed', ['editor', 'office']);
  ann = await rig.signIn('ann');
  ed = await rig.signIn('ed');
});
afterAll(async () => {
  silent?.close();
  await desktops?.dispose();
  await rig?.dispose();
});

const add = (who: Browser, name: string, addr: string, more: object = {}) =>
  who.call('POST', DESKTOPS, { name, addr, labels: [{ name: 'env', value: 'office' }], ...more });

async function tried(who: Browser, name: string): Promise<readonly string[]> {
  const { json } = await who.call('POST', '/v1/webapi/sites/-current-/diagnostics/connections', {
    resource_kind: 'windows_desktop',
    resource_name: name,
  });
  const { traces } = json as { traces: { traceType: string; status: string; details: string; error?: string }[] };
  return traces.map(({ traceType, status, error, details }) =>
    traceType === 'DESKTOP_ANSWER' ? (error ?? details) : [traceType, error ?? status].join(' '),
  );
}

test('a desktop is added, changed and removed by whoever edits them; nonsense and doubles are refused', async () => {
  expect((await add(ann, 'win-7', 'win-7.example.com')).status).toBe(403);
  expect((await add(ed, 'win-7', 'win-7.example.com')).json).toMatchObject({
    name: 'win-7',
    addr: 'win-7.example.com:3389',
    protocol: 'rdp',
    logins: ['alice'],
  });
  expect((await add(ed, 'win-7', 'win-7.example.com')).status).toBe(409);
  expect((await add(ed, 'nonsense', 'a b')).status).toBe(400);
  expect((await add(ed, 'lab', 'lab.example.com', { protocol: 'vnc' })).json).toMatchObject({
    addr: 'lab.example.com:5900',
    protocol: 'vnc',
  });
  expect((await ed.call('PUT', `${DESKTOPS}/win-7`, {})).status).toBe(400);
  const { json } = await ed.call('PUT', `${DESKTOPS}/win-7`, { addr: '10.0.0.7:3390' });
  expect(json).toMatchObject({ addr: '10.0.0.7:3390', labels: [{ name: 'env', value: 'office' }] });
  // Whoever may change desktops changes those that their roles select.
  await rig.addUser('eve', ['editor']);
  const eve = await rig.signIn('eve');
  expect((await eve.call('DELETE', `${DESKTOPS}/win-7`)).status).toBe(404);
  expect((await ed.call('DELETE', `${DESKTOPS}/win-7`)).status).toBe(200);
  expect((await ed.call('DELETE', `${DESKTOPS}/win-7`)).status).toBe(404);
});

// Rule 3.4: a diagnostic: its steps with status, details and error
test('a trial says what answers: RDP with NLA, RDP over TLS, VNC, something else, nobody', async () => {
  const passed = ['RBAC_DESKTOP SUCCESS', 'RBAC_DESKTOP_LOGIN SUCCESS', 'CONNECTIVITY SUCCESS'];
  await add(ed, 'shadow', `127.0.0.1:${desktops.shadow}`);
  expect(await tried(ann, 'shadow')).toEqual([...passed, 'RDP with NLA answers.']);
  await add(ed, 'xrdp', `127.0.0.1:${desktops.xrdp}`);
  expect(await tried(ann, 'xrdp')).toEqual([...passed, 'RDP, TLS only answers.']);
  await add(ed, 'vnc', `127.0.0.1:${desktops.vnc}`, { protocol: 'vnc' });
  expect(await tried(ann, 'vnc')).toEqual([...passed, 'VNC answers.']);
  await add(ed, 'mixed', `127.0.0.1:${desktops.vnc}`);
  expect(await tried(ann, 'mixed')).toEqual([...passed, 'VNC answers, where RDP is expected']);
  const { port } = silent.address() as { port: number };
  await add(ed, 'silent', `127.0.0.1:${port}`);
  expect((await tried(ann, 'silent')).at(-1)).toBe('nobody answers, where RDP is expected');
  await add(ed, 'off', `127.0.0.1:${await freePort()}`);
  expect((await tried(ann, 'off')).at(-1)).toMatch(/^CONNECTIVITY .*refused/i);
}, 60_000);

test('a trial tells whose roles do not lead there no more than that it was not found', async () => {
  await add(ed, 'secret', '10.0.0.9', { labels: [] });
  const hidden = await tried(ann, 'secret');
  expect(hidden).toEqual(['RBAC_DESKTOP "secret" was not found']);
  expect(await tried(ann, 'absent')).toEqual(['RBAC_DESKTOP "absent" was not found']);
});
