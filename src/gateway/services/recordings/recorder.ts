// Writes one recording. Strict: each output is in the file, by a write(2) of its own, before `output` returns, so that killing the
// gateway loses nothing that was shown. fdatasync follows within a second (sync-rounds.ts): a power cut loses at most that.

import type { KeyObject } from 'node:crypto';
import { generateKeyPairSync, sign } from 'node:crypto';
import { ftruncateSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { Recorder, RecordingHead, RecordingSeal } from '../../ports/recordings.ts';
import { givenBack } from '../reused-memory.ts';
import type { RecordedEvent } from './events.ts';
import { createEventWriter } from './events.ts';
import type { Kind, RecordingHeader } from './format.ts';
import { encodeChunk, FILE_MAGIC, KIND, LINK_BYTES, reusedMemory, signedText } from './format.ts';
import { encodePack } from './pack.ts';
import { shownStatement } from './statement-text.ts';
import type { SyncRounds } from './sync-rounds.ts';

/** Smaller chunks wait for the end of the session (repack.ts): packing one takes longer than writing it, bytes. */
const PACK_FROM_BYTES = 4096;
/** zstd's quickest. */
const PACK_LEVEL = 1;
/** What chunks of all recordings are put together in, one after the other: each is written before anything else runs, bytes. */
const memory = reusedMemory(512 * 1024);
/** In best effort, how long output may wait to share a chunk, ms; in either mode, what became of a statement. */
const BATCH_MS = 100;
/** In strict mode, answers that may wait. */
const ANSWERS_MOST = 64;
/** In best effort, how much may wait, bytes. */
const BATCH_MOST_BYTES = 64 * 1024;

export interface RecorderPorts {
  readonly file: FileHandle;
  /** Those of all recordings of the disk. */
  readonly syncs: SyncRounds;
  readonly head: RecordingHead;
  readonly mode: 'strict' | 'best_effort';
  /** Milliseconds, never going back. */
  readonly clock: () => number;
  readonly onSealed: () => void;
  readonly settle: () => Promise<void>;
  readonly discard: () => Promise<void>;
  /** Hears what went wrong where nobody can be told by an exception. */
  readonly report: (problem: string, error: unknown) => void;
}

/** The writing half of a file: appends chunks, keeps the chain, cuts a half-written chunk off again. */
export function createChain(
  fd: number,
  start: { readonly position: number; readonly link: Uint8Array; readonly sequence: number },
) {
  let { position, link, sequence } = start;
  let torn = false;
  return {
    get link(): Uint8Array {
      return link;
    },
    /** Throws what write(2) threw. The file then ends at the last whole chunk, as far as the disk lets it. */
    append(kind: Kind, ms: number, plain: Uint8Array): void {
      if (torn) ftruncateSync(fd, position);
      torn = false;
      const isPacked = kind === KIND.events && plain.length >= PACK_FROM_BYTES;
      const chunk =
        (isPacked && encodePack([{ ms, plain }], { sequence, previous: link }, PACK_LEVEL, memory)) ||
        encodeChunk({ kind, ms, sequence, plain, previous: link }, memory);
      try {
        writeAll(fd, chunk.bytes, position);
      } catch (error) {
        torn = true;
        throw error;
      }
      position += chunk.bytes.length;
      link = chunk.link;
      sequence += 1;
    },
  };
}
function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done, position + done);
}

/** The end chunk's body, signed. Shared by the recorder and by the one who closes a cut file. */
export function endBody(
  sid: string,
  end: { state: 'sealed' | 'cut'; ended: string; ms: number; bytes: number; key: string },
  previous: Uint8Array,
  privateKey: KeyObject,
): Buffer {
  const signature = sign(null, Buffer.from(signedText(sid, end, previous)), privateKey).toString('base64');
  return Buffer.from(JSON.stringify({ ...end, signature }));
}

/** A key pair for one recording: the private half lives in this process only. */
export function recordingKey(): { readonly privateKey: KeyObject; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  return { privateKey, key: Buffer.from(x ?? '', 'base64url').toString('base64') };
}

