import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { createAlerts } from './alerts.ts';
import { type OwnAlertParts, openOwnAlerts, type Space } from './own-alerts.ts';

let folder: string;
let store: Store;
let now: Date;
const reported: string[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-alerts-'));
  now = new Date('2026-03-01T12:00:00Z');
  reported.length = 0;
  store = await openStore({ kind: 'sqlite', folder }, { clock: () => now });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const roomy: Space = { free: 50e9, total: 100e9 };
/** Checks once; answers name, severity and message of what is raised. */
async function checked(parts: Partial<OwnAlertParts>): Promise<unknown[]> {
  const alerts = openOwnAlerts({
    alerts: createAlerts({ resources: store.resources, deployment: { isCloud: false, isDashboard: false } }),
    gateway: { id: 'g1', hostname: 'box' },
    certificate: null,
    license: null,
    folders: [folder],
    clock: () => now,
    space: async () => roomy,
    report: (problem, error) => void reported.push(`${problem}: ${error instanceof Error ? error.message : error}`),
    ...parts,
  });
  await alerts.check();
  alerts.dispose();
  const { items } = await store.resources.list('cluster_alert', { limit: 10, selection: null, count: false });
  return items.map(({ name, spec }) => [name, spec]);
}
/** A certificate made now, and when it ends. */
function certificate(): { readonly pem: string; readonly ends: number } {
  const file = join(folder, 'cert.pem');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', join(folder, 'key.pem')];
  execFileSync('openssl', ['req', '-x509', ...key, '-subj', '/CN=box', '-days', '20', '-out', file], {
    stdio: 'ignore',
  });
  const pem = readFileSync(file, 'utf8');
  return { pem, ends: new Date(new X509Certificate(pem).validTo).getTime() };
}

test('with room and without TLS there is nothing to say', async () => {
  expect(await checked({})).toEqual([]);
});

test.each([
  [{ free: 499e6, total: 2e9 }, 5, '499 MB'],
  [{ free: 4.9e9, total: 100e9 }, 5, '4900 MB'],
  [{ free: 99e6, total: 1e9 }, 10, '99 MB'],
  [{ free: 0, total: 1e9 }, 10, '0 MB'],
])('a disk with %j is told of with severity %i, and no more once there is room', async (space, severity, left) => {
  const message = `Gateway box has ${left} left on the disk of ${folder}. When it is full, sessions that must be recorded are refused.`;
  expect(await checked({ space: async () => space })).toEqual([['disk-g1', { severity, message }]]);
  expect(await checked({})).toEqual([]);
});

test('500 MB that are at least a twentieth are enough', async () => {
  expect(await checked({ space: async () => ({ free: 500e6, total: 10e9 }) })).toEqual([]);
});

test('of several disks the fullest is named, also when another has less room on the whole', async () => {
  const space = async (path: string) => (path === '/small' ? { free: 1e9, total: 2e9 } : { free: 4e9, total: 100e9 });
  expect(JSON.stringify(await checked({ folders: ['/small', '/large'], space }))).toContain('disk of /large');
});

test('a certificate is told of from 14 days before its end, gravely from 3', async () => {
  const { pem, ends } = certificate();
  const day = new Date(ends).toISOString().slice(0, 10);
  const at = async (days: number) => {
    now = new Date(ends - days * 86_400_000);
    return JSON.stringify(await checked({ certificate: pem }));
  };
  expect(await at(14)).toBe('[]');
  expect(await at(13.5)).toContain(
    `"severity":5,"message":"The TLS certificate of gateway box ends on ${day} (in 13 days). Replace it`,
  );
  expect(await at(3)).toContain('"severity":5');
  expect(await at(2.5)).toContain('"severity":10');
  expect(await at(1.5)).toContain('(in 1 day)');
  expect(await at(0.5)).toContain('(in less than a day)');
  expect(await at(-1)).toContain(`"severity":10,"message":"The TLS certificate of gateway box ended on ${day}.`);
  expect(await checked({ certificate: null })).toEqual([]);
});

test('a licence is told of from 30 days before its end, gravely from 7', async () => {
  const ends = new Date('2027-03-01T00:00:00Z');
  const at = async (days: number) => {
    now = new Date(ends.getTime() - days * 86_400_000);
    return JSON.stringify(await checked({ license: ends }));
  };
  expect(await at(30)).toBe('[]');
  expect(await at(29.5)).toContain(
    '"severity":5,"message":"The licence that this dashboard hands out ends on 2027-03-01 (in 29 days). Name its successor',
  );
  expect(await at(6)).toContain('"severity":10');
  expect(await at(-1)).toContain('ended on 2027-03-01.');
  expect(await checked({ license: null })).toEqual([]);
});

test('what a gateway raised fades when the gateway is gone', async () => {
  await checked({ space: async () => ({ free: 1, total: 1e9 }) });
  now = new Date(now.getTime() + 3 * 3_600_000 + 1);
  expect((await store.resources.list('cluster_alert', { limit: 1, selection: null, count: false })).items).toEqual([]);
});

test('a check that fails is reported, and the others are made', async () => {
  const fails = async (): Promise<Space> => {
    throw new Error('no such disk');
  };
  const { pem, ends } = certificate();
  now = new Date(ends);
  expect(JSON.stringify(await checked({ certificate: pem, space: fails }))).toContain('tls-certificate-g1');
  expect(reported).toEqual(['the check "disk" failed: no such disk']);
});

test('the room of a real disk is read', async () => {
  const alerts = openOwnAlerts({
    alerts: createAlerts({ resources: store.resources, deployment: { isCloud: false, isDashboard: false } }),
    gateway: { id: 'g1', hostname: 'box' },
    certificate: null,
    license: null,
    folders: [folder],
    report: problem => void reported.push(problem),
  });
  await alerts.check();
  alerts.dispose();
  expect(reported).toEqual([]);
});
