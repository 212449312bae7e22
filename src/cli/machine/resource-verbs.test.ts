// `resources …` as it is typed, on a folder that no gateway runs on.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readLine, typedOf } from '../read.ts';
import { type Gateway, openGateway } from './gateway.ts';
import { machineRows } from './verbs.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8wqVyGxzYFGcWWPO8cTJ4VJmHYGzmlkDYlqyGCFuaF';
let folder: string;
let gateway: Gateway;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-resources-'));
  gateway = await openGateway(['--data', join(folder, 'data')]);
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a typed line and answers what it printed. */
async function type(...words: readonly string[]): Promise<string> {
  const line = readLine(words, machineRows);
  const [verb] = line.rows;
  if (verb === undefined) throw new Error('no verb');
  const printed: string[] = [];
  await verb.run(typedOf(verb, line), gateway, { print: text => void printed.push(text), ask: null });
  return printed.join('\n');
}
async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

test('a file is applied, says the second time that nothing changed, and its resources are listed, shown and removed', async () => {
  const path = await file(
    'all.yaml',
    `kind: app
version: v3
metadata: {name: grafana, labels: {env: prod}}
spec: {uri: 'http://localhost:3000'}
---
kind: node
version: v2
metadata: {name: db-3}
spec: {addr: 10.0.0.3, hostKey: '${KEY}'}
---
kind: user
version: v2
metadata: {name: ann}
spec: {roles: [access]}
`,
  );
  expect(await type('resources', 'apply', path, '--dry-run')).toBe(
    'would be created  app/grafana\nwould be created  node/db-3\nwould be created  user/ann\n3 resources: 3 created. Nothing was changed: this was a dry run.',
  );
  expect(await type('resources', 'list', 'app')).toBe('There are none.');
  expect(await type('resources', 'apply', path)).toBe(
    'created  app/grafana\ncreated  node/db-3\ncreated  user/ann\n3 resources: 3 created\nann has no password yet: "users reset ann" prints a link to set one.',
  );
  expect(await type('resources', 'apply', path)).toBe(
    'unchanged  app/grafana\nunchanged  node/db-3\nunchanged  user/ann\n3 resources: 3 unchanged',
  );
  expect(await type('resources', 'list', 'app')).toBe('app/grafana  grafana  dynamic  env=prod');
  expect(await type('resources', 'list')).toContain('\nuser/ann ');
  expect(await type('servers', 'list')).toMatch(/db-3 +10\.0\.0\.3:22 +db-3/);

  const shown = await type('resources', 'get', 'app/grafana');
  const changed = await file('grafana.yaml', shown.replace('prod', 'dev'));
  expect(await type('resources', 'apply', changed)).toBe('updated  app/grafana\n1 resource: 1 updated');
  expect(await type('resources', 'remove', 'app/grafana')).toBe('Removed app/grafana.');
  await expect(type('resources', 'remove', 'app/grafana')).rejects.toMatchObject({ code: 'not_found' });
});

test('what is mistyped is said, and nothing is changed', async () => {
  const path = await file('bad.yaml', 'kind: app\nversion: v3\nmetadata: {name: ok}\nspec: {uri: nowhere}\n');
  await expect(type('resources', 'apply', path)).rejects.toThrow(
    `${path}:4:13: app/ok: spec.uri: given "nowhere": an address without a user and a password, such as http://localhost:8080, tcp://host:port or cloud://AWS\nNothing was changed.`,
  );
  await expect(type('resources', 'apply', join(folder, 'none.yaml'))).rejects.toThrow(
    'none.yaml: no such file or folder',
  );
  await expect(type('resources', 'apply')).rejects.toThrow('resources apply: FILE… expected after it');
  await expect(type('resources', 'list', 'apps')).rejects.toThrow('"apps": one of role, user, node,');
  await expect(type('resources', 'list', 'app', 'db')).rejects.toThrow('"db" is one word too many');
  await expect(type('resources', 'get', 'grafana')).rejects.toThrow('"grafana": KIND/NAME expected');
  await expect(type('resources', 'get', 'app/none')).rejects.toThrow('there is no app "none"');
  await expect(type('resources', 'apply', path, '--watch')).rejects.toThrow('no gateway runs on the data folder');
});

test('a folder is all its YAML files, and one that is wrong stops them all', async () => {
  const app = (name: string) => `kind: app\nversion: v3\nmetadata: {name: ${name}}\nspec: {uri: 'http://x'}\n`;
  await file('b.yaml', app('b'));
  await file('a.yml', app('a'));
  await file('notes.txt', 'not yaml');
  expect(await type('resources', 'apply', folder)).toBe('created  app/a\ncreated  app/b\n2 resources: 2 created');
  await file('c.yaml', app('c'));
  await file('d.yaml', app('B'));
  await expect(type('resources', 'apply', folder)).rejects.toThrow(
    'd.yaml:3:18: app/B: metadata.name: given "B": a DNS label',
  );
  expect(await type('resources', 'list', 'app')).not.toContain('app/c');
});

test('a server is shown and removed by its host name', async () => {
  const { id } = await gateway.call<{ readonly id: string }>('POST', '/servers', {
    addr: '10.0.0.7:22',
    hostname: 'web-1',
    labels: [],
    hostKey: KEY,
  });
  const byName = await type('resources', 'get', 'node/web-1');
  expect(byName).toBe(await type('resources', 'get', `node/${id}`));
  expect(byName).toContain('10.0.0.7');
  expect(await type('resources', 'remove', 'node/web-1')).toBe('Removed node/web-1.');
  await expect(type('resources', 'get', 'node/web-1')).rejects.toThrow('there is no node "web-1"');
});
