// For tests: a real S3 server of this process, and a line to it that breaks.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BucketPlace } from '../ports/recordings.ts';
import { type Bucket, openBucket } from './bucket.ts';

interface S3Server {
  readonly middleware: ((context: { path: string; app: object }, next: () => unknown) => unknown)[];
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
const require = createRequire(import.meta.url);
const S3rver = require('@20minutes/s3rver') as new (options: object) => S3Server;

/** The one pair of keys that the server takes, as the environment hands them to the client. */
const bucketKeys = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
export interface BucketRig {
  readonly place: BucketPlace;
  /** Straight to the server, past what breaks. */
  readonly straight: Bucket;
  /** Over the line that breaks; what stalls is given up after so many ms. */
  open(place?: Partial<BucketPlace>, answerMostMs?: number): Bucket;
  /** From now on one request of so many is broken: cut off, refused with 503, or never answered, in turns. 0: none. */
  breakEach(every: number): void;
  /** Hears the first line of each request, before it is passed on. */
  onRequest(listener: (line: string) => void): void;
  close(): Promise<void>;
}

const SLOW_DOWN = '<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>';

/** Sets the keys in this process's environment until it is closed. */
export async function openBucketRig(): Promise<BucketRig> {
  const directory = mkdtempSync(join(tmpdir(), 'postern-bucket-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'acme' }],
  });
  // It reckons the signature of a call on the bucket itself without the slash that ends its path.
  server.middleware.unshift((context, next) => {
    if (context.path.endsWith('/'))
      context.app = Object.create(context.app, { allowMismatchedSignatures: { value: true } });
    return next();
  });
  const { port } = await server.run();
  const before = { ...process.env };
  Object.assign(process.env, bucketKeys);
  let every = 0;
  let seen = 0;
  let broken = 0;
  let hear: (line: string) => void = () => {};
  const open = new Set<Socket>();
  const line = createServer(client => {
    const there = connect(port, '127.0.0.1');
    for (const one of [client, there]) {
      open.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        open.delete(one);
        client.destroy();
        there.destroy();
      });
    }
    let isStalled = false;
    client.on('data', bytes => {
      if (isStalled) return;
      const [first] = /^(PUT|GET|POST|DELETE|HEAD) \S+/.exec(bytes.toString('latin1', 0, 2000)) ?? [];
      if (first !== undefined) {
        hear(first);
        seen += 1;
        if (every > 0 && seen % every === 0) {
          broken += 1;
          if (broken % 3 === 0) return void client.resetAndDestroy();
          if (broken % 3 === 1)
            return void client.end(
              `HTTP/1.1 503 Slow Down\r\nContent-Type: application/xml\r\nContent-Length: ${SLOW_DOWN.length}\r\nConnection: close\r\n\r\n${SLOW_DOWN}`,
            );
          isStalled = true;
          return;
        }
      }
      there.write(bytes);
    });
    there.pipe(client);
  });
  await new Promise<void>(done => line.listen(0, '127.0.0.1', done));
  const through = (line.address() as AddressInfo).port;
  const place: BucketPlace = { name: 'acme', prefix: 'night/', endpoint: `http://127.0.0.1:${through}`, region: null };
  const opened: Bucket[] = [];
  const openOne = (more: Partial<BucketPlace> = {}, answerMostMs?: number): Bucket => {
    const bucket = openBucket({ ...place, ...more }, answerMostMs);
    opened.push(bucket);
    return bucket;
  };
  return {
    place,
    straight: openOne({ endpoint: `http://127.0.0.1:${port}` }),
    open: openOne,
    breakEach(count) {
      every = count;
    },
    onRequest(listener) {
      hear = listener;
    },
    async close() {
      for (const one of opened) one.close();
      for (const one of open) one.destroy();
      await new Promise(done => line.close(done));
      await server.close();
      process.env = before;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
