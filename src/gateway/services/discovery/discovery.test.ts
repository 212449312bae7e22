// Desktops found in a real directory: slapd, over TLS, in pages.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type DirectoryRig, openDirectoryRig } from '../../../../e2e/rigs/directory.ts';
import { freePort } from '../../../../e2e/rigs/gateway.ts';
import { selfSigned } from '../../../../e2e/rigs/https-server.ts';
import { type Browser, openRig, type Rig } from '../../app.testing.ts';
import { createAuditLog } from '../audit/audit.ts';
import { openDeliveries } from '../audit/deliveries.ts';
import { createKeptDesktops } from '../desktops/kept.ts';
import { createSecretBox } from '../identity/secret-box.ts';
import { allOf } from '../lists.ts';
import { readComputers } from './directory.ts';
import { DISCOVERED_LABEL, openDiscovery } from './discovery.ts';

let directory: DirectoryRig;
let rig: Rig;
let discovery: ReturnType<typeof openDiscovery>;
let kept: ReturnType<typeof createKeptDesktops>;

beforeAll(async () => {
  directory = await openDirectoryRig();
  await directory.add({
    'win-7':
      'dNSHostName: WIN-7.example.com\noperatingSystem: Windows 11\noperatingSystemVersion: 10.0\nlocation: Berlin\ndescription: At the window\nuserAccountControl: 4096\n',
    'dc-1': 'dNSHostName: dc-1.example.com\nlocation: Hamburg\nuserAccountControl: 532480\n',
    old: 'dNSHostName: old.example.com\nlocation: Berlin\nuserAccountControl: 4098\n',
    nameless: 'location: Berlin\n',
  });
});
afterAll(() => directory?.dispose());
beforeEach(async () => {
  rig = await openRig();
  const { resources, settings } = rig.store;
  const secrets = createSecretBox(Buffer.alloc(32), settings);
  kept = createKeptDesktops({ settings, secrets });
  const report = () => undefined;
  discovery = openDiscovery({
    ...{ resources, settings, secrets, report, forget: kept.forget },
    changes: rig.changes,
    audit: createAuditLog({ events: rig.store.events, users: rig.store.users, clusterName: 'here' }),
    read: wanted => readComputers(wanted, '127.0.0.1'),
    keep: one =>
      openDeliveries(
        {
          gateway: { id: 'g', hostname: 'g' },
          alerts: { raise: async () => undefined, withdraw: async () => undefined },
          clock: () => new Date(),
          report,
        },
        [one],
      ),
  });
});
afterEach(async () => {
  discovery.dispose();
  await rig.dispose();
});

const wanted = (more: object = {}, spec: object = {}): object => ({
  kind: 'discovery_config',
  version: 'v1',
  metadata: { name: 'office' },
  spec: {
    ldap: {
      address: `localhost:${directory.ldapsPort}`,
      ca_cert: directory.ca,
      bind_name: directory.reader.name,
      password: directory.reader.password,
      base: directory.base,
      ...more,
    },
    ...spec,
  },
});
async function apply(document: object): Promise<readonly string[]> {
  const { problems } = await rig.declared.apply([{ name: 'office.yaml', content: JSON.stringify(document) }], {
    by: 'ed',
  });
  return problems;
}
/** A directory is asked beside what a test does. */
const until = (holds: () => Promise<void>): Promise<void> => vi.waitFor(holds, { timeout: 20_000, interval: 50 });
const desktops = () => allOf(rig.store.resources, 'windows_desktop');
const names = async () => (await desktops()).map(({ name }) => name);
const told = async (code: string) =>
  (
    await rig.store.events.search({
      ...{ limit: 100, types: [], descending: false, from: new Date(0), to: new Date(Date.now() + 60_000) },
    })
  ).events
    .map(({ raw }) => raw as Record<string, unknown>)
    .filter(event => event.code === code);

