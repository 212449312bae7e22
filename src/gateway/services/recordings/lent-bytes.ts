// The bytes of a recording that is elsewhere, fetched by one thread and read by another: only what is read is fetched.
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { PIECE_BYTES } from './pieces.ts';
import type { RecordingBytes } from './reader.ts';

/** What the reading thread is given; the port goes with it. */
export interface LentBytes {
  readonly port: MessagePort;
  readonly size: number;
}
interface Question {
  readonly id: number;
  readonly length: number;
  readonly position: number;
}
interface Answer {
  readonly id: number;
  /** Null: they could not be had. */
  readonly bytes: Uint8Array | null;
}

/** Lets another thread read them until it is disposed of; `problem` is what the last fetch threw that failed. */
export async function lendBytes(
  bytes: RecordingBytes,
): Promise<LentBytes & Disposable & { readonly problem: unknown }> {
  const { port1: own, port2: port } = new MessageChannel();
  const { size } = await bytes.stat();
  let problem: unknown;
  own.on('message', ({ id, length, position }: Question) => {
    // No further than to the end of a piece: whoever needs the next one asks again.
    const into = Buffer.allocUnsafeSlow(Math.min(length, PIECE_BYTES - (position % PIECE_BYTES)));
    bytes.read(into, 0, into.length, position).then(
      ({ bytesRead }) => own.postMessage({ id, bytes: into.subarray(0, bytesRead) } satisfies Answer, [into.buffer]),
      (error: unknown) => {
        problem = error;
        own.postMessage({ id, bytes: null } satisfies Answer);
      },
    );
  });
  own.unref();
  return {
    port,
    size,
    get problem() {
      return problem;
    },
    [Symbol.dispose]: () => own.close(),
  };
}

/** Those that another thread lends. `read` rejects where they could not be had; why is known there. */
export function borrowedBytes({ port, size }: LentBytes): RecordingBytes {
  const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();
  let lastId = 0;
  port.on('message', ({ id, bytes }: Answer) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (bytes) one?.resolve(bytes);
    else one?.reject(new Error('the bytes of a recording could not be had'));
  });
  port.on('close', () => {
    for (const one of waiting.values()) one.reject(new Error('the bytes of a recording are no longer lent'));
  });
  return {
    async read(into, offset, length, position) {
      const answer = Promise.withResolvers<Uint8Array>();
      lastId += 1;
      waiting.set(lastId, answer);
      port.postMessage({ id: lastId, length, position } satisfies Question);
      const bytes = await answer.promise;
      into.set(bytes, offset);
      return { bytesRead: bytes.length };
    },
    stat: async () => ({ size }),
    async [Symbol.asyncDispose]() {
      port.close();
    },
  };
}
