// One file of the folder to the bucket and back, in pieces: what was cut off goes on where it was.
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { type Bucket, BucketError } from '../bucket.ts';
import { isAbsent } from './absent.ts';

/** What is in memory of one file at a time, bytes. */
export const PART_BYTES = 8 * 1024 * 1024;
/** As many as S3 takes. */
const PARTS_MOST = 10_000;

export interface Transfer {
  readonly bucket: Bucket;
  readonly partBytes: number;
  readonly path: string;
  readonly key: string;
}
/** What has been sent: kept beside the file, so that it lives and dies with it. */
const progress = z.object({ upload: z.string(), size: z.number(), partBytes: z.number(), tags: z.array(z.string()) });
type Progress = z.infer<typeof progress>;

/** The pieces of a file of so many bytes. */
function* pieces(size: number, partBytes: number): Generator<{ readonly from: number; readonly to: number }> {
  for (let from = 0; from < size; from += partBytes) yield { from, to: Math.min(size, from + partBytes) };
}
async function bytesOf(path: string, { from, to }: { from: number; to: number }): Promise<Buffer> {
  await using file = await open(path, 'r');
  const bytes = Buffer.alloc(to - from);
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at);
    if (bytesRead === 0) throw new Error(`${path} is shorter than it was`);
    at += bytesRead;
  }
  return bytes;
}

/** Sends a file that does not change meanwhile. Throws BucketError, and what reading it throws; called again, it goes on. */
export async function sendFile({ bucket, partBytes: least, path, key }: Transfer): Promise<void> {
  const { size } = await stat(path);
  const partBytes = Math.max(least, Math.ceil(size / PARTS_MOST));
  if (size <= partBytes) return bucket.put(key, await bytesOf(path, { from: 0, to: size }));
  const note = `${path}.upload`;
  const before = await readProgress(note);
  const goesOn = before?.size === size && before.partBytes === partBytes;
  const sent: Progress = goesOn ? before : { upload: await bucket.begin(key), size, partBytes, tags: [] };
  try {
    for (const { from, to } of [...pieces(size, partBytes)].slice(sent.tags.length)) {
      sent.tags.push(await bucket.part(key, sent.upload, sent.tags.length + 1, await bytesOf(path, { from, to })));
      await writeFile(`${note}.new`, JSON.stringify(sent), { mode: 0o600 });
      await rename(`${note}.new`, note);
    }
    await bucket.complete(key, sent.upload, sent.tags);
  } catch (error) {
    // The bucket has forgotten the upload, or what it had of it: the next try begins anew.
    if (error instanceof BucketError && error.isFinal) await rm(note, { force: true });
    throw error;
  }
  await rm(note, { force: true });
}
async function readProgress(path: string): Promise<Progress | null> {
  try {
    return z.safeParse(progress, JSON.parse(await readFile(path, 'utf8'))).data ?? null;
  } catch (error) {
    if (isAbsent(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether the bucket has exactly the bytes of the file: it is read back, because not every server's tags are checksums. */
export async function isSame({ bucket, partBytes, path, key }: Transfer): Promise<boolean> {
  const { size } = await stat(path);
  if ((await bucket.size(key)) !== size) return false;
  for (const piece of pieces(size, partBytes)) {
    const [here, there] = await Promise.all([bytesOf(path, piece), bucket.read(key, piece.from, piece.to)]);
    if (!here.equals(there)) return false;
  }
  return true;
}

/** Puts what the bucket has in the place of the file: whole or not at all. */
export async function fetchFile({ bucket, partBytes, path, key }: Transfer, size: number): Promise<void> {
  const draft = `${path}.part`;
  try {
    await using file = await open(draft, 'w', 0o600);
    for (const { from, to } of pieces(size, partBytes)) await file.writeFile(await bucket.read(key, from, to));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await rename(draft, path);
}
