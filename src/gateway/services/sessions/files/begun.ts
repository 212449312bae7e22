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
  /** Keeps what was proven, where anything was. */
  keep(ask: FilesAsk, file: BegunFile): void;
  /** The asker with what they have proven; null where nothing is kept of this very file. */
  find(ask: FilesAsk, file: BegunFile): FilesAsk | null;
  close(): void;
}

export function createBegun(): Begun {
  const kept = new Map<
    string,
    { readonly ask: FilesAsk; readonly tag: string | null; readonly timer: NodeJS.Timeout }
  >();
  const keyOf = ({ who, target, login }: FilesAsk, { transfer, location }: BegunFile): string =>
    JSON.stringify([who.webSessionId, target.id, login, transfer, location]);
  function forget(key: string): void {
    clearTimeout(kept.get(key)?.timer);
    kept.delete(key);
  }
  return {
    keep(ask, file) {
      if (file.transfer === null || (ask.device === undefined && ask.isApproved === undefined)) return;
      const key = keyOf(ask, file);
      forget(key);
      const own = [...kept].filter(([, one]) => one.ask.who.webSessionId === ask.who.webSessionId);
      if (own.length >= BEGUN_MOST) forget(own[0]?.[0] ?? '');
      const timer = setTimeout(forget, RESUME_MS, key).unref();
      kept.set(key, { ask: { ...ask, isApproved: () => true }, tag: file.tag, timer });
    },
    find(ask, file) {
      const one = kept.get(keyOf(ask, file));
      return one && one.tag === file.tag ? { ...one.ask, who: ask.who } : null;
    },
    close() {
      for (const key of [...kept.keys()]) forget(key);
    },
  };
}
