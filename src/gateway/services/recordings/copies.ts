// Copies, in the folder, of recordings that the bucket has: each has a mark beside it, and goes when others need its room.
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** For this long a copy is believed to be of a recording that is still in the bucket, and does not go, ms. */
const FRESH_MS = 60_000;
/** What is left of the room when some is made: looking through all copies for each new one would take longer than fetching it. */
const LEFT_SHARE = 0.9;
const MARK = '.stored';

export interface Copies {
  /** Whether what the folder has of a recording is a copy. */
  has(sid: string): Promise<boolean>;
  /** What the folder has of a recording, or will have, is a copy. */
  mark(sid: string): Promise<void>;
  /** The bucket has just been known to have its recording, and somebody wants it. */
  used(sid: string): Promise<void>;
  /** Whether that is not long ago. */
  isFresh(sid: string): boolean;
  /** Removes a copy; of what is none, everything. */
  forget(sid: string): Promise<void>;
  /** A copy has come: above what they may take together, those wanted longest ago go. */
  makeRoom(sid: string): Promise<void>;
}

/** Throws what the file system throws. */
export function createCopies(folder: string, mostBytes: number): Copies {
  const seen = new Map<string, number>();
  /** What the copies take, bytes; null: nobody has looked yet. */
  let total: number | null = null;
  let making = Promise.resolve();
  const markOf = (sid: string): string => join(folder, sid + MARK);
  const filesOf = (sid: string): string[] => ['rec', 'idx'].map(kind => join(folder, `${sid}.${kind}`));
  const fact = <Fact>(path: string, of: (stats: { size: number; mtimeMs: number }) => Fact, otherwise: Fact) =>
    stat(path).then(of, () => otherwise);
  const bytesOf = async (sid: string): Promise<number> =>
    (await Promise.all(filesOf(sid).map(path => fact(path, ({ size }) => size, 0)))).reduce((sum, one) => sum + one, 0);

  async function forget(sid: string): Promise<void> {
    seen.delete(sid);
    // The mark goes last: without it a copy would be sent again.
    for (const path of [...filesOf(sid), markOf(sid)]) await rm(path, { force: true });
  }
  const isFresh = (sid: string): boolean => Date.now() - (seen.get(sid) ?? 0) < FRESH_MS;
  async function sweep(): Promise<void> {
    const copies: { sid: string; bytes: number; used: number }[] = [];
    for (const name of await readdir(folder)) {
      if (!name.endsWith(MARK)) continue;
      const sid = name.slice(0, -MARK.length);
      copies.push({ sid, bytes: await bytesOf(sid), used: await fact(markOf(sid), ({ mtimeMs }) => mtimeMs, 0) });
    }
    copies.sort((one, other) => one.used - other.used);
    total = copies.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= mostBytes) return;
    for (const { sid, bytes } of copies) {
      if (total <= mostBytes * LEFT_SHARE) return;
      if (isFresh(sid)) continue;
      await forget(sid);
      total -= bytes;
    }
  }
  return {
    has: sid => fact(markOf(sid), () => true, false),
    mark: sid => writeFile(markOf(sid), '', { mode: 0o600 }),
    async used(sid) {
      const now = new Date();
      seen.set(sid, now.getTime());
      await utimes(markOf(sid), now, now);
    },
    isFresh,
    forget,
    makeRoom(sid) {
      const made = making.then(async () => {
        if (total !== null) total += await bytesOf(sid);
        if (total === null || total > mostBytes) await sweep();
      });
      making = made.catch(() => undefined);
      return made;
    },
  };
}
