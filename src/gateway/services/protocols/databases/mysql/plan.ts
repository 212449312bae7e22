// The plan of a statement that waits for a review: what the database says it would do, over a connection of the gateway's own. It is never executed.
import type { Duplex } from 'node:stream';
import type { Plan, StatementFacts } from '../../../../ports/databases.ts';
import { ask } from './reading.ts';

/** All of it: connecting, explaining, hanging up, ms. */
const PLAN_MOST_MS = 8000;
/** Of a plan that is shown, characters. */
const PLAN_MOST_CHARACTERS = 16_000;

/** `dial` connects and logs in. Never rejects. */
export async function planOf(
  text: string,
  facts: readonly StatementFacts[] | null,
  dial: () => Promise<Duplex>,
): Promise<Plan> {
  const [only] = facts ?? [];
  if (facts === null || only === undefined) return without('what it does cannot be told from its words');
  if (facts.length > 1) return without('it is several statements');
  if (!only.isPlanned) return without('databases make no plans for statements of this kind');
  if (text.includes('?'))
    return without('it was prepared, and databases of this kind make no plans without its values');
  try {
    return { text: await explain(text, only.kinds.has('write'), dial), without: '' };
  } catch (error) {
    return without(error instanceof Error ? error.message : String(error));
  }
}
const without = (why: string): Plan => ({ text: '', without: why });

async function explain(text: string, isWrite: boolean, dial: () => Promise<Duplex>): Promise<string> {
  const server = await dial();
  const timer = setTimeout(() => server.destroy(), PLAN_MOST_MS);
  try {
    // Functions that a server may evaluate for its plan can write nothing. MariaDB explains no write there: one that calls nothing is explained
    // where it might write, and undone as the connection ends.
    await ask(server, isWrite && !text.includes('(') ? 'start transaction' : 'start transaction read only');
    const rows = await ask(server, `explain format=json ${text}`);
    const plan = rows.map(row => row.join(' ')).join('\n');
    return plan.length > PLAN_MOST_CHARACTERS ? `${plan.slice(0, PLAN_MOST_CHARACTERS)}…` : plan;
  } finally {
    clearTimeout(timer);
    server.destroy();
  }
}
