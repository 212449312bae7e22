// What statements do, read by the grammar of their protocol in a thread of its own, which runs while guarded sessions do.
import type { StatementFacts } from '../../../ports.ts';
import { createWorkerQueue, type WorkerQueue } from '../../worker-queue.ts';

/** Texts whose answers are remembered: programs say the same few again and again. */
const REMEMBERED_MOST = 1000;
const REMEMBERED_MOST_CHARACTERS = 2048;

export interface StatementReader {
  /** What the statements of a text do, one after the other; null where that cannot be told. Never rejects. */
  read(protocol: string, text: string): Promise<readonly StatementFacts[] | null>;
  close(): Promise<void>;
}

type Facts = readonly StatementFacts[] | null;
const threads: Readonly<Record<string, URL>> = { postgres: new URL('./postgresql/facts-worker.ts', import.meta.url) };

/** `report` hears of the first thread that failed: what makes one fail may be the text, and whoever sends it is not to fill the log. */
export function createStatementReader(report: (problem: string, error: unknown) => void): StatementReader {
  const queues = new Map<string, WorkerQueue<string, { readonly facts: Facts }>>();
  const remembered = new Map<string, Facts>();
  let isReported = false;

  function queueOf(protocol: string): WorkerQueue<string, { readonly facts: Facts }> | null {
    const thread = threads[protocol];
    const known = queues.get(protocol);
    if (known || !thread) return known ?? null;
    const made = createWorkerQueue<string, { readonly facts: Facts }>(thread);
    queues.set(protocol, made);
    return made;
  }
  return {
    async read(protocol, text) {
      const key = `${protocol} ${text}`;
      const known = remembered.get(key);
      if (known !== undefined) {
        remembered.delete(key);
        remembered.set(key, known);
        return known;
      }
      try {
        const facts = (await queueOf(protocol)?.run(text))?.facts ?? null;
        if (text.length <= REMEMBERED_MOST_CHARACTERS) remembered.set(key, facts);
        const [oldest] = remembered.keys();
        if (remembered.size > REMEMBERED_MOST && oldest !== undefined) remembered.delete(oldest);
        return facts;
      } catch (error) {
        if (!isReported) report('a statement could not be looked into', error);
        isReported = true;
        return null;
      }
    },
    async close() {
      for (const queue of queues.values()) await queue.close();
    },
  };
}