/** Writes the file's beginning to the disk and answers the recorder. Throws when it cannot. */
export async function openRecorder(ports: RecorderPorts): Promise<Recorder> {
  const { file, syncs, head, mode, clock, report } = ports;
  const { privateKey, key } = recordingKey();
  const header: RecordingHeader = {
    version: 1,
    kind: head.kind,
    sid: head.sid,
    user: head.user,
    login: head.login,
    serverId: head.serverId,
    hostname: head.hostname,
    addr: head.addr,
    clusterName: head.clusterName,
    cols: head.size.cols,
    rows: head.size.rows,
    started: head.started.toISOString(),
    proto: head.proto,
    mode,
    key,
  };
  writeAll(file.fd, FILE_MAGIC, 0);
  const chain = createChain(file.fd, { position: FILE_MAGIC.length, link: Buffer.alloc(LINK_BYTES), sequence: 0 });
  chain.append(KIND.header, 0, Buffer.from(JSON.stringify(header)));
  await file.datasync();

  const writeEvents = createEventWriter();
  const began = clock();
  let lastMs = 0;
  let bytes = 0;
  let lost = 0;
  let waiting: RecordedEvent[] = [];
  let waitingBytes = 0;
  let batch: NodeJS.Timeout | null = null;
  let syncFailed: Error | null = null;
  let stopped = false;
  let hasEnd = false;
  let sealing: Promise<RecordingSeal> | null = null;

  const now = (): number => {
    lastMs = Math.max(lastMs, Math.round(clock() - began));
    return lastMs;
  };
  const syncSoon = (): void =>
    syncs.changed(file, error => {
      syncFailed = error;
    });
  function append(events: readonly RecordedEvent[]): void {
    const first = events[0];
    if (!first) return;
    if (syncFailed) throw new Error(`the recording could not be kept: ${syncFailed.message}`);
    const body = writeEvents(events);
    chain.append(KIND.events, first.ms, body);
    givenBack(body);
    for (const event of events) if (event.kind === 'output') bytes += event.bytes.length;
    syncSoon();
  }
  function flush(): void {
    if (batch) clearTimeout(batch);
    batch = null;
    const events = waiting;
    const size = waitingBytes;
    waiting = [];
    waitingBytes = 0;
    if (events.length === 0 && lost === 0) return;
    try {
      append(lost > 0 ? [{ kind: 'gap', ms: events[0]?.ms ?? now(), lost }, ...events] : events);
      lost = 0;
    } catch (error) {
      if (lost === 0) report(`recording ${head.sid}: output is not being recorded`, error);
      lost += Math.max(1, size);
      syncFailed = null;
    }
  }
  /** In strict mode: what waits, and this behind it. Throws as `append` does; what waited waits on then. */
  function appendWaiting(...events: readonly RecordedEvent[]): void {
    append(waiting.length === 0 ? events : [...waiting, ...events]);
    waiting = [];
  }
  /** A statement is in the file before the database gets it; what became of it is written along with the next one, or soon. */
  function answered(event: RecordedEvent): void {
    if (stopped) return;
    waiting.push(event);
    if (waiting.length >= ANSWERS_MOST) appendWaiting();
    // It runs on though the next statement takes the answer along: a timer made and cleared for each would cost as much as either.
    else
      batch ??= setTimeout(() => {
        batch = null;
        try {
          appendWaiting();
        } catch (error) {
          // The next statement hears of it.
          syncFailed ??= error instanceof Error ? error : new Error(String(error));
        }
      }, BATCH_MS).unref();
  }
  function record(event: RecordedEvent): void {
    if (stopped) return;
    if (mode === 'strict') {
      appendWaiting(event);
      return;
    }
    // The caller may use its memory again once this returns.
    waiting.push(event.kind === 'output' ? { ...event, bytes: Uint8Array.from(event.bytes) } : event);
    if (event.kind === 'output') waitingBytes += event.bytes.length;
    if (waitingBytes >= BATCH_MOST_BYTES) flush();
    else batch ??= setTimeout(flush, BATCH_MS);
  }
  function stop(): void {
    if (mode === 'best_effort' && !stopped) flush();
    stopped = true;
    if (batch) clearTimeout(batch);
    syncs.forget(file);
  }
  async function close(): Promise<void> {
    stop();
    await file.close();
    ports.onSealed();
  }
  async function seal(): Promise<RecordingSeal> {
    stop();
    if (!hasEnd) {
      // Whether all is on the disk is seen below.
      syncFailed = null;
      if (mode === 'strict') appendWaiting();
      const end = {
        state: 'sealed' as const,
        ended: new Date(head.started.getTime() + now()).toISOString(),
        ms: lastMs,
        bytes,
        key,
      };
      chain.append(KIND.end, lastMs, endBody(head.sid, end, chain.link, privateKey));
      hasEnd = true;
    }
    await file.datasync();
    await close();
    return { recording_key: key, recording_digest: Buffer.from(chain.link).toString('hex') };
  }
  return {
    mode,
    key,
    output: printed => record({ kind: 'output', ms: now(), bytes: printed }),
    told(told) {
      const event = { kind: 'output', ms: now(), bytes: shownStatement(told), told } as const;
      if (mode === 'strict' && told.kind === 'answer') answered(event);
      else record(event);
    },
    resize: size => record({ kind: 'resize', ms: now(), size }),
    presence: (user, change) => record({ kind: change, ms: now(), user }),
    end() {
      sealing ??= seal().catch((error: unknown) => {
        sealing = null;
        throw error;
      });
      return sealing;
    },
    settle: ports.settle,
    leave: close,
    async discard() {
      await close();
      await ports.discard();
    },
  };
}
