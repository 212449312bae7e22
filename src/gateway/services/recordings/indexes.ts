// Keeps the indexes of the recordings that are being looked at, and makes those that are missing.
import { randomBytes } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import type { Settings } from '../../store/store.ts';
import { createWorkerQueue } from '../worker-queue.ts';
import { isAbsent } from './absent.ts';
import { KIND } from './format.ts';
import type { StoredIndex } from './index-file.ts';
import { indexOf, readIndexFile, writeIndexFile } from './index-file.ts';
import type { IndexJob, IndexResult } from './index-job.ts';
import { runIndexJob } from './index-job.ts';
import { readChunks, wholeFile } from './reader.ts';
import type { RecordingIndex } from './recording-index.ts';
import { KEYFRAME_BYTES } from './terminal-index.ts';

/** Indexes kept open. */
const OPEN_MOST = 16;
/** The index of a running session is made anew at most this often, ms. */
const LIVE_FRESH_MS = 2000;
/** Recordings up to this are looked through in place, bytes of file. */
const SMALL_FILE_BYTES = 256 * 1024;
/** More than this are not remembered. */
const DRAWN_MOST = 10_000;
const SETTING = 'recordings.index_key';

export interface IndexPorts {
  readonly pathOf: (sid: string, kind: 'rec' | 'idx') => string;
  readonly isLive: (sid: string) => boolean;
  /** The key that sidecars are written with is kept here; without it each start makes them anew. */
  readonly settings: Settings | undefined;
  readonly report: (problem: string, error: unknown) => void;
}
export interface Indexes {
  /** null when there is no such recording. Throws BadChunk or Error when nothing of the file can be read. */
  get(sid: string): Promise<StoredIndex | null>;
  /** What the sidecar says of a file of so many bytes that is elsewhere; null when it is not there, or says nothing of that file. */
  beside(sid: string, size: number): Promise<StoredIndex | null>;
  /** Checks the whole file anew. Throws as `get`. */
  check(sid: string): Promise<RecordingIndex | null>;
  /** Makes the sidecar in the background. Resolves when that was tried. */
  prepare(sid: string): Promise<void>;
  /** Forgets what was kept, so that the next `get` reads again. */
  forget(sid: string): void;
  /** Recordings that wait to be indexed, or are. */
  waiting(): number;
  close(): Promise<void>;
}
interface CachedIndex {
  readonly index: Promise<StoredIndex>;
  /** Size and times of the file it was made from. */
  readonly stamp: string;
  readonly live: boolean;
  readonly made: number;
}

