import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { adminSocket, listenOnSocket } from './socket.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-socket-'));
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

test('the socket is in the data folder, or in a short one when the path is too long for a socket', () => {
  expect(adminSocket(folder, {})).toBe(join(folder, 'admin.sock'));
  const deep = join(folder, 'x'.repeat(100));
  const short = adminSocket(deep, { XDG_RUNTIME_DIR: folder });
  expect(short).toMatch(/\/postern-[0-9a-f]{16}\.sock$/);
  expect(short.startsWith(folder)).toBe(true);
  expect(adminSocket(`${deep}y`, { XDG_RUNTIME_DIR: folder })).not.toBe(short);
  expect(adminSocket(deep, { XDG_RUNTIME_DIR: 'relative' }).startsWith(tmpdir())).toBe(true);
});

test('only its user may open it, and a dead one is replaced', async () => {
  const path = adminSocket(folder, {});
  for (let round = 0; round < 2; round++) {
    const app = Fastify();
    await listenOnSocket(app, path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await app.close();
  }
});
