// What statements do, read by the grammar of their protocol: short ones here and now, long ones in a thread that goes when it is idle.
import { createWorkerQueue, type WorkerQueue } from '../../worker-queue.ts';
import type { Facts } from './postgresql/facts.ts';

/** No text of this length keeps a grammar busy for more than some milliseconds. */
const SHORT_CHARACTERS = 1024;
/** Long texts whose answers are remembered, and how long: programs say the same few again and again. */
const REMEMBERED_MOST = 200;
const REMEMBERED_MOST_CHARACTERS = 8192;

export interface StatementReader {
  /** What the statements of a text do, one after the other; null where that cannot be told. Never rejects. */
  read(protocol: string, text: string): Promise<Facts>;
  close(): Promise<void>;
}

/** Grammars are loaded by the first session that guards are about. */
const grammars = {
  postgres: {
    load: () => import('./postgresql/read-facts.ts'),
    thread: new URL('./postgresql/facts-worker.ts', import.meta.url),
  },
};
const isRead = (protocol: string): protocol is keyof typeof grammars => Object.hasOwn(grammars, protocol);

/** `report` hears of the first failure of a grammar: what makes one fail may be the text, and whoever sends it is not to fill the log. */
export function createStatementReader(report: (problem: string, error: unknown) => void): StatementReader {
  const queues = new Map<keyof typeof grammars, WorkerQueue<string, { readonly facts: Facts }>>();
  const remembered = new Map<string, Facts>();
  /** Grammars that have failed in this thread, which reads no more with them. */
  const failed = new Set<keyof typeof grammars>();
  let isReported = false;

  async function readHere(protocol: keyof typeof grammars, text: string): Promise<Facts> {
    const { readFacts } = await grammars[protocol].load();
    return readFacts(text);
  }
  async function readThere(protocol: keyof typeof grammars, text: string): Promise<Facts> {
    const key = `${protocol} ${text}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const queue = queues.get(protocol) ?? createWorkerQueue(grammars[protocol].thread);
    queues.set(protocol, queue);
    const { facts } = await queue.run(text);
    if (text.length <= REMEMBERED_MOST_CHARACTERS) remembered.set(key, facts);
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED_MOST && oldest !== undefined) remembered.delete(oldest);
    return facts;
  }
  return {
    async read(protocol, text) {
      if (!isRead(protocol)) return null;
      const here = text.length <= SHORT_CHARACTERS && !failed.has(protocol);
      try {
        return await (here ? readHere(protocol, text) : readThere(protocol, text));
      } catch (error) {
        if (!isReported) report(`a statement of ${protocol} could not be looked into`, error);
        isReported = true;
        if (here) failed.add(protocol);
        return null;
      }
    },
    async close() {
      for (const queue of queues.values()) await queue.close();
    },
  };
}
