// What a client that knows TDP from its description alone meets: real VNC and RDP desktops, drawn by the gateway.
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openRdpDesktop, type RdpDesktop } from '../../../e2e/rigs/rdp-desktop.ts';
import { openVncDesktop, type VncDesktop } from '../../../e2e/rigs/vnc-desktop.ts';
import type { Challenge } from '../../contract/mfa.ts';
import { type Browser, CLUSTER, openRig, PASSWORD, type Rig } from '../app.testing.ts';
import { createSoftwareKey } from '../software-key.testing.ts';
import { readTdp } from './tdp.ts';
import { openTdpClient, openTdpPlayer, type TdpClient } from './tdp-client.testing.ts';

let rig: Rig;
let vnc: VncDesktop;
let rdp: RdpDesktop;
let site: string;
const who: Record<string, Browser> = {};
const SITE = `/v1/webapi/sites/${CLUSTER}`;
const role = (name: string, options: string): string =>
  `kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec:\n  options: {reach_loopback: true, ${options}}\n  allow:\n    windows_desktop_labels: {env: office}\n    windows_desktop_logins: [alice]\n`;
const person = (name: string): Browser => {
  const found = who[name];
  if (!found) throw new Error(`${name} is not signed in`);
  return found;
};

beforeAll(async () => {
  [rig, vnc, rdp] = await Promise.all([
    openRig({ factors: { secondFactor: 'optional' } }),
    openVncDesktop(),
    openRdpDesktop(),
  ]);
  const files = [
    role('office', 'desktop_clipboard: true'),
    role('closed', 'desktop_clipboard: false'),
    role('keyed', 'require_session_mfa: true'),
  ];
  await rig.declared.apply(
    files.map((content, index) => ({ name: `${index}.yaml`, content })),
    { by: 'test' },
  );
  await rig.addUser('ann', ['access', 'office']);
  await rig.addUser('bob', ['access', 'closed']);
  await rig.addUser('kim', ['access', 'keyed']);
  await rig.addUser('ed', ['editor', 'auditor', 'office']);
  await rig.app.listen({ port: 0, host: '127.0.0.1' });
  site = `ws://127.0.0.1:${(rig.app.server.address() as AddressInfo).port}${SITE}`;
  for (const name of ['ann', 'bob', 'kim', 'ed']) who[name] = await rig.signIn(name);
  const labels = [{ name: 'env', value: 'office' }];
  for (const [name, protocol, { port }, password] of [
    ['lab', 'vnc', vnc, vnc.password],
    ['win-7', 'rdp', rdp, 'any'],
  ] as const) {
    await person('ed').call('POST', `${SITE}/desktops`, { name, addr: `127.0.0.1:${port}`, protocol, labels });
    await person('ed').call('PUT', `${SITE}/desktops/${name}/passwords/alice`, { password });
  }
}, 60_000);
afterAll(async () => {
  await rig?.dispose();
  await Promise.all([vnc?.dispose(), rdp?.dispose()]);
});

const WAIT = { timeout: 20_000, interval: 100 };
const connect = (name: string, desktop = 'lab', width = 1024, height = 768) =>
  openTdpClient(site, person(name), desktop, { username: 'alice', width: `${width}`, height: `${height}` });
async function shown(client: TdpClient): Promise<TdpClient> {
  await vi.waitFor(() => expect(client.pictures.length).toBeGreaterThan(0), WAIT);
  // Keys go to the window that the pointer is in.
  client.move(100, 100);
  return client;
}
async function events(code: string): Promise<Record<string, unknown>[]> {
  const { json } = await person('ed').call('GET', `${SITE}/events/search?limit=200`);
  return (json as { events: Record<string, unknown>[] }).events.filter(event => event.code === code);
}
const endOf = async (client: TdpClient): Promise<string | undefined> => {
  await client.closed;
  return client.fatal();
};
/** Runs a line on the desktop until what it writes is there: keys that come before a window has them are lost, and what was pasted last may still come. */
async function runs(client: TdpClient, line: string, wrote: () => boolean): Promise<void> {
  await vi.waitFor(
    () => {
      client.interrupt();
      client.type(line);
      return vi.waitFor(() => expect(wrote()).toBe(true), { timeout: 3000, interval: 50 });
    },
    { timeout: 30_000, interval: 50 },
  );
}

