// Notifications over the wire: what concerns whom, what is read on one device and therefore on all, and what goes when a right goes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { enrollWith, newKey } from './app-trusted-devices.testing.ts';
import { roleResource } from './services/rights/source.ts';

const at = '/v1/webapi/sites/-current-';
let rig: Rig;
let ann: Browser;
let rae: Browser;
const role = (name: string, allow: string) =>
  rig.store.resources.put(
    roleResource(`kind: role\nversion: v7\nmetadata: {name: ${name}}\nspec: {allow: {${allow}}}\n`),
  );
beforeAll(async () => {
  rig = await openRig();
  await role('dba', 'logins: [root]');
  await role('asker', 'request: {roles: [dba]}');
  await role('reviewer', 'review_requests: {roles: [dba]}');
  await rig.addUser('ann', ['asker']);
  await rig.addUser('rae', ['reviewer']);
  [ann, rae] = [await rig.signIn('ann'), await rig.signIn('rae')];
});
afterAll(() => rig.dispose());

interface Listed {
  readonly id: string;
  readonly isRead: boolean;
  readonly item: { readonly kind: string; readonly route: string; readonly text: string };
}
const told = async (who: Browser): Promise<readonly Listed[]> => {
  const { json } = await who.call('GET', `${at}/notifications`);
  return (json as { items: Listed[] }).items;
};
const ask = async (): Promise<string> => {
  const { json } = await ann.call('POST', `${at}/accessrequests`, { roles: ['dba'], reason: 'incident 4711' });
  return (json as { id: string }).id;
};

// Rule 3.3: a notification has an id, a date and an item with kind, route and name
test('a request is told to who may review it, its answer to who asked, each with the way there', async () => {
  const id = await ask();
  const route = `/web/accessrequest?request=${id}`;
  expect(await told(rae)).toMatchObject([
    { id: `request:${id}`, isRead: false, item: { kind: 'request', route, text: 'ann asks for dba: incident 4711' } },
  ]);
  expect(await told(ann)).toEqual([]);
  await rae.call('PUT', `${at}/accessrequests/${id}`, { state: 'DENIED', reason: 'not today' });
  expect(await told(rae)).toEqual([]);
  expect(await told(ann)).toMatchObject([
    { id: `answer:${id}:DENIED`, item: { kind: 'answer', route, text: 'Your request for dba was denied: not today' } },
  ]);
});

// Rule 2.3: the bell and its list
test('what is read on one device is read on all, and by nobody else; names of others’ notifications are passed over', async () => {
  const id = await ask();
  const elsewhere = await rig.signIn('rae');
  const changes: unknown[] = [];
  const forget = rig.changes.subscribe(change => void changes.push(change));
  expect(
    (await rae.call('PUT', `${at}/notifications/read`, { ids: [`request:${id}`, 'answer:of-another'] })).status,
  ).toBe(200);
  forget();
  expect(changes).toEqual([{ kind: 'notificationsRead', user: expect.any(String) }]);
  expect(await told(elsewhere)).toMatchObject([{ id: `request:${id}`, isRead: true }]);
  expect((await told(ann)).every(({ isRead }) => !isRead)).toBe(true);
  await ann.call('PUT', `${at}/notifications/read`, {});
  expect((await told(ann)).every(({ isRead }) => isRead)).toBe(true);
  const { id: userId } = (await rig.store.users.get('rae')) ?? { id: '' };
  expect([...(await rig.store.notificationReads.of(userId))]).toEqual([`request:${id}`]);
});

test('who may review no more is told no more', async () => {
  expect(await told(rae)).toHaveLength(1);
  await role('reviewer', 'logins: [nobody]');
  expect(await told(await rig.signIn('rae'))).toEqual([]);
  await role('reviewer', 'review_requests: {roles: [dba]}');
});

test('banners of the gateway about certificates and deliveries are told to whoever sees them, and written down once for plugins', async () => {
  await rig.addUser('ed', ['editor']);
  const ed = await rig.signIn('ed');
  const expires = new Date(2 ** 42);
  const alerts = {
    'tls-certificate-g1': 'The TLS certificate ends',
    'license-g1': 'The licence ends',
    'recordings-bucket-g1': 'Recordings have not reached',
    'disk-g1': 'No room',
  };
  for (const [name, message] of Object.entries(alerts))
    await rig.services.alerts.raise(name, { severity: 5, message, expires });
  expect((await told(ed)).map(({ item }) => `${item.kind}: ${item.text}`).sort()).toEqual([
    'certificate: The TLS certificate ends',
    'certificate: The licence ends',
    'upload: Recordings have not reached',
  ]);
  expect((await told(ann)).filter(({ item }) => item.kind === 'certificate')).toEqual([]);
  const watch = rig.services.notifications.watch();
  await watch.look();
  await watch.look();
  watch.dispose();
  const { events } = await rig.store.events.search({
    from: new Date(0),
    to: expires,
    limit: 10,
    types: ['notification.create'],
    descending: false,
  });
  expect(events.map(({ raw }) => raw.notification_kind).sort()).toEqual(['certificate', 'certificate', 'upload']);
});

test('a source of another noun is listed with the rest, by age and once for each key, and one that fails hides no other', async () => {
  const found = (key: string, date: Date) => ({
    key,
    kind: 'list' as const,
    date,
    route: '/web',
    resourceName: key,
    text: key,
  });
  const now = rig.services.clock();
  rig.services.notifications.add({
    of: async () => [
      found('list:a', now),
      found('list:a', now),
      found('list:old', new Date(now.getTime() - 31 * 86_400_000)),
    ],
  });
  rig.services.notifications.add({
    of: async () => {
      throw new Error('broken');
    },
  });
  expect((await told(ann)).filter(({ item }) => item.kind === 'list').map(({ id }) => id)).toEqual(['list:a']);
  expect(rig.log.join('\n')).toContain('a source of notifications failed');
});

// The last: it moves the clock.
test('a lock on a device of one’s own is told to its owner on another, with its words, as long as it is in force', async () => {
  await rig.addUser('adm', ['editor']);
  await rig.addUser('lea', ['access']);
  const [adm, lea] = [await rig.signIn('adm'), await rig.signIn('lea')];
  const made = async (tag: string): Promise<string> =>
    ((await adm.call('POST', '/v1/webapi/devices', { os_type: 'linux', asset_tag: tag })).json as { id: string }).id;
  const [hers, others] = [await made('LAPTOP-7'), await made('LAPTOP-8')];
  const { token } = (await adm.call('POST', `/v1/webapi/devices/${hers}/token`, {})).json as { token: string };
  expect((await enrollWith(lea, newKey(), token)).status).toBe(200);
  const elsewhere = await rig.signIn('lea');
  const lock = async (device: string): Promise<void> => {
    const given = { targets: { device }, message: 'left in a taxi', ttl: '1h' };
    expect((await adm.call('PUT', `${at}/locks`, given)).status).toBe(200);
  };
  await lock(hers);
  await lock(others);
  const locksOf = async (who: Browser) =>
    (await told(who)).flatMap(({ item }) => (item.kind === 'lock' ? [`${item.route} ${item.text}`] : []));
  expect(await locksOf(elsewhere)).toEqual(['/web/account trusted device LAPTOP-7 is locked: left in a taxi']);
  expect(await locksOf(adm)).toEqual([]);
  rig.later(2 * 3_600_000);
  expect(await locksOf(await rig.signIn('lea'))).toEqual([]);
});
