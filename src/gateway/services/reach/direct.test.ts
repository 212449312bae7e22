import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createDirectReach } from './direct.ts';

const MOST_BYTES = 300_000;

test('what the target says arrives whole and in order, and what is written reaches it; memory that was read from is not kept', async () => {
  const answer = Buffer.from(Array.from({ length: MOST_BYTES }, (_, index) => index % 251));
  const server = createServer(socket => socket.once('data', asked => socket.end(Buffer.concat([asked, answer]))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const copies: Buffer[] = [];
  const pieces: Uint8Array[] = [];
  const stream = createDirectReach().open({ target: 'server-1', host: '127.0.0.1', port }, bytes => {
    copies.push(Buffer.from(bytes));
    pieces.push(bytes);
  });
  await once(stream, 'connect');
  stream.write('hello');
  await once(stream, 'close');
  server.close();
  expect(Buffer.concat(copies)).toEqual(Buffer.concat([Buffer.from('hello'), answer]));
  // Given back, and poisoned: whoever keeps a piece without a copy reads rubbish.
  expect(Buffer.concat(pieces).equals(Buffer.concat(copies))).toBe(false);
});

test('a port where nobody listens is an error of the stream', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise(done => server.close(done));
  const stream = createDirectReach().open({ target: 'server-1', host: '127.0.0.1', port }, () => undefined);
  const [error] = await once(stream, 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});