test.each([
  ['lab', () => vnc],
  ['win-7', () => rdp],
] as const)(
  '%s: text goes between the clipboards both ways, and the screen becomes as large as the client says',
  async (name, desktopOf) => {
    const desktop = desktopOf();
    const client = await shown(await connect('ann', name, 900, 700));
    try {
      await vi.waitFor(() => expect(desktop.size()).toBe('900x700'), WAIT);
      client.copy('from-the-client');
      client.type('tee pasted\n');
      await vi.waitFor(
        async () => {
          client.paste();
          client.type('\n');
          await vi.waitFor(() => expect(desktop.read('pasted')).toContain('from-the-client'), 2000);
        },
        { timeout: 30_000, interval: 100 },
      );
      await runs(client, 'id>after\n', () => desktop.read('after') !== '');
      await vi.waitFor(
        async () => {
          client.interrupt();
          client.type('clear;echo fromthere\n');
          client.move(30, 9);
          client.doubleClick();
          await vi.waitFor(() => expect(client.clipboard).toContain('fromthere'), 2000);
        },
        { timeout: 30_000, interval: 100 },
      );
      client.pictures.splice(0);
      client.screen(1200, 736);
      await vi.waitFor(
        () => expect([desktop.size(), client.size(), client.fatal()]).toEqual(['1200x736', '1200x736', undefined]),
        WAIT,
      );
      expect(client.unknown).toEqual([]);
    } finally {
      client.close();
      await client.closed;
    }
  },
  120_000,
);

test('without its right no text goes to the desktop, the client is told why, and none comes back', async () => {
  const client = await shown(await connect('bob'));
  client.copy('forbidden');
  await vi.waitFor(
    () =>
      expect(client.notifications).toContainEqual({
        severity: 'warning',
        text: 'Nothing was copied to the desktop: your roles do not let text go between the clipboards (desktop_clipboard).',
      }),
    WAIT,
  );
  await runs(client, 'clear;echo fromthere;id>left\n', () => vnc.read('left') !== '');
  client.move(30, 9);
  client.doubleClick();
  await runs(client, 'id>behind\n', () => vnc.read('behind') !== '');
  expect(client.clipboard).toEqual([]);
  const sent = (await events('TDP02I')).filter(({ user }) => user === 'bob');
  expect(sent).toEqual([]);
  client.close();
  await client.closed;
}, 60_000);

test('more text than is handed on is refused with a warning, a directory with an acknowledgement, a warning and an event', async () => {
  const client = await shown(await connect('ann'));
  client.copy('x'.repeat(256 * 1024 + 1));
  client.announce(2, 'my files/../\u202egnp');
  await vi.waitFor(() => expect(client.acknowledged).toEqual([{ error: 1, directory: 2 }]), WAIT);
  const warned = () => client.notifications.filter(({ severity }) => severity === 'warning').map(({ text }) => text);
  await vi.waitFor(
    () =>
      expect(warned()).toEqual([
        'Nothing was copied to the desktop: it is longer than 256 kB.',
        'Directories cannot be shared with this desktop: what draws it here has no way to.',
      ]),
    WAIT,
  );
  await vi.waitFor(
    async () =>
      expect(await events('TDP04W')).toMatchObject([
        { user: 'ann', desktop_name: 'lab', directory_id: 2, directory_name: 'my files/../\u202egnp', success: false },
      ]),
    WAIT,
  );
  client.close();
  await client.closed;
}, 60_000);

test('sizes that no screen has end the session with the reason, at its beginning and in its middle', async () => {
  const wrong = [
    [0, 600, '0 by 600'],
    [800, 100_000, '800 by 100000'],
    [8192, 8192, '8192 by 8192'],
  ] as const;
  for (const [width, height, words] of wrong) {
    expect(await endOf(await connect('ann', 'lab', width, height))).toContain(`not ${words}`);
    const client = await shown(await connect('ann'));
    client.screen(width, height);
    expect(await endOf(client)).toContain(`not ${words}`);
  }
}, 60_000);

test('where roles ask for a hardware key, pictures come after the touch, and not after another answer', async () => {
  const { credentials, devices } = rig.services.identity;
  const key = createSoftwareKey('https://console.example.com');
  expect(await endOf(await connect('kim'))).toContain('you have none registered');
  const { tokenId: token } = await credentials.createToken('kim', 'password', { user: 'test', rights: null });
  const creation = key.create(await devices.registerWebauthn(token, 'mfa'));
  const password = Buffer.from(PASSWORD).toString('base64');
  const from = { remoteAddr: '192.0.2.1:1', userAgent: 'test' };
  const { signedIn } = await credentials.complete({ token, password, deviceName: 'key', creation }, from);
  if (!signedIn) throw new Error('kim was not signed in');
  who.kim = { ...person('kim'), cookie: signedIn.cookie, bearer: signedIn.reply.token };

  const touched = await connect('kim');
  await vi.waitFor(() => expect(touched.challenges).toHaveLength(1), WAIT);
  // What is done before the touch is done nowhere.
  touched.type('id>early\n');
  touched.answer(key.get(touched.challenges[0] as Challenge));
  await runs(await shown(touched), 'id>late\n', () => vnc.read('late') !== '');
  expect([vnc.read('early'), touched.challenges.length]).toEqual(['', 1]);
  touched.close();
  await touched.closed;
  expect((await events('TDP00I'))[0]).toMatchObject({
    user: 'kim',
    with_mfa: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });

  const other = await connect('kim');
  await vi.waitFor(() => expect(other.challenges).toHaveLength(1), WAIT);
  const forged = key.get(other.challenges[0] as Challenge, { isForged: true });
  other.answer(forged);
  expect(await endOf(other)).toBe('The hardware key was not accepted.');
  expect(other.pictures).toEqual([]);
}, 90_000);

