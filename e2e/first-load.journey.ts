// What the first load of a page is made of, read from what the build wrote. Bytes, not times: these are the same on every machine.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { features } from '../src/features/table.ts';
import { expect, test } from './rigs/journey.ts';

const folder = resolve(import.meta.dirname, '../dist/console');

interface Preloads {
  readonly console: readonly string[];
  readonly pages: readonly { readonly path: string; readonly files: readonly string[] }[];
}

/** Scripts and styles that a page is drawn with, those that stand in it too, and what they weigh as the speed table counts: gzip at level 9, each by itself. */
async function firstLoad(path: string, isPrivate: boolean): Promise<{ readonly bytes: number; readonly text: string }> {
  const html = await readFile(resolve(folder, 'index.html'), 'utf8');
  const preloads: Preloads = JSON.parse(await readFile(resolve(folder, 'preload.json'), 'utf8'));
  const page = preloads.pages.find(one => one.path === path)?.files ?? [];
  const named = [...html.matchAll(/assets\/[\w.-]+/g)].map(([name]) => name);
  const names = new Set([...named, ...(isPrivate ? preloads.console : []), ...page]);
  const files = await Promise.all(
    [...names].filter(name => /\.(js|css)$/.test(name)).map(name => readFile(resolve(folder, name))),
  );
  const inPage = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => Buffer.from(text));
  const all = [...files, ...inPage];
  return {
    bytes: all.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0),
    text: all.map(file => file.toString()).join('\n'),
  };
}

test('the sign-in page stays within its 110 kB', async () => {
  expect((await firstLoad(features.login.path, false)).bytes).toBeLessThanOrEqual(110_000);
});

test('the servers list stays within its 180 kB, and brings neither terminal, palette, editor nor what commands do', async () => {
  const { bytes, text } = await firstLoad(features.nodes.path, true);
  expect(bytes).toBeLessThanOrEqual(180_000);
  for (const mark of ['xterm-viewport', 'cmdk-item', 'floating-ui', 'Remove the server', 'ssh root@db-3'])
    expect(text, mark).not.toContain(mark);
});
