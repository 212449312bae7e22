// What statements do, read by the grammar of their protocol: short ones here and now, long ones in threads that go when they are idle.
import type { StatementFacts } from '../../../ports/databases.ts';
import { createWorkerQueue } from '../../worker-queue.ts';
import { createFairThreads, type FairThreads } from './fair-threads.ts';

/** No text of this length keeps PostgreSQL's grammar busy for more than some milliseconds. */
const SHORT_CHARACTERS = 1024;
/** Texts whose answers are remembered: programs say the same few again and again. */
const REMEMBERED_MOST = 1000;
const REMEMBERED_MOST_CHARACTERS = 8192;
/** A thread may be busy with one text for so long, ms. */
const READING_MOST_MS = 3000;
/** Of each grammar: whoever keeps one busy leaves another for everybody else. */
const THREADS = 2;

/** What statements do, one after the other; null where that cannot be told. */
type Facts = readonly StatementFacts[] | null;

export interface StatementReader {
  /** What the statements of a text do; `userId`: whose it is. Never rejects, and never throws. */
  read(userId: string, protocol: string, text: string): Facts | Promise<Facts>;
  close(): Promise<void>;
}

/** What is known of a text at a glance: what it does, or what a thread has to read. */
type Glance = { readonly facts: Facts } | { readonly key: string };
interface Grammar {
  /** Loaded by the first session that guards are about. */
  load(): Promise<(text: string) => Glance>;
  readonly thread: URL;
}
const grammars: Readonly<Record<string, Grammar>> = {
  postgres: {
    async load() {
      const { readFacts } = await import('./postgresql/read-facts.ts');
      return text => (text.length <= SHORT_CHARACTERS ? { facts: readFacts(text) } : { key: text });
    },
    thread: new URL('./postgresql/facts-worker.ts', import.meta.url),
  },
  mysql: {
    async load() {
      const { statementsOf, templateOf } = await import('./mysql/lexer.ts');
      return text => {
        const statements = statementsOf(text);
        return statements ? { key: templateOf(statements) } : { facts: null };
      };
    },
    thread: new URL('./mysql/facts-worker.ts', import.meta.url),
  },
};

/** `report` hears of the first failure of a grammar: what makes one fail may be the text, and whoever sends it is not to fill the log. */
export function createStatementReader(report: (problem: string, error: unknown) => void): StatementReader {
  const threads = new Map<Grammar, FairThreads<string, { readonly facts: Facts }>>();
  const loaded = new Map<Grammar, (text: string) => Glance>();
  const remembered = new Map<string, Facts>();
  let isReported = false;

  const failed = (protocol: string, error: unknown): null => {
    if (!isReported) report(`a statement of ${protocol} could not be looked into`, error);
    isReported = true;
    return null;
  };
  function glanced(protocol: string, grammar: Grammar, look: (text: string) => Glance, text: string): Glance {
    try {
      return look(text);
    } catch (error) {
      // A grammar that has failed in this thread reads no more there.
      loaded.set(grammar, given => ({ key: given }));
      return { facts: failed(protocol, error) };
    }
  }
  interface Asked {
    readonly userId: string;
    readonly protocol: string;
    readonly grammar: Grammar;
  }
  function readWith(asked: Asked, look: (text: string) => Glance, text: string) {
    const { protocol, grammar } = asked;
    const glance = glanced(protocol, grammar, look, text);
    if ('facts' in glance) return glance.facts;
    const key = `${protocol} ${glance.key}`;
    const known = remembered.get(key);
    return known !== undefined ? known : readThere(asked, glance.key, key);
  }
  function threadsOf(grammar: Grammar): FairThreads<string, { readonly facts: Facts }> {
    const known = threads.get(grammar);
    if (known) return known;
    const begun = createFairThreads(
      Array.from({ length: THREADS }, () =>
        createWorkerQueue<string, { readonly facts: Facts }>(grammar.thread, READING_MOST_MS),
      ),
    );
    threads.set(grammar, begun);
    return begun;
  }
  async function readThere({ userId, protocol, grammar }: Asked, text: string, key: string): Promise<Facts> {
    let facts: Facts;
    try {
      ({ facts } = await threadsOf(grammar).run(userId, text));
    } catch (error) {
      return failed(protocol, error);
    }
    if (text.length <= REMEMBERED_MOST_CHARACTERS) remembered.set(key, facts);
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED_MOST && oldest !== undefined) remembered.delete(oldest);
    return facts;
  }
  async function readFirst(asked: Asked, text: string): Promise<Facts> {
    const { protocol, grammar } = asked;
    try {
      const look = loaded.get(grammar) ?? (await grammar.load());
      if (!loaded.has(grammar)) loaded.set(grammar, look);
      return await readWith(asked, look, text);
    } catch (error) {
      return failed(protocol, error);
    }
  }
  return {
    read(userId, protocol, text) {
      const grammar = grammars[protocol];
      if (!grammar) return null;
      const look = loaded.get(grammar);
      const asked = { userId, protocol, grammar };
      return look ? readWith(asked, look, text) : readFirst(asked, text);
    },
    async close() {
      for (const one of threads.values()) await one.close();
    },
  };
}