test('a lock in the middle ends the session with its words, and the next one does not begin', async () => {
  const client = await shown(await connect('ann'));
  const { json } = await person('ed').call('PUT', `${SITE}/locks`, {
    targets: { windows_desktop: 'lab' },
    message: 'under repair',
    ttl: '',
  });
  expect(await endOf(client)).toContain('under repair');
  expect(await endOf(await connect('ann'))).toContain('This desktop is locked');
  await person('ed').call('DELETE', `${SITE}/locks/${(json as { name: string }).name}`);
}, 60_000);

test('what is played waits when it is told to, goes as fast as it is told to within its bounds, and ends', async () => {
  const client = await shown(await connect('ann'));
  await runs(client, 'id>played;sleep 1;id>slept\n', () => vnc.read('slept') !== '');
  // What was written is on disk before it is on the screen: what is drawn now is in the recording, a second after its beginning.
  const before = client.pictures.length;
  await vi.waitFor(() => {
    client.type('x');
    expect(client.pictures.length).toBeGreaterThan(before + 1);
  }, WAIT);
  const sid = String((await events('TDP00I'))[0]?.sid);
  client.close();
  await client.closed;
  await vi.waitFor(
    async () => expect((await events('TDP01I')).filter(event => event.sid === sid)).toHaveLength(1),
    WAIT,
  );

  const [waiting, fast, slow] = await Promise.all([1, 2, 3].map(() => openTdpPlayer(site, person('ed'), sid)));
  if (!waiting || !fast || !slow) throw new Error('there are no players');
  waiting.say({ action: 'play/pause' });
  // Slower than the slowest: it takes four times as long, and not for ever.
  slow.say({ action: 'speed', speed: 0.000_001 });
  fast.say({ action: 'speed', speed: 1_000_000 });
  await fast.closed;
  expect([fast.isOver(), slow.isOver(), waiting.isOver()]).toEqual([true, false, false]);
  expect(fast.ids().slice(0, 2)).toEqual([1, 27]);
  const times = fast.heard.slice(0, -1).map(({ ms }) => ms);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(-1)).toBeGreaterThan(1000);
  expect(fast.heard[0]).toMatchObject({ event: 'desktop.recording', ei: 0, code: '', time: expect.any(String) });
  waiting.say({ action: 'speed', speed: 16 });
  waiting.say({ action: 'play/pause' });
  await Promise.all([waiting.closed, slow.closed]);
  expect([waiting.isOver(), slow.isOver()]).toEqual([true, true]);
}, 90_000);

test('what is no action of a player closes, and a recording that there is not, or that somebody may not play, is not found', async () => {
  const [end] = await events('TDP01I');
  for (const wrong of [
    { action: 'seek', to: 1 },
    { action: 'speed' },
    { action: 'speed', speed: 'fast' },
    'play',
    '',
  ]) {
    const player = await openTdpPlayer(site, person('ed'), String(end?.sid));
    player.say(wrong);
    await player.closed;
    expect(player.isOver()).toBe(false);
  }
  for (const [name, sid] of [
    ['ed', crypto.randomUUID()],
    ['ed', 'no id'],
    ['bob', String(end?.sid)],
  ] as const) {
    const player = await openTdpPlayer(site, person(name), sid);
    await player.closed;
    expect(player.heard).toEqual([{ message: 'error', errorText: 'session not found' }]);
  }
}, 60_000);

test('5000 messages of any bytes are read or refused: none is read beyond its end', () => {
  const any = fc
    .tuple(fc.integer({ min: 0, max: 40 }), fc.uint8Array({ maxLength: 40 }))
    .map(([id, bytes]) => Buffer.from([id, ...bytes]));
  fc.assert(
    fc.property(any, bytes => {
      const read = readTdp(bytes, 16);
      if (read?.kind === 'clipboard') expect(Buffer.byteLength(read.text)).toBeLessThanOrEqual(3 * (bytes.length - 5));
      if (read?.kind === 'directory') expect(bytes.length).toBeGreaterThanOrEqual(13);
    }),
    { numRuns: 5000 },
  );
}, 60_000);
