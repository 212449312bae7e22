// Plugins and integrations over the wire: enrolling every kind, trying it, what is never shown again, and who may.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pluginKindIds } from '../contract/plugin-kinds.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { createOutgoing } from './services/plugins/outgoing.ts';
import { openVendors, type Vendors } from './services/plugins/vendors.testing.ts';

const at = '/v1/webapi/sites/-current-';
let rig: Rig;
let vendors: Vendors;
let ed: Browser;
beforeAll(async () => {
  [rig, vendors] = [await openRig(), await openVendors()];
  await rig.addUser('ed', ['editor']);
  ed = await rig.signIn('ed');
});
afterAll(async () => {
  await vendors.close();
  await rig.dispose();
});
const web = pluginKindIds.filter(kind => kind !== 'email');
const eventsOf = async (type: string) =>
  (
    await rig.store.events.search({
      from: new Date(0),
      to: new Date(2 ** 42),
      limit: 100,
      types: [type],
      descending: false,
    })
  ).events.map(({ raw }) => raw);

test.each(web)('a plugin for %s is enrolled, takes a test message, and shows no secret again', async kind => {
  const spec = vendors.specOf(kind);
  const made = await ed.call('POST', `${at}/plugins`, { name: `my-${kind}`, kind, spec });
  expect([made.status, made.json]).toMatchObject([200, { name: `my-${kind}`, kind, statusCode: 0 }]);
  const before = vendors.taken.length;
  const tried = await ed.call('POST', `${at}/plugins/my-${kind}/test`);
  expect([tried.status, tried.json]).toEqual([200, { statusCode: 1, details: '' }]);
  expect(vendors.taken.slice(before)).toMatchObject([
    { kind, text: expect.stringContaining('Test message from here') },
  ]);

  const listed = await ed.call('GET', `${at}/plugins`);
  const enrolled = await ed.call('GET', `${at}/enrolled`);
  expect(enrolled.json).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ resourceType: 'plugin', kind, statusCode: 1 })]),
  });
  const yaml = await rig.declared.get('plugin', `my-${kind}`);
  const row = JSON.stringify(await rig.store.resources.get('plugin', `my-${kind}`));
  const secrets = [spec.url, spec.token, spec.signing_key].filter(one => one !== undefined);
  expect(secrets).not.toEqual([]);
  const events = JSON.stringify([await eventsOf('plugin.create'), await eventsOf('plugin.test')]);
  for (const secret of secrets)
    for (const shown of [made.body, tried.body, listed.body, enrolled.body, yaml, row, events, rig.log.join('\n')])
      expect(shown).not.toContain(secret);
});

test('a webhook is signed over its time and its body', async () => {
  const sent = vendors.taken.find(one => one.kind === 'webhook');
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(sent?.headers['x-postern-signature'])) ?? [];
  expect(signature).toBe(createHmac('sha256', 'a key of ours').update(`${seconds}.${sent?.body}`).digest('hex'));
});

describe('changing one', () => {
  test('keeps secrets that are left out, and asks for them where they would go elsewhere', async () => {
    const { token, ...spec } = vendors.specOf('jira');
    const kept = await ed.call('PUT', `${at}/plugins/my-jira`, { spec: { ...spec, issue_type: 'Bug' } });
    expect([kept.status, kept.json]).toMatchObject([200, { spec: { issue_type: 'Bug' }, secrets: ['token'] }]);
    expect((await ed.call('POST', `${at}/plugins/my-jira/test`)).json).toMatchObject({ statusCode: 1 });
    const elsewhere = { ...spec, address: 'https://attacker.example.com' };
    const refused = await ed.call('PUT', `${at}/plugins/my-jira`, { spec: elsewhere });
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('give it again')]);
    expect((await ed.call('PUT', `${at}/plugins/my-jira`, { spec: { ...elsewhere, token } })).status).toBe(200);
  });
  test('that a service refuses is its status, in words, and no failure of the call', async () => {
    const spec = { ...vendors.specOf('github'), token: 'another' };
    await ed.call('PUT', `${at}/plugins/my-github`, { spec });
    const tried = await ed.call('POST', `${at}/plugins/my-github/test`);
    expect(tried.json).toEqual({ statusCode: 3, details: 'it answered 401: {"message":"Bad credentials"}' });
    expect(await eventsOf('plugin.test')).toContainEqual(
      expect.objectContaining({ code: 'TPL03W', name: 'my-github' }),
    );
  });
});

