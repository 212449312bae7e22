import { createRequire } from 'node:module';
import { spawn } from '@lydell/node-pty';
import { expect, test } from 'vitest';
import { missingFields } from './pty.ts';

test('node-pty is the version whose inner fields we know, and has them', async () => {
  expect(createRequire(import.meta.url)('@lydell/node-pty/package.json')).toMatchObject({ version: '1.1.0' });
  const terminal = spawn('/bin/true', [], { encoding: null, env: {} });
  const ended = new Promise<void>(done => terminal.onExit(() => done()));
  expect(missingFields(terminal)).toEqual([]);
  await ended;
  expect(missingFields({ ...terminal, _socket: undefined } as never)).toContain('_socket');
});
