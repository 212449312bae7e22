import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPreloads } from './preloads.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-preloads-'));
});
afterAll(() => rm(folder, { recursive: true }));

const built = {
  console: ['assets/console-1.js', 'assets/console-1.css', 'assets/mono-1.woff2'],
  pages: [
    { path: '/web/login', public: true, files: ['assets/login-1.js'] },
    { path: '/web/cluster/:clusterId/nodes', public: false, files: ['assets/console-1.js', 'assets/nodes-1.js'] },
    { path: '/web/users', public: false, files: ['assets/users-1.js'] },
  ],
  login: '/web/login',
  signInHtml: { password: '<form></form>' },
  first: '/web/cluster/:clusterId/nodes',
};

test('a page names the files that it is drawn with, each once', async () => {
  const name = join(folder, 'preload.json');
  await writeFile(name, JSON.stringify(built));
  const preloads = createPreloads(name);
  const files = async (path: string, signedIn: boolean) =>
    (await preloads(path, signedIn)).links.map(link => /app\/assets\/([^"]+)/.exec(link)?.[1]);
  const around = ['console-1.js', 'console-1.css', 'mono-1.woff2'];
  expect(await files('/web/users', true)).toEqual([...around, 'users-1.js']);
  expect(await files('/web/cluster/c/nodes', true)).toEqual([...around, 'nodes-1.js']);
  expect(await files('/web', true)).toEqual([...around, 'nodes-1.js']);
  expect(await files('/web/nothing/here', true)).toEqual([...around, 'nodes-1.js']);
  expect(await files('/web/login', true)).toEqual(['login-1.js']);
  expect(await files('/web/login', false)).toEqual(['login-1.js']);
  // Whoever is not signed in gets the login page, and no hint of what else there is.
  expect(await files('/web/users', false)).toEqual(['login-1.js']);
});

test('each kind of file is preloaded as what it is', async () => {
  const name = join(folder, 'kinds.json');
  await writeFile(name, JSON.stringify(built));
  const [script, style, font] = (await createPreloads(name)('/web/users', true)).links;
  expect([script, style, font]).toEqual([
    '<link rel="modulepreload" crossorigin href="/web/app/assets/console-1.js">',
    '<link rel="stylesheet" crossorigin href="/web/app/assets/console-1.css">',
    '<link rel="preload" as="font" type="font/woff2" crossorigin href="/web/app/assets/mono-1.woff2">',
  ]);
});

test('the sign-in page comes drawn, to whoever is not signed in', async () => {
  const name = join(folder, 'drawn.json');
  await writeFile(name, JSON.stringify(built));
  const preloads = createPreloads(name);
  expect((await preloads('/web/login', false)).signInHtml).toEqual({ password: '<form></form>' });
  for (const [path, signedIn] of [
    ['/web/login', true],
    ['/web/users', false],
    ['/web', false],
  ] as const)
    expect((await preloads(path, signedIn)).signInHtml).toBeUndefined();
});

test('a console that was built anew is read anew, and one without a list has none', async () => {
  const name = join(folder, 'again.json');
  const preloads = createPreloads(name);
  expect(await preloads('/web/login', false)).toEqual({ links: [] });
  await writeFile(name, JSON.stringify(built));
  expect((await preloads('/web/login', false)).links).toHaveLength(1);
  await writeFile(
    name,
    JSON.stringify({ ...built, pages: [{ path: '/web/login', public: true, files: ['assets/a.js', 'assets/b.js'] }] }),
  );
  await utimes(name, 1, 1);
  expect((await preloads('/web/login', false)).links).toHaveLength(2);
});

test('a name that no build makes does not get into a page', async () => {
  const name = join(folder, 'bad.json');
  await writeFile(name, JSON.stringify({ ...built, console: ['assets/"><script>.js'] }));
  await utimes(name, 1, 1);
  await expect(createPreloads(name)('/web/login', false)).rejects.toThrow();
});
