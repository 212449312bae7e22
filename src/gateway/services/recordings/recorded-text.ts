// Search in the text of all recordings: each is indexed when its session ends, older ones in the background.
import { join } from 'node:path';
import { Failure } from '../../../contract/failure.ts';
import type { TextFound, TextQuery } from '../../store/recorded-text.ts';
import { createWorkerQueue } from '../worker-queue.ts';
import type { ApartRecording } from './apart.ts';
import { lendBytes } from './lent-bytes.ts';
import type { TextHit } from './text-blocks.ts';
import { wanted } from './text-blocks.ts';
import type { TextJob, TextResult } from './text-job.ts';

/** Indexing begins this long after a session has ended: it takes no processor from the others of a run on many servers, ms. */
const BUILD_AFTER_MS = 1000;
/** Letters and digits that a text must hold: fewer stand in every recording. */
const LETTERS_LEAST = 2;

export interface RecordedTextPorts {
  readonly folder: string;
  /** The file of a recording; null when there is none. */
  readonly located: (sid: string) => Promise<string | null>;
  /** One that is read where it is kept; null: it is to be `located`. */
  readonly apart: (sid: string) => Promise<Pick<ApartRecording, 'openBytes'> | null>;
  readonly report: (problem: string, error: unknown) => void;
}
export interface RecordedText {
  /** Recordings in which the text may stand, newest first: `hits` tells. Throws Failure bad_request when it holds too little to look for. */
  find(text: string, query: Omit<TextQuery, 'words'>): Promise<readonly TextFound[]>;
  /** Where it does stand; none when the recording is no longer there. */
  hits(found: TextFound, text: string, most: number): Promise<readonly TextHit[]>;
  /** Packs the recording of a session that is over (repack.ts) and indexes it, before what `catchUp` found. Resolves when that was tried. */
  prepare(sid: string, started: number): Promise<void>;
  remove(sid: string): void;
  /** At start: indexes those that are missing, and forgets those that are gone. `started` answers null for what is no recording. */
  catchUp(sids: readonly string[], started: (sid: string) => Promise<number | null>): void;
  /** Recordings that wait to be indexed, or are. */
  waiting(): number;
  close(): Promise<void>;
}

export function createRecordedText({ folder, located, apart, report }: RecordedTextPorts): RecordedText {
  const index = join(folder, 'text.db');
  const script = new URL('./text-worker.ts', import.meta.url);
  const building = createWorkerQueue<TextJob, TextResult>(script);
  const asked = createWorkerQueue<TextJob, TextResult>(script);
  const pending: (() => Promise<void>)[] = [];
  const ended: (() => Promise<void>)[] = [];
  /** Of what is pending, how much looks for what is missing and is no recording itself. */
  let lookings = 0;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  async function workOff(): Promise<void> {
    for (let from = queue(); from[0] && !closed; from = queue()) {
      await from[0]();
      from.shift();
    }
    timer = null;
  }
  const queue = () => (ended.length > 0 ? ended : pending);
  function later(...work: readonly (() => Promise<void>)[]): void {
    if (closed) return;
    pending.push(...work);
    workSoon();
  }
  function workSoon(): void {
    timer ??= setTimeout(() => void workOff(), BUILD_AFTER_MS).unref();
  }
  const repack = async (sid: string): Promise<void> => {
    try {
      const path = await located(sid);
      if (path !== null) await building.run({ kind: 'repack', index, path });
    } catch (error) {
      if (!closed) report(`recording ${sid}: it could not be packed`, error);
    }
  };
  const put = async (sid: string, started: number): Promise<void> => {
    try {
      const path = await located(sid);
      if (path !== null) await building.run({ kind: 'put', index, path, sid, started });
    } catch (error) {
      // What stopping cut short is made at the next start.
      if (!closed) report(`recording ${sid}: its text could not be indexed`, error);
    }
  };
  const removal = (sid: string) => async (): Promise<void> => {
    try {
      await building.run({ kind: 'remove', index, sid });
    } catch (error) {
      if (!closed) report(`recording ${sid}: its text could not be taken out of the index`, error);
    }
  };
  return {
    async find(text, query) {
      const words = wanted(text);
      if (words.join('').length < LETTERS_LEAST)
        throw new Failure('bad_request', `text: must hold at least ${LETTERS_LEAST} letters or digits`, {
          text: 'too short',
        });
      return (await asked.run({ kind: 'find', index, query: { ...query, words } })) as readonly TextFound[];
    },
    async hits({ sid, places }, text, most) {
      const question = { kind: 'hits', index, places, text, most } as const;
      const elsewhere = await apart(sid);
      if (elsewhere) {
        await using bytes = await elsewhere.openBytes();
        using lent = await lendBytes(bytes);
        try {
          return (await asked.run({ ...question, source: { port: lent.port, size: lent.size } }, [
            lent.port,
          ])) as readonly TextHit[];
        } catch (error) {
          const problem = lent.problem ?? error;
          // A part of it was changed there: what can still be read of it is looked through.
          if (!(problem instanceof Failure && problem.code === 'changed')) throw problem;
        }
      }
      const source = await located(sid);
      return source === null ? [] : ((await asked.run({ ...question, source })) as readonly TextHit[]);
    },
    prepare: (sid, started) =>
      new Promise(done => {
        if (closed) return;
        ended.push(async () => {
          await repack(sid);
          await put(sid, started);
          if (!closed) done();
        });
        workSoon();
      }),
    remove: sid => later(removal(sid)),
    catchUp(sids, startedOf) {
      lookings += 1;
      later(async () => {
        try {
          const known = new Set((await building.run({ kind: 'sids', index })) as readonly string[]);
          const there = new Set(sids);
          later(
            ...[...known].filter(sid => !there.has(sid)).map(removal),
            ...sids
              .filter(sid => !known.has(sid))
              .map(sid => async () => {
                const started = await startedOf(sid).catch(() => null);
                if (started !== null) await put(sid, started);
              }),
          );
        } catch (error) {
          if (!closed) report('the text of recordings cannot be searched', error);
        } finally {
          lookings -= 1;
        }
      });
    },
    waiting: () => ended.length + pending.length - lookings,
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      await Promise.all([building.close(), asked.close()]);
    },
  };
}
