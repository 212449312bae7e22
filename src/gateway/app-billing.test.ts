// Invoices, what they are paid with and to whom they are made out, over the wire, against a provider by the contract of the manual.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { BILLING_KEY, type BillingDouble, openBilling } from './billing-double.testing.ts';
import { createBilling } from './services/billing/billing.ts';

const at = '/v1/webapi/sites/-current-/billing';
let rig: Rig;
let provider: BillingDouble;
let ed: Browser;
beforeAll(async () => {
  provider = await openBilling();
  rig = await openRig({ billing: { address: provider.address, key: BILLING_KEY } });
  await rig.addUser('ed', ['editor']);
  await rig.addUser('ann', ['access']);
  ed = await rig.signIn('ed');
});
afterAll(async () => {
  await provider?.dispose();
  await rig?.dispose();
});
const codesOf = async (): Promise<readonly unknown[]> =>
  (
    await rig.store.events.search({
      ...{ from: new Date(0), to: new Date(2 ** 42), limit: 100, descending: false },
      types: ['billing.create_card', 'billing.delete_card', 'billing.update_card', 'billing.update_info'],
    })
  ).events.map(({ raw: { code, user } }) => `${String(code)} ${String(user)}`);

// Rule 6: invoices where a provider is set
test('invoices come page by page as the provider has them, and the document of one is a PDF', async () => {
  const first = await ed.call('GET', `${at}/invoices`);
  expect(first.json).toMatchObject({
    items: [
      { id: 'in-3', number: '2026-0003', state: 'open', amount: 120_450, currency: 'EUR', due: '2026-12-15' },
      { id: 'in-2', state: 'paid' },
    ],
    nextKey: 'in-1',
  });
  const rest = await ed.call('GET', `${at}/invoices?startKey=in-1`);
  expect(rest.json).toMatchObject({ items: [{ id: 'in-1' }], nextKey: '' });
  const file = await ed.call('GET', `${at}/invoices/in-2/document`);
  expect([file.status, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
    200,
    'application/pdf',
    expect.stringContaining('invoice-in-2.pdf'),
  ]);
  expect(file.body).toMatch(/^%PDF-/);
});

test('settings are changed and payment methods chosen, removed and added at the provider, and the log says who did', async () => {
  const { json } = await ed.call('GET', `${at}/settings`);
  expect(json).toMatchObject({ company: 'Example Ltd', taxId: 'EX123' });
  const changed = { ...(json as object), reference: 'PO 7', company: 'Example Inc' };
  expect((await ed.call('PUT', `${at}/settings`, changed)).json).toEqual(changed);
  const refused = await ed.call('PUT', `${at}/settings`, { ...changed, taxId: 'WRONG' });
  expect([refused.status, refused.json]).toMatchObject([
    400,
    { error: { message: 'the billing provider: this tax number is not known' } },
  ]);
  expect((await ed.call('PUT', `${at}/settings`, { ...changed, email: 'nobody' })).json).toMatchObject({
    error: { fields: { email: 'an address such as accounts@example.com' } },
  });
  expect((await ed.call('PUT', `${at}/methods/pm-2`, {})).status).toBe(200);
  expect((await ed.call('DELETE', `${at}/methods/pm-1`)).status).toBe(200);
  expect((await ed.call('GET', `${at}/methods`)).json).toEqual({
    items: [{ id: 'pm-2', title: 'Account ending in 0042', expires: null, isDefault: true }],
  });
  expect((await ed.call('DELETE', `${at}/methods/pm-1`)).status).toBe(404);
  // People come back to this gateway's own page.
  expect((await ed.call('POST', `${at}/methods`, {})).json).toEqual({ url: 'https://pay.example.com/session/1' });
  expect(provider.asked.at(-1)).toBe(
    'POST /v1/payment-methods/session {"returnTo":"https://console.example.com/web/billing/payments"}',
  );
  // What was refused is no change, and neither is a page that was only opened.
  await ed.call('GET', `${at}/methods`);
  expect(await codesOf()).toEqual(['TBL03I ed', 'TBL02I ed', 'TBL01I ed']);
  // Two look at once when whoever was led there comes back: what is new is noted once.
  provider.addMethod('pm-3');
  await Promise.all([ed.call('GET', `${at}/methods`), ed.call('GET', `${at}/methods`)]);
  await ed.call('GET', `${at}/methods`);
  expect(await codesOf()).toEqual(['TBL03I ed', 'TBL02I ed', 'TBL01I ed', 'TBL00I ed']);
});

test('whatever a provider answers wrong is told in words and with none of its key, and nothing of it is followed or believed', async () => {
  const asks = async (path = '/invoices') => {
    const { status, body } = await ed.call('GET', `${at}${path}`);
    expect(body).not.toContain(BILLING_KEY);
    return `${status} ${body}`;
  };
  const asked = provider.asked.length;
  provider.next(302, '', { location: `${provider.address}/invoices` });
  expect(await asks()).toMatch(/^408 .*does not answer/);
  expect(provider.asked.length).toBe(asked + 1);
  provider.next(500, 'stack trace');
  expect(await asks()).toMatch(/^408 .*the billing provider answered 500/);
  provider.next(200, '<html>');
  expect(await asks()).toMatch(/^408 .*answered what it should not/);
  provider.next(200, JSON.stringify({ items: [{ id: '../settings', number: 'x' }] }));
  expect(await asks()).toMatch(/^408 .*answered what it should not: items\.0/);
  provider.next(200, Buffer.alloc(2 * 1024 * 1024, 32));
  expect(await asks()).toMatch(/^408 .*more than 1048576 bytes/);
  provider.next(200, '<script>alert(1)</script>', { 'content-type': 'text/html' });
  expect(await asks('/invoices/in-2/document')).toMatch(/^408 .*a document that is no PDF/);
  provider.next(200, JSON.stringify({ items: [] }));
  provider.next(200, JSON.stringify({ url: 'javascript:alert(1)' }));
  expect((await ed.call('POST', `${at}/methods`, {})).body).toContain('answered what it should not: url');
  // A name that would lead to another call of the provider is none.
  const before = provider.asked.length;
  expect((await ed.call('DELETE', `${at}/methods/..`)).status).toBeGreaterThanOrEqual(400);
  expect((await ed.call('DELETE', `${at}/methods/%2e%2e%2fsettings`)).status).toBeGreaterThanOrEqual(400);
  expect(provider.asked.length).toBe(before);
});

test('whoever has no right to billing asks nothing, and without a provider or a bill there is nothing', async () => {
  const before = provider.asked.length;
  const ann = await rig.signIn('ann');
  for (const [method, path] of [
    ['GET', 'invoices'],
    ['GET', 'settings'],
    ['POST', 'methods'],
  ] as const)
    expect((await ann.call(method, `${at}/${path}`, method === 'POST' ? {} : undefined)).status).toBe(403);
  expect(provider.asked.length).toBe(before);
  const parts = {
    ...{ audit: { emit: async () => undefined }, settings: rig.store.settings, clock: () => new Date() },
    publicUrl: 'https://console.example.com',
  };
  const cloud = { isCloud: true, isDashboard: false };
  const none = createBilling({ ...parts, provider: null, deployment: cloud });
  await expect(async () => none.settings()).rejects.toThrow('no billing provider is set');
  const own = createBilling({
    ...parts,
    provider: { address: provider.address, key: null },
    deployment: { isCloud: false, isDashboard: false },
  });
  await expect(async () => own.methods()).rejects.toThrow('this deployment has no billing');
});
