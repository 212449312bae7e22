import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createDirectReach } from './direct.ts';

const MOST_BYTES = 300_000;

async function listening(answer: (socket: Socket) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { port, [Symbol.asyncDispose]: () => new Promise<void>(done => void server.close(() => done())) };
}

test('what the target says arrives whole and in order, and what is written reaches it; memory that was read from is not kept', async () => {
  const answer = Buffer.from(Array.from({ length: MOST_BYTES }, (_, index) => index % 251));
  await using server = await listening(socket =>
    socket.once('data', asked => socket.end(Buffer.concat([asked, answer]))),
  );
  const { port } = server;
  const copies: Buffer[] = [];
  const pieces: Uint8Array[] = [];
  const stream = createDirectReach().open({ target: 'server-1', host: '127.0.0.1', port }, bytes => {
    copies.push(Buffer.from(bytes));
    pieces.push(bytes);
  });
  await once(stream, 'connect');
  stream.write('hello');
  await once(stream, 'close');
  expect(Buffer.concat(copies)).toEqual(Buffer.concat([Buffer.from('hello'), answer]));
  // Given back, and poisoned: whoever keeps a piece without a copy reads rubbish.
  expect(Buffer.concat(pieces).equals(Buffer.concat(copies))).toBe(false);
});

test('a port where nobody listens is an error of the stream', async () => {
  const server = await listening(() => undefined);
  await server[Symbol.asyncDispose]();
  const { port } = server;
  const stream = createDirectReach().open({ target: 'server-1', host: '127.0.0.1', port }, () => undefined);
  const [error] = await once(stream, 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

test('the own machine is reached as a stream only by those who may', async () => {
  await using server = await listening(socket => socket.end('hello'));
  const to = { target: 'orders', host: '127.0.0.1', port: server.port };
  const reach = createDirectReach();
  const stream = await reach.stream(to, true);
  expect(Buffer.concat(await stream.toArray()).toString()).toBe('hello');
  for (const host of ['127.0.0.1', 'localhost', '::ffff:127.0.0.1'])
    await expect(reach.stream({ ...to, host }, false)).rejects.toMatchObject({ reason: 'not_permitted' });
});

test('what is not there is said with its address', async () => {
  const server = await listening(() => undefined);
  await server[Symbol.asyncDispose]();
  await expect(
    createDirectReach().stream({ target: '', host: '127.0.0.1', port: server.port }, true),
  ).rejects.toMatchObject({
    reason: 'unreachable',
    message: `127.0.0.1:${server.port} cannot be reached: ECONNREFUSED`,
  });
});
