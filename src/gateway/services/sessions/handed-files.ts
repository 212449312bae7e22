// Files that a session hands to its owner: their browser is told of each, and fetches it once.
import { randomUUID } from 'node:crypto';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { Failure } from '../../../contract/failure.ts';
import type { PromptFile } from '../../../contract/prompt-files.ts';
import type { HandedFile } from '../../ports/databases.ts';

/** So long the browser has to come for what it was told of, ms. */
const WAITS_MS = 15_000;

export interface TakenFile extends HandedFile {
  readonly body: Readable;
}
export interface HandedFiles {
  /** As `PromptRequest` has it. */
  hand(file: HandedFile, signal: AbortSignal): Promise<Writable>;
  /** What this web session was told of; null: there is no such file, or it was fetched already. */
  take(webSessionId: string, id: string): TakenFile | null;
  /** Breaks off what is under way. */
  end(): void;
}

/** `tell` says it to the owner's browser, and answers the web session of that; null: none is there. */
export function createHandedFiles(tell: (event: PromptFile) => string | null): HandedFiles {
  const waiting = new Map<string, { readonly to: string; take(): TakenFile }>();
  const ending = new AbortController();
  return {
    hand(file, signal) {
      const id = randomUUID();
      const webSessionId = ending.signal.aborted ? null : tell({ event: 'prompt.file', id, filename: file.name });
      if (webSessionId === null)
        return Promise.reject(
          new Failure('unavailable', 'Nobody is there to take a file: whose session it is has no console open at it'),
        );
      return new Promise((done, fail) => {
        const stop = AbortSignal.any([signal, ending.signal]);
        const forget = (): void => {
          waiting.delete(id);
          clearTimeout(late);
          stop.removeEventListener('abort', broken);
        };
        const broken = (): void => {
          forget();
          fail(new Failure('unavailable', 'The export was stopped'));
        };
        const late = setTimeout(() => {
          forget();
          fail(new Failure('unavailable', `No browser took the file within ${WAITS_MS / 1000} s`));
        }, WAITS_MS).unref();
        stop.addEventListener('abort', broken);
        waiting.set(id, {
          to: webSessionId,
          take() {
            forget();
            const body = new PassThrough();
            // Whoever writes hears of it by its end.
            body.on('error', () => undefined);
            const breakOff = (): void => void body.destroy(new Error('the export was stopped'));
            stop.addEventListener('abort', breakOff);
            body.once('close', () => stop.removeEventListener('abort', breakOff));
            done(body);
            return { ...file, body };
          },
        });
      });
    },
    take(webSessionId, id) {
      const one = waiting.get(id);
      return one?.to === webSessionId ? one.take() : null;
    },
    end: () => ending.abort(),
  };
}
