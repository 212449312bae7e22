// One file between this machine and a server, as a request of its own that goes on by itself after a cut.
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { Readable, Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as later } from 'node:timers/promises';
import { searchOf } from '../../client/api.ts';
import { type Call, pathOf } from '../../contract/call.ts';
import { ApiError, fromAnswer } from '../../contract/failure.ts';
import { cancelTransfer, downloadFile, getTransfer, uploadFile } from '../../contract/files.ts';
import { readJson } from '../../contract/json.ts';
import type { Session } from './signed.ts';

/** How often a copy goes on after a cut, and how long it waits before the first time, ms; each time twice as long. */
const CUTS_MOST = 6;
const WAIT_MS = 500;
/** Pieces that files are read in, bytes. */
const PIECE_BYTES = 1024 * 1024;

/** A server, and who is logged in there. */
export interface Place {
  readonly clusterId: string;
  readonly nodeId: string;
  readonly login: string;
}
export interface Copy {
  readonly session: Session;
  readonly place: Place;
  /** Path on the server, path here. */
  readonly remote: string;
  readonly local: string;
  /** What proves that its person is there, for this copy; {} where roles ask for none. */
  readonly proof: Readonly<Record<string, string>>;
  /** Hears how far it is, bytes. */
  readonly moved: (bytes: number, total: number) => void;
  readonly signal: AbortSignal;
}

async function send(
  { session, signal }: Copy,
  path: string,
  method: string,
  headers: Readonly<Record<string, string | number>>,
  body: Readable,
): Promise<IncomingMessage> {
  const address = new URL(path, session.url);
  const asked = (address.protocol === 'https:' ? overHttps : overHttp)(address, {
    method,
    signal,
    headers: { ...headers, authorization: `Bearer ${await session.bearer()}`, cookie: session.cookies() },
  });
  const cut = (error: unknown): ApiError =>
    new ApiError('network', `the connection was cut: ${(error as Error).message}`);
  const answering = new Promise<IncomingMessage>((done, fail) => {
    asked.once('response', done).once('error', error => fail(cut(error)));
  });
  // A refusal may come before all has been sent: then it is what counts.
  const sending = pipeline(body, asked).catch(() => answering.catch(() => undefined));
  const answer = await answering;
  if ((answer.statusCode ?? 0) < 300) {
    await sending;
    return answer;
  }
  const said = await text(answer).catch(() => '');
  throw fromAnswer({ status: answer.statusCode ?? 0, url: address.pathname }, readJson(said));
}
const pathTo = (call: Call, params: object, query: Readonly<Record<string, string>>): string =>
  pathOf(call, params as never) + searchOf(query);

/** Runs `go` again after a cut, a few times, ever later. */
async function throughCuts<Value>(signal: AbortSignal, go: () => Promise<Value>): Promise<Value> {
  for (let cuts = 0; ; cuts++) {
    try {
      return await go();
    } catch (error) {
      const isCut = error instanceof ApiError && ['network', 'unavailable'].includes(error.code);
      if (!isCut || signal.aborted || cuts >= CUTS_MOST) throw error;
      await later(WAIT_MS * 2 ** cuts, undefined, { signal }).catch(() => undefined);
    }
  }
}

/**
 * Fetches a file to a name beside `local`, which takes its place once it is whole. What a cut leaves there the next copy goes on with, where
 * the file on the server is still the same. Answers its size.
 */
export async function fetchFile(copy: Copy): Promise<number> {
  const { place, remote, local, proof, moved, signal } = copy;
  const query = { location: remote, transfer: crypto.randomUUID(), ...proof };
  const path = pathTo(downloadFile, place, query);
  const partOf = (tag: string): string => `${local}.${tag.replace(/[^\w-]/g, '')}.part`;
  let tag = '';
  let total = 0;
  await throughCuts(signal, async () => {
    const have = tag === '' ? 0 : await sizeOf(partOf(tag));
    const headers: Record<string, string> = have > 0 ? { range: `bytes=${have}-`, 'if-range': tag } : {};
    let answer = await send(copy, path, 'GET', headers, Readable.from([]));
    if (tag === '') {
      tag = String(answer.headers.etag);
      const kept = await sizeOf(partOf(tag));
      // An earlier copy of this very file was cut.
      if (kept > 0 && kept < Number(answer.headers['content-length'])) {
        answer.destroy();
        answer = await send(copy, path, 'GET', { range: `bytes=${kept}-`, 'if-range': tag }, Readable.from([]));
      }
    }
    tag = String(answer.headers.etag);
    const from = Number(/^bytes (\d+)-/.exec(answer.headers['content-range'] ?? '')?.[1] ?? 0);
    total = from + Number(answer.headers['content-length']);
    let at = from;
    const counted = new Transform({
      transform(bytes: Buffer, _encoding, done) {
        at += bytes.length;
        moved(at, total);
        done(null, bytes);
      },
    });
    await pipeline(answer, counted, createWriteStream(partOf(tag), from > 0 ? { flags: 'r+', start: from } : {})).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.syscall === 'write' || error.syscall === 'open') throw error;
        throw new ApiError('network', 'the connection was cut');
      },
    );
    if (at < total) throw new ApiError('network', 'the connection was cut');
  });
  await rename(partOf(tag), local);
  return total;
}
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Sends a file; on the server it has its name once it is whole. Answers its size. */
export async function sendFile(copy: Copy, filename: string): Promise<number> {
  const { session, place, remote, local, proof, moved, signal } = copy;
  const transfer = crypto.randomUUID();
  const { size } = await stat(local);
  let from = 0;
  let isFirst = true;
  const params = { ...place, transfer };
  try {
    await throughCuts(signal, async () => {
      if (!isFirst)
        from = await session.call(getTransfer, { params }).then(
          ({ received }) => received,
          (error: unknown) => {
            if (error instanceof ApiError && error.code === 'not_found') return 0;
            throw error;
          },
        );
      isFirst = false;
      let at = from;
      const body = createReadStream(local, { start: from, highWaterMark: PIECE_BYTES }).on('data', bytes => {
        at += bytes.length;
        moved(at, size);
      });
      const headers = {
        'content-type': 'application/octet-stream',
        'content-length': size - from,
        ...(from > 0 && { 'content-range': `bytes ${from}-${size - 1}/${size}` }),
      };
      const query = { location: remote, filename, transfer, ...(from === 0 && proof) };
      (await send(copy, pathTo(uploadFile, place, query), 'POST', headers, body)).resume();
    });
  } catch (error) {
    if (signal.aborted) await session.call(cancelTransfer, { params }).catch(() => undefined);
    throw error;
  }
  return size;
}