test('computers of the directory are desktops, with what it says of them as labels; disabled and nameless ones are none', async () => {
  const labels = { env: 'office' };
  expect(await apply(wanted({ label_attributes: ['location'] }, { labels }))).toEqual([]);
  await until(async () => expect(await names()).toEqual(['dc-1.example.com', 'win-7.example.com']));
  const [controller, win7] = await desktops();
  expect(win7).toMatchObject({
    address: 'win-7.example.com:3389',
    subtype: 'rdp',
    description: 'At the window',
    labels: {
      'ldap/os': 'Windows 11',
      'ldap/os_version': '10.0',
      'ldap/computer_name': 'win-7',
      'ldap/ou': `ou=desks,${directory.base}`,
      'ldap/location': 'Berlin',
      'ldap/is_domain_controller': 'false',
      [DISCOVERED_LABEL]: 'office',
      env: 'office',
    },
  });
  expect(controller?.labels['ldap/is_domain_controller']).toBe('true');
  await until(async () =>
    expect(await told('TDC03I')).toMatchObject([{ name: 'office', added: 2, removed: 0, found: 2 }]),
  );
  expect((await told('TDC00I'))[0]).toMatchObject({ user: 'ed', name: 'office' });
  // The password is in no document and in no event.
  expect(await rig.declared.get('discovery_config', 'office')).not.toContain('secret of');
});

test('what went away is removed with the passwords that were kept of it; what people made of that name stays theirs', async () => {
  await rig.declared.apply(
    [
      {
        name: 'own.yaml',
        content: 'kind: windows_desktop\nversion: v3\nmetadata: {name: dc-1.example.com}\nspec: {addr: other}\n',
      },
    ],
    { by: 'ed' },
  );
  await directory.add({ short: 'dNSHostName: short.example.com\n' });
  await apply(wanted({}, { protocol: 'vnc' }));
  const ours = ['dc-1.example.com', 'win-7.example.com'];
  await until(async () => expect(await names()).toEqual([ours[0], 'short.example.com', ours[1]]));
  const at = { name: 'short.example.com', address: 'short.example.com:5900' };
  await kept.keepPassword(at, 'alice', 'p');
  await directory.remove('short');
  // Another interval is another revision: it is asked anew.
  await apply(wanted({ interval: '5m' }, { protocol: 'vnc' }));
  await until(async () => expect(await names()).toEqual(ours));
  await until(async () => expect(await kept.password(at, 'alice')).toBeNull());
  expect((await desktops())[0]?.address).toBe('other:3389');
  await rig.declared.remove('discovery_config', 'office', 'ed');
  await until(async () => expect(await names()).toEqual(['dc-1.example.com']));
});

test('a filter leaves out others, STARTTLS works as well, and pages go beyond what the server answers at once', async () => {
  const many = Array.from({ length: 60 }, (_, index) => `many-${index}`);
  await directory.add(
    Object.fromEntries(many.map(name => [name, `dNSHostName: ${name}.example.com\nlocation: Bremen\n`])),
  );
  try {
    await apply(wanted({ address: `localhost:${directory.ldapPort}`, tls: 'starttls', filter: '(location=Bremen)' }));
    await until(async () => expect((await names()).length).toBe(60));
  } finally {
    await directory.remove(...many);
  }
});

test.each([
  ['another password', () => ({ password: 'wrong' }), /does not let cn=reader.* in/],
  ['another base', () => ({ base: 'dc=other,dc=com' }), /has nothing at dc=other/],
  [
    'a certificate that another one vouches for',
    () => ({ ca_cert: selfSigned().cert }),
    /certificate that is not trusted/,
  ],
  ['a certificate of another name', () => ({ server_name: 'dc.example.com' }), /certificate that is not trusted/],
  ['no certificate that the machine trusts', () => ({ ca_cert: undefined }), /certificate that is not trusted/],
] as const)('with %s nothing is changed, and the log says why', async (_what, more, why) => {
  await apply(wanted());
  await until(async () => expect((await names()).length).toBe(2));
  await apply(wanted({ password: directory.reader.password, ...more() }));
  await until(async () => expect(await told('TDC03W')).toMatchObject([{ error: expect.stringMatching(why) }]));
  expect((await names()).length).toBe(2);
  expect(JSON.stringify(await told('TDC03W'))).not.toContain('secret of');
});

