// Recordings kept in a bucket. The folder is where they are written and wait to be sent, and afterwards a copy that may go.
//
//   sid.rec alone           not in the bucket yet: sent, and tried again for ever
//   sid.rec, sid.rec.upload  some of its parts are in the bucket: the next try goes on from there
//   sid.rec, sid.stored      the bucket has it, whole: this is a copy
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '../../../contract/failure.ts';
import type { Bucket } from '../bucket.ts';
import { createRetries } from '../retries.ts';
import { isAbsent } from './absent.ts';
import { createCopies } from './copies.ts';
import { fetchFile, isSame, PART_BYTES, sendFile } from './transfer.ts';

/** Keys of recordings and their indexes; what else somebody keeps in the bucket is nothing of ours. */
const KEY = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.(rec|idx)$/;
/** Recordings sent at once. */
const SENT_AT_ONCE = 3;
/** A recording up to this is fetched whole by whoever looks at it, bytes. */
const FETCHED_MOST_BYTES = 1024 * 1024;
/** How long the reader of a copy waits for the bucket's word that it still has the recording, ms. */
const COPY_WAITS_MS = 2000;
/** How often the bucket is looked through for what other gateways have brought and removed, ms. */
const LOOK_EVERY_MS = 600_000;
/** The same while it cannot be, ms. */
const LOOK_AGAIN_MS = 60_000;
/** How often it is asked whether something does not reach the bucket, ms. */
const TOLD_EVERY_MS = 10_000;

export interface ArchiveParts {
  readonly bucket: Bucket;
  /** The folder of recordings. */
  readonly folder: string;
  /** The bucket in words. */
  readonly place: string;
  /** What copies may take together, bytes. */
  readonly copiesMostBytes: number;
  /** Notes in the audit log, once, that the bucket has a recording. */
  readonly stored: (sid: string) => Promise<void>;
  readonly report: (problem: string, error: unknown) => void;
  /** Size of the pieces that go over the network, bytes; S3 wants at least 5 MiB. */
  readonly partBytes?: number;
  /** Above this a recording is read in part, bytes. */
  readonly fetchedMostBytes?: number;
}
/** What banners tell of. `next` rejects with what does not reach the bucket; resolves with when to ask again, ms. */
export interface BucketDelivery {
  readonly what: string;
  readonly receiver: { readonly name: string; readonly place: string };
  next(): Promise<number>;
}
/** A recording that is kept for good. */
export interface StoredRecording {
  readonly sid: string;
  /** With its index. */
  readonly bytes: number;
  readonly changed: Date;
}
/** A recording's file in the bucket. */
interface ApartFile {
  readonly size: number;
  read(from: number, to: number): Promise<Uint8Array>;
}
/** Where recordings go once their sessions are over; a gateway without one keeps them in its folder. Ids are checked by the caller. */
export interface Archive {
  /** Sends a recording that no longer changes, without anyone waiting for it. */
  keep(sid: string): void;
  /**
   * Sees to it that the folder has a copy of what the bucket has; `anew`: a fresh one. False when there is no such recording. Throws
   * Failure unavailable.
   */
  present(sid: string, anew?: boolean): Promise<boolean>;
  /**
   * One that is in the bucket alone and too large to be fetched for a look: its index is in the folder then, where there is one. null:
   * `present` it. Throws Failure unavailable, and so does reading.
   */
  apart(sid: string): Promise<ApartFile | null>;
  /** Those in the bucket. Throws BucketError. */
  list(): Promise<readonly StoredRecording[]>;
  /** Removes it from the bucket, and its copy. Other gateways forget theirs when they next ask for it. */
  remove(sid: string): Promise<void>;
  /** Hears now and then what the bucket has. */
  watch(listener: (sids: readonly string[]) => Promise<void>): void;
  /** How many wait to be sent. */
  waiting(): number;
  readonly delivery: BucketDelivery;
  close(): void;
}

