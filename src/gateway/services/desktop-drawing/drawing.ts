// Draws a desktop in a thread of its own: as it was recorded, for key frames, thumbnails and players that know pictures alone; or as it is now,
// for clients that speak neither RDP nor VNC.
import { Worker } from 'node:worker_threads';
import type { DesktopProtocol } from '../../../contract/resources.ts';
import type { Doing, Restored } from './screen.ts';

/** Most memory one thread may take for JavaScript objects, MB. */
const HEAP_MOST_MB = 512;

export interface DrawingWanted {
  readonly protocol: DesktopProtocol;
  /** Absent: what is fed was recorded. */
  readonly live?: { readonly sid: string; readonly width: number; readonly height: number };
}
/** A part of the screen that was drawn; PNG. */
interface DrawnRectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly png: Uint8Array;
}
interface DrawnPicture {
  readonly width: number;
  readonly height: number;
  readonly rectangles: readonly DrawnRectangle[];
}
export type RestoredScreen = Restored & { readonly width: number; readonly height: number };

export interface DrawingJob {
  readonly id: number;
  readonly do: 'feed' | 'act' | 'take' | 'thumbnail' | 'restored';
  readonly bytes?: Uint8Array;
  readonly doing?: Doing;
  readonly side?: number;
}
export interface DrawingAnswer extends Partial<DrawnPicture> {
  readonly png?: Uint8Array | null;
  readonly restored?: RestoredScreen | null;
}
export type DrawingTold =
  | (DrawingAnswer & { readonly id: number; readonly problem?: string })
  | { readonly send: Uint8Array }
  | { readonly copied: string };

export interface DrawingSinks {
  /** What is to be sent to the server. */
  send(bytes: Buffer): void;
  copied(text: string): void;
}
/** All reject with what it could not be drawn for, also once it is closed. */
export interface Drawing {
  /** Resolves when what the server sent is drawn. */
  feed(bytes: Uint8Array): Promise<void>;
  act(doing: Doing): Promise<void>;
  /** What was drawn since this was asked last: at first, all. */
  take(): Promise<DrawnPicture>;
  /** The whole screen, no side longer than so many pixels; null: nothing was drawn yet. */
  thumbnail(side: number): Promise<Uint8Array | null>;
  restored(): Promise<RestoredScreen | null>;
  close(): Promise<void>;
}

/** You must close it. */
export function openDrawing(wanted: DrawingWanted, sinks?: DrawingSinks): Drawing {
  const worker = new Worker(new URL('./drawing-worker.ts', import.meta.url), {
    workerData: wanted,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MOST_MB },
  });
  worker.unref();
  const waiting = new Map<number, { done(answer: DrawingAnswer): void; fail(error: Error): void }>();
  let last = 0;
  let over: Error | null = null;
  const end = (error: Error): void => {
    over ??= error;
    for (const { fail } of waiting.values()) fail(error);
    waiting.clear();
  };
  worker.on('error', error => end(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => end(new Error('what draws the desktop has ended')));
  worker.on('message', (told: DrawingTold) => {
    if ('send' in told) return sinks?.send(Buffer.from(told.send));
    if ('copied' in told) return sinks?.copied(told.copied);
    const { id, problem, ...answer } = told;
    const one = waiting.get(id);
    waiting.delete(id);
    if (problem === undefined) one?.done(answer);
    else one?.fail(new Error(problem));
  });
  const ask = (job: Omit<DrawingJob, 'id'>): Promise<DrawingAnswer> =>
    new Promise((done, fail) => {
      if (over) return fail(over);
      last += 1;
      waiting.set(last, { done, fail });
      worker.postMessage({ ...job, id: last });
    });
  return {
    feed: async bytes => void (await ask({ do: 'feed', bytes })),
    act: async doing => void (await ask({ do: 'act', doing })),
    async take() {
      const { width = 0, height = 0, rectangles = [] } = await ask({ do: 'take' });
      return { width, height, rectangles };
    },
    thumbnail: async side => (await ask({ do: 'thumbnail', side })).png ?? null,
    restored: async () => (await ask({ do: 'restored' })).restored ?? null,
    async close() {
      end(new Error('it is drawn no longer'));
      await worker.terminate();
    },
  };
}
