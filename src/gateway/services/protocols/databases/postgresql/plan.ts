// The plan of a statement that waits for a review: what the database says it would do, over a connection of the gateway's own. It is never executed.
import type { Duplex } from 'node:stream';
import type { Plan, StatementFacts } from '../../../../ports/databases.ts';
import { type OwnLogin, openOwn } from './own-connection.ts';

/** All of it: connecting, explaining, hanging up, ms. */
const PLAN_MOST_MS = 8000;
/** The database itself gives up on the statement, and on waiting for its locks, ms. */
const EXPLAIN_MOST_MS = 3000;
/** Of a plan that is shown, characters. */
const PLAN_MOST_CHARACTERS = 16_000;
/** From here on, plans can be made of statements whose values are not known. */
const GENERIC_PLAN_VERSION = 16;

/** `isOne`: the text is one statement of a kind that can be explained. `dial` connects and never logs in. Never rejects. */
export async function planOf(
  text: string,
  facts: readonly StatementFacts[] | null,
  as: OwnLogin,
  dial: () => Promise<Duplex>,
): Promise<Plan> {
  const [only] = facts ?? [];
  if (facts === null || only === undefined) return without('what it does cannot be told from its words');
  if (facts.length > 1) return without('it is several statements');
  if (!only.isPlanned) return without('databases make no plans for statements of this kind');
  try {
    return { text: await explain(text, as, dial), without: '' };
  } catch (error) {
    return without(error instanceof Error ? error.message : String(error));
  }
}
const without = (why: string): Plan => ({ text: '', without: why });

async function explain(text: string, as: OwnLogin, dial: () => Promise<Duplex>): Promise<string> {
  const own = await openOwn(as, dial, PLAN_MOST_MS);
  try {
    await own.query('begin read only');
    await own.query(`set local statement_timeout = ${EXPLAIN_MOST_MS}`);
    await own.query(`set local lock_timeout = ${EXPLAIN_MOST_MS}`);
    const generic = /\$\d/.test(text) && own.version >= GENERIC_PLAN_VERSION ? ', generic_plan' : '';
    // Options in parentheses leave no room for those of the text.
    const { rows } = await own.query(`explain (costs, verbose${generic}) ${text}`);
    const lines = rows.map(([line = '']) => String(line)).join('\n');
    return lines.length > PLAN_MOST_CHARACTERS ? `${lines.slice(0, PLAN_MOST_CHARACTERS)}…` : lines;
  } finally {
    own.close();
  }
}
