// The ways a real gateway process may be run: with TLS, behind a proxy, over PostgreSQL, with resources of its configuration.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPostgres } from '../../e2e/rigs/postgres.ts';
import { endProcesses, gatewayOn, startVerb, urlIn, verbOn } from './main.testing.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-modes-'));
});
afterEach(async () => {
  endProcesses();
  await rm(folder, { recursive: true, force: true });
});

const app = (name: string) =>
  `kind: app\nversion: v3\nmetadata: {name: ${name}}\nspec: {uri: 'http://localhost:3000'}\n`;

test('with a certificate it speaks HTTPS alone, says its address so, and warns that the certificate ends', async () => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-days', '2', '-out', cert], { stdio: 'ignore' });
  const ran = gatewayOn(folder, '--tls-cert', cert, '--tls-key', key);
  await ran.until('/web/invite/');
  const url = urlIn(ran);
  expect(url).toMatch(/^https:/);
  const ca = await readFile(cert);
  const status = await new Promise((done, fail) => {
    get(`${url}/web/config.js`, { ca }, response => {
      response.resume();
      done(response.statusCode);
    }).once('error', fail);
  });
  expect(status).toBe(200);
  await expect(fetch(url.replace('https:', 'http:'))).rejects.toThrow();
  expect((await verbOn(folder, 'alerts', 'list')).out).toMatch(/ 10 +The TLS certificate of gateway .* \(in 1 day\)/);
  ran.child.kill('SIGTERM');
  expect(await ran.ended).toBe(0);
});

test('behind a proxy it listens beyond loopback, and says what is missing without the address that people type', async () => {
  const ran = gatewayOn(folder, '--trust-proxy', '--listen', '0.0.0.0:0');
  await ran.until('Postern is ready');
  await ran.until('--trust-proxy without --public-url: browsers at another address than http://');
  const known = gatewayOn(join(folder, 'known'), '--trust-proxy', '--public-url', 'https://console.example.com');
  await known.until('Postern is ready on https://console.example.com\n');
  expect(known.err()).not.toContain('--trust-proxy without');
});

test('over PostgreSQL two gateways start, know the same cluster and the same users, and each shows its own machine', async () => {
  const postgres = await openPostgres();
  try {
    const folders = [join(folder, 'one'), join(folder, 'two')];
    const ran = folders.map(one => gatewayOn(one, '--store', postgres.url));
    for (const one of ran) await one.until('Postern is ready');
    const [one = '', two = ''] = folders;
    const store = ['--store', postgres.url];
    expect(await verbOn(one, 'ca', 'export', ...store)).toEqual(await verbOn(two, 'ca', 'export', ...store));
    expect((await verbOn(one, 'users', 'add', 'ann', '--roles', 'access', ...store)).code).toBe(0);
    expect((await verbOn(two, 'users', 'add', 'ann', '--roles', 'access', ...store)).err).toContain('ann');
    const servers = (await verbOn(one, 'servers', 'list', ...store)).out;
    expect(servers.match(/this machine|machine of another gateway/g)?.sort()).toEqual([
      'machine of another gateway',
      'this machine',
    ]);
    for (const { child, ended } of ran) {
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    }
  } finally {
    endProcesses();
    await postgres.dispose();
  }
});

test('resources of the configuration are applied at start, follow their files, and leave with them', async () => {
  const declared = join(folder, 'resources');
  await mkdir(declared);
  await writeFile(join(declared, 'a.yaml'), app('a'));
  await writeFile(join(folder, 'postern.yaml'), `resources: ${declared}\n`);
  const start = () => gatewayOn(folder, '--config', join(folder, 'postern.yaml'));
  const ran = start();
  await ran.until('Postern is ready');
  const listed = async () => (await verbOn(folder, 'resources', 'list', 'app')).out;
  expect(await listed()).toBe('app/a  a  config-file\n');

  await writeFile(join(declared, '.b.yaml.new'), app('b'));
  await rename(join(declared, '.b.yaml.new'), join(declared, 'b.yaml'));
  await ran.until('app/b: created');
  await rm(join(declared, 'a.yaml'));
  await ran.until('app/a: removed');
  await writeFile(join(declared, 'b.yaml'), 'kind: nothing\n');
  await ran.until('b.yaml:1:7: kind: given ');
  expect(await listed()).toBe('app/b  b  config-file\n');
  ran.child.kill('SIGTERM');
  expect(await ran.ended).toBe(0);

  // Half of what it was told is no start.
  const refused = start();
  expect(await refused.ended).toBe(1);
  expect(refused.err()).toContain(`${join(declared, 'b.yaml')}:1:7: kind: given "nothing"`);
  const missing = gatewayOn(folder, '--resources', join(folder, 'none'));
  expect(await missing.ended).toBe(1);
  expect(missing.err()).toContain(`resources: ${join(folder, 'none')}: no such file or folder`);

  const without = gatewayOn(folder);
  await without.until('Postern is ready');
  expect(await listed()).toBe('There are none.\n');
});

test('resources apply --watch applies again at each change, says what is wrong, and ends when it is told to', async () => {
  const file = join(folder, 'app.yaml');
  await writeFile(file, app('a'));
  const ran = gatewayOn(folder);
  await ran.until('Postern is ready');
  const watching = startVerb(folder, 'resources', 'apply', file, '--watch');
  await watching.until('created  app/a');
  await watching.until('Watching');
  await writeFile(file, app('B'));
  await watching.until('metadata.name: given "B"');
  await writeFile(file, app('b'));
  await watching.until('created  app/b');
  watching.child.kill('SIGINT');
  expect(await watching.ended).toBe(0);
});