export function createArchive(parts: ArchiveParts): Archive {
  const { bucket, folder, partBytes = PART_BYTES, fetchedMostBytes = FETCHED_MOST_BYTES } = parts;
  const ending = new AbortController();
  // What stopping cuts short is no fault: it goes on at the next start.
  const report = (problem: string, error: unknown): void =>
    ending.signal.aborted ? undefined : parts.report(problem, error);
  const retries = createRetries(report);
  const sending = new Set<string>();
  const failing = new Map<string, Error>();
  const fetching = new Map<string, Promise<boolean>>();
  const copies = createCopies(folder, parts.copiesMostBytes);
  const slots: (() => void)[] = [];
  let running = 0;
  const pathOf = (sid: string, kind: 'rec' | 'idx'): string => join(folder, `${sid}.${kind}`);
  const isThere = (path: string): Promise<boolean> =>
    stat(path).then(
      () => true,
      (error: unknown) => {
        if (isAbsent(error)) return false;
        throw error;
      },
    );
  async function inSlot(work: () => Promise<void>): Promise<void> {
    if (running >= SENT_AT_ONCE) await new Promise<void>(free => slots.push(free));
    else running += 1;
    try {
      await work();
    } finally {
      const next = slots.shift();
      if (next) next();
      else running -= 1;
    }
  }
  /** Remembers what is wrong with something until it works. */
  async function noting(what: string, work: () => Promise<void>): Promise<void> {
    ending.signal.throwIfAborted();
    try {
      await work();
      failing.delete(what);
    } catch (error) {
      failing.set(what, error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }
  async function send(sid: string): Promise<void> {
    const path = pathOf(sid, 'rec');
    const source = { bucket, partBytes, path, key: `${sid}.rec` };
    // A try before may have been cut off just behind the last part.
    if (!(await isSame(source))) {
      await sendFile(source);
      if (!(await isSame(source))) throw new Error('what arrived in the bucket is not what was sent');
    }
    const index = { bucket, partBytes, path: pathOf(sid, 'idx'), key: `${sid}.idx` };
    if (await isThere(index.path)) await sendFile(index);
    await parts.stored(sid);
    await copies.mark(sid);
    await rm(`${path}.upload`, { force: true });
    await makeRoom(sid);
  }

  const makeRoom = (sid: string): Promise<void> =>
    copies.makeRoom(sid).catch((error: unknown) => report('copies of recordings could not be removed', error));

  /** What is thrown where the bucket failed. */
  function away(sid: string, error: unknown): Failure {
    report(`recording ${sid}: it could not be had from the bucket`, error);
    return new Failure('unavailable', 'The bucket that this recording is in does not answer at the moment.');
  }
  async function fetchIndex(sid: string): Promise<void> {
    await copies.mark(sid);
    const size = await bucket.size(`${sid}.idx`);
    if (size !== null) await fetchFile({ bucket, partBytes, path: pathOf(sid, 'idx'), key: `${sid}.idx` }, size);
  }
  async function lookApart(sid: string): Promise<ApartFile | null> {
    if (await isThere(pathOf(sid, 'rec'))) return null;
    const key = `${sid}.rec`;
    const orAway = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
      answer.catch((error: unknown) => {
        throw away(sid, error);
      });
    const size = await orAway(bucket.size(key));
    if (size === null || size <= fetchedMostBytes) return null;
    const hadIndex = await isThere(pathOf(sid, 'idx'));
    if (!hadIndex) await orAway(fetchIndex(sid));
    // What is wanted now does not go when room is made for it.
    await copies.used(sid);
    if (!hadIndex) await makeRoom(sid);
    return { size, read: (from, to) => orAway(bucket.read(key, from, to)) };
  }

  async function look(sid: string, anew: boolean): Promise<boolean> {
    const [has, isCopy] = [await isThere(pathOf(sid, 'rec')), await copies.has(sid)];
    if (has && (!isCopy || (copies.isFresh(sid) && !anew))) return true;
    try {
      const answer = bucket.size(`${sid}.rec`);
      // What is here can be shown while the bucket is away; what is to be checked cannot.
      const size =
        has && !anew
          ? await Promise.race([answer.catch(() => -1), wait(COPY_WAITS_MS, -1, { ref: false })])
          : await answer;
      if (size === null) {
        await copies.forget(sid);
        return false;
      }
      if (!has || anew) {
        await fetchIndex(sid);
        await fetchFile({ bucket, partBytes, path: pathOf(sid, 'rec'), key: `${sid}.rec` }, size);
      }
    } catch (error) {
      throw away(sid, error);
    }
    await copies.used(sid);
    if (!has || anew) await makeRoom(sid);
    return true;
  }

  async function list(): Promise<StoredRecording[]> {
    const found = new Map<string, StoredRecording>();
    const indexes = new Map<string, number>();
    for await (const { key, bytes, changed } of bucket.list()) {
      const [, sid = '', kind] = KEY.exec(key) ?? [];
      if (kind === 'idx') indexes.set(sid, bytes);
      if (kind === 'rec') found.set(sid, { sid, bytes, changed });
    }
    return [...found.values()].map(one => ({ ...one, bytes: one.bytes + (indexes.get(one.sid) ?? 0) }));
  }

  return {
    keep(sid) {
      if (sending.has(sid) || ending.signal.aborted) return;
      sending.add(sid);
      const attempt = () => noting(sid, () => inSlot(() => send(sid)));
      void retries.until(`recording ${sid}: its copy in the bucket`, attempt).finally(() => sending.delete(sid));
    },
    async present(sid, anew = false) {
      for (let under = fetching.get(sid); under; under = fetching.get(sid)) {
        if (!anew) return under;
        await under.catch(() => false);
      }
      const one = look(sid, anew).finally(() => fetching.delete(sid));
      fetching.set(sid, one);
      return one;
    },
    async apart(sid) {
      // Whoever has it fetched whole is waited for: it is then here.
      await fetching.get(sid)?.catch(() => false);
      return lookApart(sid);
    },
    list: async () => (await list()).filter(({ sid }) => !sending.has(sid)),
    async remove(sid) {
      await bucket.remove(`${sid}.rec`);
      await bucket.remove(`${sid}.idx`);
      await copies.forget(sid);
    },
    watch(listener) {
      const pause = (ms: number) => wait(ms, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
      const go = async (): Promise<void> => {
        // What a gateway that was killed had fetched in part.
        for (const name of await readdir(folder))
          if (name.endsWith('.part')) await rm(join(folder, name), { force: true });
        while (!ending.signal.aborted) {
          try {
            await noting('list', async () => listener((await list()).map(({ sid }) => sid)));
            await pause(LOOK_EVERY_MS);
          } catch (error) {
            report('the bucket of recordings cannot be used', error);
            await pause(LOOK_AGAIN_MS);
          }
        }
      };
      go().catch((error: unknown) => report('the folder of recordings cannot be read', error));
    },
    waiting: () => sending.size,
    delivery: {
      what: 'Recordings',
      receiver: { name: 'bucket', place: parts.place },
      async next() {
        const [first] = failing.values();
        if (first) throw first;
        return TOLD_EVERY_MS;
      },
    },
    close() {
      ending.abort();
      bucket.close();
      retries.close();
    },
  };
}
