// Sessions on real RDP desktops, through the gateway's sockets: xrdp over TLS, and FreeRDP's shadow of a screen, which asks for NLA.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openRdpDesktop, type RdpDesktop } from '../../../e2e/rigs/rdp-desktop.ts';
import { openShadow, type Shadow } from '../../../e2e/rigs/shadow.ts';
import type { DesktopMessage } from '../../contract/desktop-sessions.ts';
import { type Browser, CLUSTER, openRig, type Rig } from '../app.testing.ts';
import { cleanPathRequest } from '../services/protocols/desktops/rdp/client.testing.ts';

let rig: Rig;
let rdp: RdpDesktop;
let shadow: Shadow;
let port: number;
let ann: Browser;
let ed: Browser;

const DESKTOPS = `/v1/webapi/sites/${CLUSTER}/desktops`;

beforeAll(async () => {
  [rig, rdp, shadow] = await Promise.all([openRig(), openRdpDesktop(), openShadow('alice', 'right')]);
  const content =
    'kind: role\nversion: v7\nmetadata: {name: office}\nspec:\n  options: {reach_loopback: true}\n  allow:\n    windows_desktop_labels: {env: office}\n    windows_desktop_logins: [alice]\n';
  await rig.declared.apply([{ name: 'role.yaml', content }], { by: 'test' });
  await rig.addUser('ann', ['access', 'office']);
  await rig.addUser('ed', ['editor', 'auditor', 'office']);
  await rig.app.listen({ port: 0, host: '127.0.0.1' });
  port = (rig.app.server.address() as AddressInfo).port;
  [ann, ed] = [await rig.signIn('ann'), await rig.signIn('ed')];
  const labels = [{ name: 'env', value: 'office' }];
  for (const [name, at] of [
    ['win-7', rdp.port],
    ['shadow', shadow.port],
  ] as const)
    await ed.call('POST', DESKTOPS, { name, addr: `127.0.0.1:${at}`, protocol: 'rdp', labels });
}, 60_000);
afterAll(async () => {
  await rig?.dispose();
  await rdp?.dispose();
  await shadow?.dispose();
});

function socketTo(who: Browser, path: string, query: Record<string, string> = {}): WebSocket {
  const all = new URLSearchParams({ access_token: who.bearer, ...query });
  const socket = new WebSocket(`ws://127.0.0.1:${port}${DESKTOPS}/${path}?${all}`, {
    headers: { cookie: `__Host-session=${who.cookie}` },
  } as unknown as string[]);
  socket.binaryType = 'arraybuffer';
  return socket;
}
/** The socket of a session: what it says, in order; undefined when it has been closed. */
function begin(who: Browser, name: string) {
  const socket = socketTo(who, `${name}/session`, {
    params: JSON.stringify({ login: 'alice', width: 800, height: 600 }),
  });
  const said: (DesktopMessage | undefined)[] = [];
  let wake = (): void => undefined;
  const hear = (message: DesktopMessage | undefined): void => {
    said.push(message);
    wake();
  };
  socket.addEventListener('message', ({ data }) => hear(JSON.parse(String(data)) as DesktopMessage));
  socket.addEventListener('close', () => hear(undefined));
  return {
    socket,
    async next(): Promise<DesktopMessage | undefined> {
      while (said.length === 0)
        await new Promise<void>(go => {
          wake = go;
        });
      return said.shift();
    },
    answer: (password: string) => socket.send(JSON.stringify({ password })),
  };
}
async function ready(name: string, password: string) {
  const session = begin(ann, name);
  expect((await session.next())?.asks).toContain('wants a password of alice');
  session.answer(password);
  const said = await session.next();
  expect(said).toHaveProperty('ready');
  return { ...session, sid: said?.ready?.sid ?? '' };
}
/** The stream of a session, with what came over it. */
async function stream(name: string, sid: string) {
  const socket = socketTo(ann, `${name}/stream/${sid}`);
  const heard: Buffer[] = [];
  const closed = new Promise<void>(done => socket.addEventListener('close', () => done()));
  socket.addEventListener('message', ({ data }) => heard.push(Buffer.from(data as ArrayBuffer)));
  await once(socket, 'open');
  return { socket, heard, closed };
}

test('NLA: a wrong password is asked for again, and the right one logs in', async () => {
  const session = begin(ann, 'shadow');
  expect((await session.next())?.asks).toContain('wants a password of alice');
  session.answer('wrong');
  expect((await session.next())?.asks).toContain('refused the login or its password');
  session.answer('right');
  expect((await session.next())?.ready).toMatchObject({ protocol: 'rdp', recorded: true });
  session.socket.close();
});

test('the stream begins with RDCleanPath: where it says it wants to go does not count, and the token of another session ends it', async () => {
  const first = await ready('win-7', 'any');
  const wrong = await stream('win-7', first.sid);
  wrong.socket.send(Uint8Array.from(cleanPathRequest('elsewhere:1', crypto.randomUUID())));
  expect((await first.next())?.over).toContain('the token of another session');
  await wrong.closed;
  const second = await ready('win-7', 'any');
  const right = await stream('win-7', second.sid);
  right.socket.send(Uint8Array.from(cleanPathRequest('elsewhere:1', second.sid)));
  await vi.waitFor(() => expect(right.heard).toHaveLength(1));
  expect(right.heard[0]?.includes(Buffer.from(`127.0.0.1:${rdp.port}`))).toBe(true);
  await once(socketTo(ann, `win-7/stream/${second.sid}`), 'error');
  right.socket.send(new TextEncoder().encode('what is no RDP'));
  expect((await second.next())?.over).toContain('what was sent is no RDP');
});

