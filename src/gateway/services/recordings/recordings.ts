// Recordings: made, closed, read and checked. `format.ts` says what is in the files, `archive.ts` which of them are in a bucket.

import type { FileHandle } from 'node:fs/promises';
import { chmod, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../../contract/failure.ts';
import {
  type RecordingFile,
  type RecordingSegment,
  type ScreenPicture,
  THUMBNAILS_MOST,
} from '../../../contract/recordings.ts';
import type { DesktopProtocol } from '../../../contract/resources.ts';
import type {
  Recorder,
  RecordingHead,
  RecordingSeal,
  RecordingStore,
  RecoveredRecording,
} from '../../ports/recordings.ts';
import { makeFolder } from '../../store/folder.ts';
import type { Settings } from '../../store/store.ts';
import { isAbsent, noneIfAbsent } from './absent.ts';
import type { ApartRecording } from './apart.ts';
import { createApart } from './apart.ts';
import type { Archive, BucketDelivery, StoredRecording } from './archive.ts';
import type { RecordedEvent } from './events.ts';
import { pageOf, textOf } from './export.ts';
import type { StoredIndex } from './index-file.ts';
import { createIndexes } from './indexes.ts';
import { createLastScreens } from './last-screen.ts';
import { bytesOfFile, type OpenBytes } from './reader.ts';
import type { RecordedText } from './recorded-text.ts';
import { createRecordedText } from './recorded-text.ts';
import { openRecorder } from './recorder.ts';
import type { Integrity, RecordingIndex } from './recording-index.ts';
import { closeCut, startedOf } from './recover.ts';
import { type RecordedSummary, summaryOf } from './summary.ts';
import { createSyncRounds } from './sync-rounds.ts';
import type { RecordingFact } from './terminal-playback.ts';
import { allEvents, asciicastOf, factsOf, Repacked, segmentOf, sliceOf } from './terminal-playback.ts';
import { listFileOf } from './told-list.ts';

/** `open` until the audit log holds the end of the session; `unpacked` until its file is packed, indexed and on its way. */
type FileKind = 'rec' | 'idx' | 'open' | 'unpacked';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export interface RecordingsPorts {
  /** Made with mode 0700 when it is not there. */
  readonly folder: string;
  /** Keeps the key that index files are written with: give it, or each start indexes anew. */
  readonly settings?: Settings;
  /** What the audit log knows of an ended session's recording (its session.end), null when it has not ended. */
  readonly vouched?: (sid: string) => Promise<Partial<RecordingSeal> | null>;
  /** The bucket that recordings are kept in; without one they stay in the folder. */
  readonly archive?: Archive;
  /** Milliseconds, never going back. */
  readonly clock?: () => number;
  /** Hears of trouble nobody is waiting for. */
  readonly report?: (problem: string, error: unknown) => void;
}

/** A recording of a desktop, as its server drew it. */
export interface DesktopRecording {
  readonly protocol: DesktopProtocol;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly events: AsyncIterable<{ readonly ms: number; readonly bytes: Uint8Array }>;
}

export interface Recordings extends RecordingStore {
  /** null when there is no such recording; so for all below. Throws Failure bad_request when the id is no uuid, unavailable when the file cannot be opened. */
  summary(sid: string): Promise<RecordedSummary | null>;
  /** One key frame and what follows it; null also when there is no key frame of that number. */
  segment(sid: string, index: number): Promise<RecordingSegment | null>;
  /** What a desktop's server sent, in order; null also for a recording of another kind. */
  desktop(sid: string): Promise<DesktopRecording | null>;
  /** Small pictures of a desktop, from a number on: PNG, in base64. */
  thumbnails(sid: string, from: number): Promise<readonly { readonly ms: number; readonly png: string }[] | null>;
  /** What was on its screen at its end. */
  lastScreen(sid: string): Promise<ScreenPicture | null>;
  /** The wire's facts behind number `after` (default all), at most 50,000 at once. */
  events(sid: string, after?: number): Promise<readonly RecordingFact[] | null>;
  /** Raw output; empty behind the end. */
  stream(sid: string, offset: number, bytes: number): Promise<Uint8Array | null>;
  /** Lines of asciicast v3, each with its newline. */
  asciicast(sid: string): Promise<AsyncIterable<string> | null>;
  /** What was printed as plain text, or as one HTML file that plays it. Throws Failure too_large of a page. */
  file(sid: string, format: RecordingFile): Promise<AsyncIterable<string> | null>;
  /** Reads the whole file again and checks chain, signature and what the audit log knows. */
  verify(sid: string): Promise<Integrity | null>;
  /** At start, before sessions are opened: closes what a dead gateway left, and answers the sessions whose end the audit log lacks. */
  recover(): Promise<readonly RecoveredRecording[]>;
  /** Recordings of sessions that have ended: what they take, with their indexes, and when they were last written. Where there is a bucket: what is in it. */
  stored(): Promise<readonly StoredRecording[]>;
  /** Removes a recording of an ended session for good, wherever it is indexed. Whether it may go is for the caller to judge. */
  remove(sid: string): Promise<void>;
  /** What all recordings printed; which of them somebody may see is for the caller to judge. */
  readonly text: Pick<RecordedText, 'find' | 'hits' | 'waiting'>;
  /** Recordings that wait to be indexed, or are. */
  waiting(): number;
  /** Recordings that wait to be sent to the bucket. */
  unsent(): number;
  /** Whether other gateways see the same recordings. */
  readonly isShared: boolean;
  /** What tells of recordings that do not reach the bucket, where there is one. */
  readonly deliveries: readonly BucketDelivery[];
  /** Ends the indexing threads. Recorders are ended by their sessions. */
  close(): Promise<void>;
}

export function createRecordings(ports: RecordingsPorts): Recordings {
  const { folder, archive, vouched = async () => null, clock = () => performance.now() } = ports;
  const report =
    ports.report ??
    ((problem, error) => process.emitWarning(`${problem}: ${error instanceof Error ? error.message : String(error)}`));
  const live = new Set<string>();
  const syncs = createSyncRounds();
  const checkId = (sid: string): void => {
    if (!UUID.test(sid)) throw new Failure('bad_request', 'A session id is a uuid in lower case.', { sid: 'uuid' });
  };
  const pathOf = (sid: string, kind: FileKind): string => {
    checkId(sid);
    return join(folder, `${sid}.${kind}`);
  };
  const indexes = createIndexes({ pathOf, isLive: sid => live.has(sid), settings: ports.settings, report });

  const apart = archive && createApart(archive, indexes);
  const lastScreens = createLastScreens();
  /** The file of a recording, had from where it is kept; null when there is none. Throws Failure unavailable. */
  async function located(sid: string, anew = false): Promise<string | null> {
    const path = pathOf(sid, 'rec');
    return live.has(sid) || !archive || (await archive.present(sid, anew)) ? path : null;
  }
  const text = createRecordedText({ folder, located, apart: openApart, report });

  async function prepareFolder(): Promise<void> {
    makeFolder(folder, 0o700);
    await chmod(folder, 0o700);
  }
  async function syncFolder(): Promise<void> {
    await using handle = await open(folder, 'r');
    await handle.sync();
  }
  const forget = (sid: string, ...kinds: FileKind[]): Promise<unknown> =>
    Promise.all(kinds.map(kind => rm(pathOf(sid, kind), { force: true })));

  /** The audit log holds the end of the session. */
  async function settle(sid: string, started: number): Promise<void> {
    await rename(pathOf(sid, 'open'), pathOf(sid, 'unpacked'));
    finish(sid, started);
  }
  /** Packs, indexes and sends what is recorded, without anyone waiting for it. */
  function finish(sid: string, started: number): void {
    void text
      .prepare(sid, started)
      .then(() => indexes.prepare(sid))
      .then(() => forget(sid, 'unpacked'))
      .then(
        () => archive?.keep(sid),
        (error: unknown) => report(`recording ${sid}: it could not be finished`, error),
      );
  }

  async function openOne(head: RecordingHead, mode: 'strict' | 'best_effort'): Promise<Recorder> {
    const { sid } = head;
    await prepareFolder();
    const mark = await open(pathOf(sid, 'open'), 'wx', 0o600);
    await mark.close();
    let file: FileHandle;
    try {
      file = await open(pathOf(sid, 'rec'), 'wx', 0o600);
    } catch (error) {
      await forget(sid, 'open');
      throw error;
    }
    live.add(sid);
    try {
      const recorder = await openRecorder({
        file,
        syncs,
        head,
        mode,
        clock,
        report,
        onSealed() {
          live.delete(sid);
          indexes.forget(sid);
        },
        settle: () => settle(sid, head.started.getTime()),
        discard: async () => void (await forget(sid, 'rec', 'idx', 'open')),
      });
      await syncFolder();
      return recorder;
    } catch (error) {
      live.delete(sid);
      await file.close();
      await forget(sid, 'rec', 'open');
      throw error;
    }
  }

  /** Brings the text index up to what there is; what is still being recorded is indexed at its end. */
  const catchUp = (sids: readonly string[]): void =>
    text.catchUp(
      [...new Set(sids)].filter(sid => !live.has(sid)),
      async sid => {
        const path = await located(sid);
        return path === null ? null : startedOf(path, sid);
      },
    );

  /** One that is read where it is kept; null: `indexFor` sees to it that it is here. */
  async function openApart(sid: string): Promise<ApartRecording | null> {
    // Its key in the bucket is made of it.
    checkId(sid);
    return apart && !live.has(sid) ? apart.open(sid) : null;
  }
  async function indexFor(sid: string): Promise<StoredIndex | null> {
    try {
      return (await located(sid)) === null ? null : await indexes.get(sid);
    } catch (error) {
      if (error instanceof Failure) throw error;
      report(`recording ${sid}: it cannot be read`, error);
      throw new Failure('unavailable', 'This recording cannot be read at the moment.');
    }
  }
  /** What there is of a recording, wherever it is read; null when there is no such recording. */
  async function opened(sid: string): Promise<ApartRecording | null> {
    const elsewhere = await openApart(sid);
    if (elsewhere) return elsewhere;
    const index = await indexFor(sid);
    return index && { index, openBytes: bytesOfFile(pathOf(sid, 'rec')) };
  }
  /** What is read by the index, by a new one when the file has been packed since; null when there is no such recording. */
  async function reading<Part>(sid: string, read: (openBytes: OpenBytes, index: StoredIndex) => Promise<Part>) {
    for (let tries = 0; ; tries += 1) {
      const found = await opened(sid);
      if (!found) return null;
      try {
        return await read(found.openBytes, found.index);
      } catch (error) {
        if (!(error instanceof Repacked) || tries > 0) throw error;
      }
    }
  }
  /** What is read from a key frame, -1 = the last; null when there is none of that number. */
  async function fromFrame<Part>(
    sid: string,
    number: number,
    read: (found: ApartRecording) => Promise<Part | null>,
  ): Promise<Part | null> {
    return reading(sid, async (openBytes, index) => {
      const part = await read({ openBytes, index });
      if (part || !index.contents.keyframes.at(number)) return part;
      // The sidecar was there and is not any more: make it anew, once.
      await forget(sid, 'idx');
      indexes.forget(sid);
      apart?.forget(sid);
      const again = await opened(sid);
      return again && read(again);
    });
  }
  /** What the file says about itself, and what the audit log says about the file. */
  async function judge(sid: string, { integrity: own, digest }: RecordingIndex): Promise<Integrity> {
    if (!own.ok || live.has(sid)) return own;
    const known = await vouched(sid);
    // The digest covers the whole file, its key included.
    const differs = known?.recording_digest !== undefined && known.recording_digest !== digest;
    return differs ? { ok: false, problem: 'This is not the recording that the audit log knows.', at: 0 } : own;
  }

  async function recoverOne(sid: string): Promise<RecoveredRecording | null> {
    let closed: Awaited<ReturnType<typeof closeCut>> = null;
    try {
      closed = await closeCut(pathOf(sid, 'rec'), sid);
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
    if (!closed) {
      // The header is on the disk before the session starts: without one there was no session to tell of.
      await forget(sid, 'rec', 'open');
      return null;
    }
    indexes.forget(sid);
    const { header, ...rest } = closed;
    const started = new Date(header.started);
    if (await vouched(sid)) {
      await settle(sid, started.getTime());
      return null;
    }
    const head: RecordingHead = {
      ...header,
      size: { cols: header.cols, rows: header.rows },
      started,
    };
    return { ...rest, head, settle: () => settle(sid, started.getTime()) };
  }

  return {
    open: openOne,
    async summary(sid) {
      const elsewhere = await openApart(sid);
      const index = elsewhere?.index ?? (await indexFor(sid));
      if (!index) return null;
      const { contents } = index;
      const integrity = await judge(sid, contents);
      return summaryOf(contents, elsewhere ? { ...integrity, unread: true } : integrity);
    },
    segment: (sid, number) => fromFrame(sid, number, ({ openBytes, index }) => segmentOf(openBytes, index, number)),
    async desktop(sid) {
      const found = await opened(sid);
      const header = found?.index.contents.header;
      if (!found || !header || (header.proto !== 'rdp' && header.proto !== 'vnc')) return null;
      return {
        protocol: header.proto,
        started: Date.parse(header.started),
        events: outputsOf(allEvents(found.openBytes, found.index)),
      };
    },
    thumbnails: (sid, from) =>
      reading(sid, async (_, { contents, screen }) => {
        const some = contents.thumbnails?.slice(from, from + THUMBNAILS_MOST) ?? [];
        const pictures = await Promise.all(some.map(async one => ({ ms: one.ms, png: (await screen(one)) ?? '' })));
        return pictures.filter(({ png }) => png !== '');
      }),
    async lastScreen(sid) {
      const path = pathOf(sid, 'rec');
      const elsewhere = await openApart(sid);
      if (elsewhere) return lastScreens.apart(path, elsewhere);
      return fromFrame(sid, -1, ({ index }) => lastScreens.of(path, index));
    },
    events: (sid, after = 0) => reading(sid, (openBytes, index) => factsOf(openBytes, index, after)),
    stream: (sid, offset, bytes) => reading(sid, (openBytes, index) => sliceOf(openBytes, index, offset, bytes)),
    async asciicast(sid) {
      const found = await opened(sid);
      return found && asciicastOf(found.openBytes, found.index);
    },
    async file(sid, format) {
      const found = await opened(sid);
      if (!found) return null;
      if (format === 'csv' || format === 'json') return listFileOf(found.openBytes, found.index, format);
      return (format === 'text' ? textOf : pageOf)(found.openBytes, found.index);
    },
    async verify(sid) {
      // What counts is what is kept, not the copy of it.
      const contents = (await located(sid, true)) === null ? null : await indexes.check(sid);
      return contents && judge(sid, contents);
    },
    async recover() {
      await prepareFolder();
      const recovered: RecoveredRecording[] = [];
      const names = await readdir(folder);
      for (const sid of sidsOf(names, '.open')) {
        if (live.has(sid)) continue;
        try {
          const one = await recoverOne(sid);
          if (one) recovered.push(one);
        } catch (error) {
          // One file that cannot be closed must not keep the others, or the gateway, from starting.
          report(`recording ${sid}: it could not be closed`, error);
        }
      }
      const there = new Set(names);
      for (const sid of sidsOf(names, '.rec')) {
        if (there.has(`${sid}.unpacked`)) finish(sid, (await startedOf(pathOf(sid, 'rec'), sid)) ?? 0);
        else if (!there.has(`${sid}.open`) && !there.has(`${sid}.stored`)) archive?.keep(sid);
      }
      if (archive) archive.watch(async sids => catchUp([...sids, ...sidsOf(await readdir(folder), '.rec')]));
      else catchUp(sidsOf(names, '.rec'));
      return recovered;
    },
    async stored() {
      if (archive) return archive.list();
      const names = new Set(await readdir(folder).catch(noneIfAbsent));
      const found: StoredRecording[] = [];
      for (const sid of sidsOf(names, '.rec')) {
        if (live.has(sid) || names.has(`${sid}.open`)) continue;
        try {
          const { size, mtime } = await stat(pathOf(sid, 'rec'));
          const index = names.has(`${sid}.idx`) ? (await stat(pathOf(sid, 'idx'))).size : 0;
          found.push({ sid, bytes: size + index, changed: mtime });
        } catch (error) {
          if (!isAbsent(error)) throw error;
        }
      }
      return found;
    },
    async remove(sid) {
      if (live.has(sid)) throw new Failure('bad_request', 'This session has not ended.');
      await archive?.remove(sid);
      apart?.forget(sid);
      await forget(sid, 'rec', 'idx', 'unpacked');
      indexes.forget(sid);
      text.remove(sid);
    },
    text,
    waiting: () => indexes.waiting() + text.waiting(),
    unsent: () => archive?.waiting() ?? 0,
    isShared: archive !== undefined,
    deliveries: archive ? [archive.delivery] : [],
    async close() {
      archive?.close();
      await Promise.all([indexes.close(), text.close(), lastScreens.close()]);
    },
  };
}

/** The sessions of the files with this ending. */
const sidsOf = (names: Iterable<string>, ending: '.open' | '.rec'): readonly string[] =>
  [...names].flatMap(name => {
    const sid = name.endsWith(ending) ? name.slice(0, -ending.length) : '';
    return UUID.test(sid) ? sid : [];
  });

async function* outputsOf(events: AsyncIterable<RecordedEvent>): AsyncGenerator<{ ms: number; bytes: Uint8Array }> {
  for await (const event of events)
    if (event.kind === 'output') yield { ms: event.ms, bytes: Uint8Array.from(event.bytes) };
}