test.each([
  ['a field of another kind', 'slack', { url: 'https://example.com/x', project: 'OPS' }, 'spec.project'],
  ['a field too few', 'slack', {}, 'spec.url: missing'],
  ['no web address', 'slack', { url: 'file:///etc/passwd' }, 'begins with https:// or http://'],
  ['an address with a password', 'slack', { url: 'https://a:b@example.com' }, 'without a user and a password'],
  ['mail for nobody', 'email', { server: 'mx:25', from: 'a@b.c' }, 'somebody must get the mail'],
  [
    'a password in the clear',
    'email',
    { server: 'mx', from: 'a@b.c', to: ['d@e.f'], username: 'a', password: 'x', tls: 'none' },
    'spec.tls',
  ],
  [
    'a place that messages do not have',
    'slack',
    { url: 'https://example.com', message: '{secret}' },
    'between braces one of',
  ],
  [
    'a message without end',
    'slack',
    { url: 'https://example.com', message: 'x'.repeat(1001) },
    'at most 1000 characters',
  ],
] as const)('%s is refused with what is allowed', async (_what, kind, spec, said) => {
  const answer = await ed.call('POST', `${at}/plugins`, { name: 'wrong', kind, spec });
  expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(said)]);
});

test('a plugin reaches neither the gateway’s own machine nor its link, by number or by name, unless that is allowed', async () => {
  const { port } = new URL(vendors.specOf('slack').url ?? '');
  const asked = { method: 'POST', headers: {}, body: '{}' } as const;
  const before = vendors.requests();
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '0.0.0.0', '[::ffff:127.0.0.1]'])
    await expect(createOutgoing(false)({ ...asked, url: `http://${host}:${port}/` }), host).rejects.toThrow(
      /own machine or link/,
    );
  expect(vendors.requests()).toBe(before);
  expect(await createOutgoing(true)({ ...asked, url: `http://localhost:${port}/` })).toMatchObject({ status: 404 });
});

test('YAML enrolls plugins too, is the same when it is applied again, and is written down', async () => {
  const content = `kind: plugin\nversion: v1\nsub_kind: discord\nmetadata: {name: by-file}\nspec: {url: '${vendors.specOf('discord').url}', kinds: [lock]}\n`;
  const apply = () => rig.declared.apply([{ name: 'f.yaml', content }], { by: 'ann' });
  expect((await apply()).resources).toMatchObject([{ change: 'created' }]);
  expect((await apply()).resources).toMatchObject([{ change: 'unchanged' }]);
  expect(await eventsOf('plugin.create')).toContainEqual(
    expect.objectContaining({ code: 'TPL00I', name: 'by-file', user: 'ann', plugin_kind: 'discord' }),
  );
});

// Rule 7.3: integrations by name
test('the calls of integrations are those of the wire, and whoever may list nothing of both sees an empty list', async () => {
  const awsoidc = { roleArn: 'arn:aws:iam::123456789012:role/postern' };
  const item = { name: 'aws', subKind: 'aws-oidc', awsoidc };
  expect(await ed.call('POST', `${at}/integrations`, item)).toMatchObject({ status: 200, json: item });
  expect((await ed.call('POST', `${at}/integrations`, item)).status).toBe(409);
  expect((await ed.call('GET', `${at}/integrations`)).json).toEqual({ items: [item], nextKey: '' });
  const next = { awsoidc: { roleArn: 'arn:aws:iam::123456789012:role/other' } };
  expect((await ed.call('PUT', `${at}/integrations/aws`, next)).json).toEqual({ ...item, ...next });
  expect((await ed.call('GET', `${at}/integrations/aws`)).json).toEqual({ ...item, ...next });
  expect((await ed.call('DELETE', `${at}/integrations/aws`)).json).toEqual({ message: 'ok' });
  expect((await ed.call('GET', `${at}/integrations/aws`)).status).toBe(404);
  for (const [type, code] of [
    ['create', 'TIG00I'],
    ['update', 'TIG01I'],
    ['delete', 'TIG02I'],
  ])
    expect(await eventsOf(`integration.${type}`)).toMatchObject([{ code, name: 'aws', user: 'ed' }]);
  await rig.addUser('ann', ['access']);
  const ann = await rig.signIn('ann');
  expect((await ann.call('GET', `${at}/enrolled`)).json).toEqual({ items: [] });
});

test('a plugin that is deleted leaves nothing behind', async () => {
  const row = await rig.store.resources.get('plugin', 'my-slack');
  const id = (row?.spec as { id: string } | undefined)?.id;
  expect(await rig.store.settings.get(`plugin.status.${id}`)).not.toBeNull();
  expect((await ed.call('DELETE', `${at}/plugins/my-slack`)).status).toBe(200);
  expect(await rig.store.settings.get(`plugin.status.${id}`)).toBeNull();
  expect((await ed.call('GET', `${at}/plugins/my-slack`)).status).toBe(404);
});