export function createIndexes(ports: IndexPorts): Indexes {
  const kept = new Map<string, CachedIndex>();
  const script = new URL('./index-worker.ts', import.meta.url);
  const asked = createWorkerQueue<IndexJob, IndexResult>(script);
  const background = createWorkerQueue<IndexJob, IndexResult>(script);
  let secret: Promise<Uint8Array> | null = null;
  let closed = false;

  async function loadSecret(): Promise<Uint8Array> {
    const fresh = randomBytes(32).toString('base64');
    const stored = ports.settings ? await ports.settings.putIfAbsent(SETTING, fresh) : fresh;
    return Buffer.from(typeof stored === 'string' ? stored : fresh, 'base64');
  }
  async function stampOf(path: string): Promise<{ stamp: string; size: number } | null> {
    try {
      const { size, mtimeMs, ctimeMs, ino } = await stat(path);
      return { stamp: [ino, size, mtimeMs, ctimeMs].join(), size };
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }
  async function run(sid: string, size: number, live: boolean, screens: boolean, queue = asked): Promise<IndexResult> {
    // Whoever waits is not kept waiting until a desktop is drawn.
    const desktops = screens && queue === background;
    const job = { path: ports.pathOf(sid, 'rec'), sid, live, screens, desktops };
    if (size <= SMALL_FILE_BYTES && (await isShort(job.path, size, desktops)))
      return runIndexJob({ ...job, screens: false }, null);
    return queue.run(job);
  }
  async function load(sid: string, size: number, live: boolean, queue = asked): Promise<StoredIndex> {
    if (live) return indexOf(await run(sid, size, true, true, queue));
    const path = ports.pathOf(sid, 'idx');
    secret ??= loadSecret();
    const found = await readIndexFile(path, size, await secret);
    if (found) {
      // The sidecar is older than the last look at the recording: what it says about key frames is only good if the chain still holds.
      const { contents } = await run(sid, size, false, false, queue);
      if (contents.digest === found.contents.digest && sameIntegrity(contents, found.contents)) return found;
    }
    const result = await run(sid, size, false, true, queue);
    const { header, isDrawn } = result.contents;
    if (header.kind === 'desktop' && queue === asked) drawLater(sid);
    if (result.screens.length > 0 || isDrawn) {
      try {
        await writeIndexFile(path, result, await secret);
        const written = await readIndexFile(path, size, await secret);
        if (written) return written;
      } catch (error) {
        ports.report(`recording ${sid}: its index could not be kept`, error);
      }
    }
    return indexOf(result);
  }
  /** Recordings of desktops that are drawn, or could not be: no look at them begins it anew. */
  const drawn = new Set<string>();
  function drawLater(sid: string): void {
    if (drawn.has(sid)) return;
    if (drawn.size >= DRAWN_MOST) drawn.clear();
    drawn.add(sid);
    void prepare(sid);
  }
  async function prepare(sid: string): Promise<void> {
    if (closed) return;
    try {
      const file = await stampOf(ports.pathOf(sid, 'rec'));
      if (!file) return;
      const index = await load(sid, file.size, ports.isLive(sid), background);
      if (!ports.isLive(sid))
        keep(sid, { index: Promise.resolve(index), stamp: file.stamp, live: false, made: Date.now() });
    } catch (error) {
      // What stopping cut short is made when somebody asks for it.
      if (!closed) ports.report(`recording ${sid}: it could not be indexed`, error);
    }
  }
  function keep(sid: string, one: CachedIndex): void {
    kept.delete(sid);
    kept.set(sid, one);
    for (const oldest of kept.keys()) {
      if (kept.size <= OPEN_MOST) break;
      kept.delete(oldest);
    }
  }
  async function get(sid: string): Promise<StoredIndex | null> {
    const file = await stampOf(ports.pathOf(sid, 'rec'));
    if (!file) return null;
    const live = ports.isLive(sid);
    const old = kept.get(sid);
    if (old && old.live === live && (old.stamp === file.stamp || (live && Date.now() - old.made < LIVE_FRESH_MS))) {
      kept.delete(sid);
      kept.set(sid, old);
      return old.index;
    }
    const one: CachedIndex = { index: load(sid, file.size, live), stamp: file.stamp, live, made: Date.now() };
    keep(sid, one);
    try {
      return await one.index;
    } catch (error) {
      if (kept.get(sid) === one) kept.delete(sid);
      throw error;
    }
  }
  return {
    get,
    async beside(sid, size) {
      secret ??= loadSecret();
      return readIndexFile(ports.pathOf(sid, 'idx'), size, await secret);
    },
    async check(sid) {
      const file = await stampOf(ports.pathOf(sid, 'rec'));
      if (!file) return null;
      return (await run(sid, file.size, ports.isLive(sid), false)).contents;
    },
    prepare,
    forget: sid => void kept.delete(sid),
    waiting: () => asked.waiting() + background.waiting(),
    async close() {
      closed = true;
      kept.clear();
      await Promise.all([asked.close(), background.close()]);
    },
  };
}
const sameIntegrity = (one: RecordingIndex, other: RecordingIndex): boolean =>
  JSON.stringify(one.integrity) === JSON.stringify(other.integrity);

/** Whether all its output fits before the second key frame, so that no terminal is needed. */
async function isShort(path: string, size: number, desktops: boolean): Promise<boolean> {
  await using file = await open(path, 'r');
  let plain = 0;
  for await (const chunk of readChunks(file, wholeFile(size))) {
    if (desktops && chunk.head.kind === KIND.header && isOfDesktop(chunk.body)) return false;
    plain += chunk.head.size;
    if (plain >= KEYFRAME_BYTES) return false;
  }
  return true;
}
/** Whatever else its header says, which is read elsewhere. */
const isOfDesktop = (header: Uint8Array): boolean => Buffer.from(header).includes('"kind":"desktop"');
