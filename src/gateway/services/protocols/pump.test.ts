// Bulk between two sockets: every byte once and in order behind a slow reader, and no memory kept of what has gone on.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { pump } from './pump.ts';

const BULK_BYTES = 8 * 1024 * 1024;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Both ends of a connection on this machine. */
async function pair(): Promise<readonly [Socket, Socket]> {
  const server: Server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const accepted = once(server, 'connection');
  const near = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  const [far] = (await accepted) as [Socket];
  server.close();
  closing.push(
    () => near.destroy(),
    () => far.destroy(),
  );
  return [near, far];
}

test('what passes between two sockets arrives whole at whoever reads slowly, and its memory is given back', async () => {
  const [source, from] = await pair();
  const [to, sink] = await pair();
  const pieces: Buffer[] = [];
  pump(
    from,
    to,
    bytes => void pieces.push(bytes),
    error => expect.unreachable(String(error)),
    { isCopied: true },
  );
  const sent = randomBytes(BULK_BYTES);
  source.end(sent);
  const seen = createHash('sha256');
  for await (const bytes of sink) {
    seen.update(bytes as Buffer);
    await new Promise(setImmediate);
  }
  expect(seen.digest('hex')).toBe(createHash('sha256').update(sent).digest('hex'));
  const bulk = pieces.filter(({ buffer }) => buffer.byteLength === 0);
  expect(bulk.length).toBeGreaterThan(BULK_BYTES / 65_536 / 2);
});

test('a piece that somebody else may have kept stays as it is', async () => {
  const [source, from] = await pair();
  const [to, sink] = await pair();
  const pieces: Buffer[] = [];
  pump(
    from,
    to,
    bytes => void pieces.push(bytes),
    error => expect.unreachable(String(error)),
  );
  const sent = randomBytes(BULK_BYTES);
  source.end(sent);
  for await (const _ of sink);
  expect(Buffer.concat(pieces).equals(sent)).toBe(true);
});