test('a directory that nobody runs is said to take no connections', async () => {
  await apply(wanted({ address: `localhost:${await freePort()}` }));
  await until(async () =>
    expect(await told('TDC03W')).toMatchObject([{ error: expect.stringMatching(/does not take connections/) }]),
  );
});

test('what cannot be is refused when it is written, and a password is given again for another place', async () => {
  expect(await apply(wanted({ password: undefined }))).toEqual([
    expect.stringContaining('spec.ldap.password: missing'),
  ]);
  expect(await apply(wanted({ filter: '(location=' }))).toEqual([expect.stringContaining('spec.ldap.filter')]);
  expect(await apply(wanted({ interval: '5s' }))).toEqual([expect.stringContaining('a duration from 1m to 24h')]);
  expect(await apply(wanted({}, { labels: { 'postern.internal/x': 'y' } }))).toHaveLength(1);
  expect(await apply(wanted())).toEqual([]);
  expect(await apply(wanted({ password: undefined, interval: '1h' }))).toEqual([]);
  expect(await apply(wanted({ password: undefined, address: 'evil.example.com' }))).toEqual([
    expect.stringContaining('give it again: with another address'),
  ]);
});

describe('begun in the web', () => {
  const given = (more: object = {}) => ({
    name: 'office',
    spec: (wanted(more, { labels: { env: 'office' } }) as { readonly spec: object }).spec,
  });
  const begin = (who: Browser, body: object) => who.call('POST', '/v1/webapi/sites/-current-/discoveryconfigs', body);
  let ed: Browser;
  beforeEach(async () => {
    await rig.addUser('ed', ['editor']);
    ed = await rig.signIn('ed');
  });

  test('a directory is read at once, and its computers come; the password is in no answer and in no event', async () => {
    const { status, json } = await begin(ed, given());
    expect([status, json]).toEqual([200, { name: 'office', address: `localhost:${directory.ldapsPort}`, found: 2 }]);
    await until(async () => expect(await names()).toEqual(['dc-1.example.com', 'win-7.example.com']));
    expect((await desktops())[0]?.labels).toMatchObject({ env: 'office', [DISCOVERED_LABEL]: 'office' });
    expect(await told('TDC00I')).toMatchObject([{ user: 'ed', name: 'office' }]);
    expect(JSON.stringify(await told('TDC00I'))).not.toContain('secret of');
    expect((await begin(ed, given())).json).toMatchObject({
      error: { code: 'exists', message: 'there is a discovery "office" already' },
    });
  });

  test.each([
    ['another password', { password: 'wrong' }, /does not let cn=reader.* in/],
    ['no password', { password: undefined }, /spec.ldap.password: missing/],
    ['another base', { base: 'dc=other,dc=com' }, /has nothing at dc=other/],
    ['an authority that did not sign', { ca_cert: selfSigned().cert }, /certificate that is not trusted/],
    ['a filter that is none', { filter: '(location=' }, /spec.ldap.filter/],
  ] as const)('with %s the answer says why, and nothing is kept', async (_what, more, why) => {
    const { status, json } = await begin(ed, given(more));
    expect([status, json]).toMatchObject([400, { error: { message: expect.stringMatching(why) } }]);
    expect(await rig.store.resources.get('discovery_config', 'office')).toBeNull();
    expect(await told('TDC00I')).toEqual([]);
  });

  test('nobody begins one without the right to', async () => {
    await rig.addUser('ann', ['access']);
    expect((await begin(await rig.signIn('ann'), given())).status).toBe(403);
    expect(await rig.store.resources.get('discovery_config', 'office')).toBeNull();
  });
});
