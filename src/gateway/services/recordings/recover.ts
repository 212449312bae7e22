// Closes recordings whose gateway died: cuts a half-written chunk off, keeps everything whole, and signs the end as cut.

import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import type { RecordingSeal } from '../../ports/recordings.ts';
import { readEvents } from './events.ts';
import type { RecordingEnd, RecordingHeader } from './format.ts';
import { BadChunk, badChunk, FILE_MAGIC, jsonOf, KIND, recordingEnd } from './format.ts';
import { hasMagic, readChunks, wholeFile } from './reader.ts';
import { createChain, endBody, recordingKey } from './recorder.ts';
import { headerOf } from './recording-index.ts';

export interface Closed {
  readonly header: RecordingHeader;
  readonly seal: RecordingSeal;
  /** False when it had been sealed and only the audit log did not know yet. */
  readonly cut: boolean;
  readonly ended: Date;
  readonly participants: readonly string[];
  readonly bytes: number;
}

/** null when not even the header is whole: nothing was shown, and the audit log knows of no session. */
export async function closeCut(path: string, sid: string): Promise<Closed | null> {
  await using file = await open(path, 'r+');
  const { size } = await file.stat();
  if (size < FILE_MAGIC.length || !(await hasMagic(file))) return null;
  const found = await lastGood(file, size, sid);
  if (!found) return null;
  const { header, participants, bytes, end } = found;
  const began = Date.parse(header.started);
  if (end) {
    return {
      header,
      participants,
      bytes,
      cut: false,
      ended: new Date(end.ended),
      seal: { recording_key: end.key, recording_digest: found.link.toString('hex') },
    };
  }
  await file.truncate(found.position);
  const chain = createChain(file.fd, { position: found.position, link: found.link, sequence: found.sequence + 1 });
  const { privateKey, key } = recordingKey();
  const ended = new Date(began + found.lastMs);
  chain.append(
    KIND.end,
    found.lastMs,
    endBody(sid, { state: 'cut', ended: ended.toISOString(), ms: found.lastMs, bytes, key }, found.link, privateKey),
  );
  await file.datasync();
  return {
    header,
    participants,
    bytes,
    cut: true,
    ended,
    seal: { recording_key: key, recording_digest: Buffer.from(chain.link).toString('hex') },
  };
}

/** When the session of a recording began, ms since 1970; null when its header cannot be read. Throws what opening the file throws. */
export async function startedOf(path: string, sid: string): Promise<number | null> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  try {
    for await (const chunk of readChunks(file, wholeFile(size))) return Date.parse(headerOf(chunk, sid).started);
  } catch (error) {
    if (!(error instanceof BadChunk)) throw error;
  }
  return null;
}

interface Good {
  header: RecordingHeader;
  position: number;
  link: Buffer;
  sequence: number;
  lastMs: number;
  bytes: number;
  participants: string[];
  end: RecordingEnd | null;
}

/**
 * The state after the last chunk whose link fits. A misfit in the middle is kept, because removing it would remove evidence; what
 * misfits at the very end is a write that power or the kernel never finished.
 */
async function lastGood(file: FileHandle, size: number, sid: string): Promise<Good | null> {
  let good: Good | null = null;
  let bytes = 0;
  let lastMs = 0;
  const participants = new Set<string>();
  try {
    for await (const chunk of readChunks(file, wholeFile(size))) {
      let end: RecordingEnd | null = null;
      if (!good) {
        if (!chunk.fits) return null;
        const header = headerOf(chunk, sid);
        participants.add(header.user);
        good = {
          header,
          position: chunk.end,
          link: chunk.link,
          sequence: 0,
          lastMs: 0,
          bytes: 0,
          participants: [...participants],
          end: null,
        };
        continue;
      }
      if (chunk.head.kind === KIND.end) end = jsonOf(recordingEnd, chunk.body);
      if (chunk.head.kind === KIND.events) {
        for (const event of readEvents(chunk.body, chunk.head.ms, badChunk)) {
          lastMs = Math.max(lastMs, event.ms);
          if (event.kind === 'output') bytes += event.bytes.length;
          if (event.kind === 'join') participants.add(event.user);
        }
      }
      if (chunk.fits)
        good = {
          header: good.header,
          position: chunk.end,
          link: Buffer.from(chunk.link),
          sequence: chunk.head.sequence,
          lastMs,
          bytes,
          participants: [...participants],
          end,
        };
      if (end) break;
    }
  } catch (error) {
    if (!(error instanceof BadChunk)) throw error;
  }
  return good;
}
