// Packs the file of a recording that is over as well as zstd can: what is recorded and how it is signed stay as they are.
import { open, rename, rm } from 'node:fs/promises';
import type { Kind } from './format.ts';
import { BODY_MOST_BYTES, encodeChunk, FILE_MAGIC, KIND, LINK_BYTES } from './format.ts';
import type { PlainChunk } from './pack.ts';
import { encodePack } from './pack.ts';
import { readChunks, wholeFile } from './reader.ts';

/** Most of one pack: with its heads it must fit into a chunk, and who wants its end unpacks all of it, bytes and chunks. */
const PACK_BYTES = BODY_MOST_BYTES - 128 * 1024;
const PACK_CHUNKS = 16 * 1024;
/** What is packed as well as can be: that takes a second for 3 MB, bytes of file. */
const BEST_MOST_BYTES = 32 * 1024 * 1024;
/** zstd's levels: the best, and one that packs 40 MB/s. */
const BEST_LEVEL = 19;
const QUICK_LEVEL = 9;

/**
 * Puts a smaller file in the place of a recording's: whole or not at all. False, and nothing is changed, when it would not be smaller
 * or when the file is not as it was written, which is then there to be seen. Throws what the disk throws.
 */
export async function repackFile(path: string): Promise<boolean> {
  const draft = `${path}.new`;
  try {
    if (!(await repackInto(draft, path))) return false;
    await rename(draft, path);
    return true;
  } finally {
    await rm(draft, { force: true });
  }
}

async function repackInto(draft: string, path: string): Promise<boolean> {
  await using file = await open(path, 'r');
  await using written = await open(draft, 'w', 0o600);
  const { size } = await file.stat();
  const level = size > BEST_MOST_BYTES ? QUICK_LEVEL : BEST_LEVEL;
  let gathered: PlainChunk[] = [];
  let gatheredBytes = 0;
  let total = 0;
  let next = { sequence: 0, previous: Buffer.alloc(LINK_BYTES) as Uint8Array };
  async function append(bytes: Uint8Array): Promise<void> {
    await written.writeFile(bytes);
    total += bytes.length;
  }
  async function appendPlain(kind: Kind, chunk: PlainChunk): Promise<void> {
    const { bytes, link } = encodeChunk({ kind, ...chunk, ...next });
    await append(bytes);
    next = { sequence: next.sequence + 1, previous: link };
  }
  async function flush(): Promise<void> {
    if (gathered.length === 0) return;
    const pack = encodePack(gathered, next, level);
    if (pack) {
      await append(pack.bytes);
      next = { sequence: next.sequence + gathered.length, previous: pack.link };
    } else for (const chunk of gathered) await appendPlain(KIND.events, chunk);
    gathered = [];
    gatheredBytes = 0;
  }
  await append(FILE_MAGIC);
  const chunks = readChunks(file, wholeFile(size));
  let last = 0;
  for (let step = await chunks.next(); ; step = await chunks.next()) {
    if (step.done) {
      if (step.value.reason !== 'end') return false;
      break;
    }
    const { head, body, fits, link } = step.value;
    // Links of what older gateways packed are over the packed bytes: such a file stays.
    if (!fits || head.codec !== 0 || head.ms < last || head.sequence !== next.sequence + gathered.length) return false;
    last = head.ms;
    if (head.kind === KIND.events) {
      if (gatheredBytes + body.length > PACK_BYTES || gathered.length >= PACK_CHUNKS) await flush();
      gathered.push({ ms: head.ms, plain: Buffer.from(body) });
      gatheredBytes += body.length;
      continue;
    }
    await flush();
    await appendPlain(head.kind, { ms: head.ms, plain: body });
    if (!link.equals(next.previous)) return false;
  }
  await flush();
  await written.datasync();
  return total < size;
}