test('a lock on the desktop ends a session in its middle with the reason', async () => {
  const { sid, next } = await ready('win-7', 'any');
  const { closed } = await stream('win-7', sid);
  const { json } = await ed.call('PUT', `/v1/webapi/sites/${CLUSTER}/locks`, {
    targets: { windows_desktop: 'win-7' },
    message: 'under repair',
    ttl: '',
  });
  expect((await next())?.over).toContain('under repair');
  await closed;
  await ed.call('DELETE', `/v1/webapi/sites/${CLUSTER}/locks/${(json as { name: string }).name}`);
});

test('a certificate that has changed is said, and trusted only by whoever may, after both were compared', async () => {
  (await ready('win-7', 'any')).socket.close();
  await rdp.changeCertificate();
  const refused = begin(ann, 'win-7');
  await refused.next();
  refused.answer('any');
  const why = (await refused.next())?.over;
  expect(why).toContain('win-7 shows another certificate than the one that is trusted');
  expect(why).toContain('"Trust the new certificate of win-7…" (or: postern desktops trust win-7)');

  const place = `${DESKTOPS}/win-7/certificate`;
  expect((await ann.call('POST', place)).status).toBe(403);
  const { json } = await ed.call('POST', place);
  const { pinned, shown } = json as { pinned: string; shown: string };
  expect(why).toContain(`it was ${pinned}, and is ${shown}.`);
  const trust = (certificate: string, replaces: string) => ed.call('PUT', place, { certificate, replaces });
  expect((await trust(pinned, pinned)).status).toBe(412);
  expect((await trust(shown, shown)).status).toBe(412);
  expect((await trust(shown, pinned)).json).toMatchObject({ pinned: shown });
  const { json: found } = await ed.call('GET', `/v1/webapi/sites/${CLUSTER}/events/search?include=desktop.certificate`);
  expect(found).toMatchObject({
    events: [{ code: 'TJ013I', user: 'ed', desktop_name: 'win-7', replaced: pinned, trusted: shown }],
  });
  (await ready('win-7', 'any')).socket.close();
});

test('whoever may join desktops watches one from its beginning, is named, and nobody else is let in', async () => {
  const helpdesk =
    'kind: role\nversion: v7\nmetadata: {name: helpdesk}\nspec:\n  allow:\n    join_sessions: [{name: office, roles: [office], kinds: [KIND], modes: [observer, peer]}]\n';
  const roleOf = (kind: string) => helpdesk.replace('KIND', kind).replace('name: helpdesk', `name: helpdesk-${kind}`);
  for (const kind of ['desktop', 'ssh'])
    await rig.declared.apply([{ name: 'role.yaml', content: roleOf(kind) }], { by: 'test' });
  await rig.addUser('otto', ['helpdesk-desktop']);
  await rig.addUser('sue', ['helpdesk-ssh']);
  const [otto, sue] = [await rig.signIn('otto'), await rig.signIn('sue')];
  const { sid, next } = await ready('win-7', 'any');
  const { socket, heard } = await stream('win-7', sid);
  socket.send(Uint8Array.from(cleanPathRequest('elsewhere:1', sid)));
  await vi.waitFor(() => expect(heard).toHaveLength(1));

  const watch = (who: Browser) => {
    const watching = `ws://127.0.0.1:${port}/v1/webapi/sites/${CLUSTER}/desktopsessions/${sid}/watch`;
    const opened = new WebSocket(`${watching}?access_token=${who.bearer}`, {
      headers: { cookie: `__Host-session=${who.cookie}` },
    } as unknown as string[]);
    return new Promise<object>(done =>
      opened.addEventListener('message', ({ data }) => done({ opened, ...(JSON.parse(String(data)) as object) })),
    );
  };
  expect(await watch(sue)).toMatchObject({ over: 'You may not join this session as observer.' });
  const watching = (await watch(otto)) as { opened: WebSocket };
  expect(watching).toMatchObject({ watching: { protocol: 'rdp', name: 'win-7', login: 'alice', owner: 'ann' } });
  expect((await next())?.watched).toEqual(['otto']);
  const sessions = `/v1/webapi/sites/${CLUSTER}/sessions`;
  const listed = async (who: Browser) => ((await who.call('GET', sessions)).json as { sessions: object[] }).sessions;
  expect(await listed(otto)).toMatchObject([
    { id: sid, participantModes: ['observer'], parties: [{ user: 'ann' }, { user: 'otto' }] },
  ]);
  expect(await listed(sue)).toEqual([]);
  const closed = once(watching.opened, 'close');
  // Losing the role shows them out; the session goes on.
  await rig.declared.apply([{ name: 'role.yaml', content: roleOf('desktop').replace('[office]', '[nobody]') }], {
    by: 'test',
  });
  await closed;
  expect((await next())?.watched).toEqual([]);
  const { json } = await ed.call('GET', `/v1/webapi/sites/${CLUSTER}/events/search?include=session.join`);
  expect(json).toMatchObject({ events: [{ code: 'T2001I', user: 'otto', sid, mode: 'observer' }] });
});
