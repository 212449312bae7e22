// Files of the built console, read again when they change: a console built anew is served at once.
import { readFile, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** A build empties the folder and its files before it fills them. What is not whole after this time is broken, or gone, ms. */
const BUILT_WITHIN_MS = 3000;
const AGAIN_MS = 20;

/**
 * Reads one file. Answers null when there is none, and throws what `read` throws for one that is no such file; but first waits
 * for a build that seems to be under way: the file was just written, or has been there before.
 */
export function createBuiltFile<Content>(name: string, read: (text: string) => Content): () => Promise<Content | null> {
  let kept: { readonly changed: number; readonly content: Content } | undefined;
  let reading: Promise<Content | null> | undefined;

  async function load(): Promise<Content | null> {
    const from = Date.now();
    for (;;) {
      let changed: number | undefined;
      try {
        changed = (await stat(name)).mtimeMs;
        if (kept?.changed !== changed) kept = { changed, content: read(await readFile(name, 'utf8')) };
        return kept.content;
      } catch (error) {
        const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
        const building = missing ? kept !== undefined : changed !== undefined && from - changed < BUILT_WITHIN_MS;
        if (!building || Date.now() - from > BUILT_WITHIN_MS) {
          kept = undefined;
          if (missing) return null;
          throw error;
        }
      }
      await setTimeout(AGAIN_MS);
    }
  }

  // However many ask, one looks.
  return () => {
    reading ??= load().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
