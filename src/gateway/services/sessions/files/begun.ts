// Downloads that were proven or approved when they began: one that is cut goes on without being proven and approved again.
import type { FilesAsk } from './connections.ts';

/** How long one that was cut may go on, ms. */
const RESUME_MS = 2 * 60_000;
/** Of one web session. */
const BEGUN_MOST = 32;

/** Which file, and under which name the one who asks goes on with it. */
interface BegunFile {
  readonly transfer: string | null;
  readonly location: string;
  /** Of the file as it was when the download began. */
  readonly tag: string | null;
}
export interface Begun {
  /** Keeps what was proven or approved, where anything was. `signal`: aborted when it may not go on. */
  keep(ask: FilesAsk, file: BegunFile, signal: AbortSignal): void;
  /** Its bytes are at their end, or were cut: from now on it may go on for a while. */
  cut(ask: FilesAsk, file: BegunFile): void;
  /**
   * The asker with what they have proven, and the tag of the file that it was for; null where nothing is kept of it. One that had got no
   * byte across knows no tag.
   */
  find(ask: FilesAsk, file: BegunFile): { readonly ask: FilesAsk; readonly tag: string | null } | null;
  /** It is another file now: whoever wants that one proves it anew. */
  forget(ask: FilesAsk, file: BegunFile): void;
  close(): void;
}

export function createBegun(): Begun {
  const kept = new Map<
    string,
    { readonly ask: FilesAsk; readonly tag: string | null; timer: NodeJS.Timeout | undefined }
  >();
  const keyOf = ({ who, target, login }: FilesAsk, { transfer, location }: BegunFile): string =>
    JSON.stringify([who.webSessionId, target.id, login, transfer, location]);
  function forget(key: string): void {
    clearTimeout(kept.get(key)?.timer);
    kept.delete(key);
  }
  return {
    keep(ask, file, signal) {
      if (file.transfer === null || (ask.device === undefined && ask.approved === undefined)) return;
      const key = keyOf(ask, file);
      forget(key);
      const own = [...kept].filter(([, one]) => one.ask.who.webSessionId === ask.who.webSessionId);
      if (own.length >= BEGUN_MOST) forget(own[0]?.[0] ?? '');
      kept.set(key, { ask: { ...ask, approved: () => ({ signal }) }, tag: file.tag, timer: undefined });
    },
    cut(ask, file) {
      const key = keyOf(ask, file);
      const one = kept.get(key);
      if (!one) return;
      clearTimeout(one.timer);
      one.timer = setTimeout(forget, RESUME_MS, key).unref();
    },
    find(ask, file) {
      const one = kept.get(keyOf(ask, file));
      if (!one || (file.tag !== null && one.tag !== file.tag)) return null;
      return { ask: { ...one.ask, who: ask.who }, tag: one.tag };
    },
    forget: (ask, file) => forget(keyOf(ask, file)),
    close() {
      for (const key of [...kept.keys()]) forget(key);
    },
  };
}
