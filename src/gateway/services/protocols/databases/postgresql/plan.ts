// The plan of a statement that waits for a review: what the database says it would do, over a connection of the gateway's own. It is never executed.
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Plan, StatementFacts } from '../../../../ports/databases.ts';

/** All of it: connecting, explaining, hanging up, ms. */
const PLAN_MOST_MS = 8000;
/** The database itself gives up on the statement, and on waiting for its locks, ms. */
const EXPLAIN_MOST_MS = 3000;
/** Of a plan that is shown, characters; and what is read of the database at most, bytes. */
const PLAN_MOST_CHARACTERS = 16_000;
const READ_MOST_BYTES = 1024 * 1024;
/** From here on, plans can be made of statements whose values are not known. */
const GENERIC_PLAN_VERSION = 16;

/** `isOne`: the text is one statement of a kind that can be explained. `dial` connects and never logs in. Never rejects. */
export async function planOf(
  text: string,
  facts: readonly StatementFacts[] | null,
  as: { readonly dbUser: string; readonly dbName: string },
  dial: () => Promise<Duplex>,
): Promise<Plan> {
  const [only] = facts ?? [];
  if (facts === null || only === undefined) return without('what it does cannot be told from its words');
  if (facts.length > 1) return without('it is several statements');
  if (!only.isPlanned) return without('databases make no plans for statements of this kind');
  let stream: Duplex | undefined;
  const late = setTimeout(() => stream?.destroy(new Error('the database took too long')), PLAN_MOST_MS);
  try {
    const reached = await dial();
    stream = reached;
    return { text: await explain(text, as, reached), without: '' };
  } catch (error) {
    return without(error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(late);
    stream?.destroy();
  }
}
const without = (why: string): Plan => ({ text: '', without: why });

async function explain(
  text: string,
  { dbUser, dbName }: { dbUser: string; dbName: string },
  stream: Duplex,
): Promise<string> {
  let read = 0;
  stream.on('data', (bytes: Buffer) => {
    read += bytes.length;
    if (read > READ_MOST_BYTES) stream.destroy(new Error('the plan is too long'));
  });
  const client = new pg.Client({
    stream: () => connected(stream),
    ssl: false,
    user: dbUser,
    database: dbName,
    client_encoding: 'UTF8',
    application_name: 'postern',
    password: () => Promise.reject(new Error('the database asks for a password')),
  });
  const { connection } = client as unknown as { readonly connection: NodeJS.EventEmitter };
  let version = 0;
  connection.on(
    'parameterStatus',
    ({ parameterName, parameterValue }: { parameterName: string; parameterValue: string }) => {
      if (parameterName === 'server_version') version = Number.parseInt(parameterValue, 10);
    },
  );
  const failed = once(client, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => undefined);
  const done = async (): Promise<string> => {
    await client.connect();
    await client.query(
      `begin read only; set local statement_timeout = ${EXPLAIN_MOST_MS}; set local lock_timeout = ${EXPLAIN_MOST_MS}`,
    );
    const generic = /\$\d/.test(text) && version >= GENERIC_PLAN_VERSION ? ', generic_plan' : '';
    // The extended protocol takes one statement only, whatever the text is; options in parentheses leave no room for those of the text.
    const { rows } = await client.query({
      text: `explain (costs, verbose${generic}) ${text}`,
      rowMode: 'array',
      queryMode: 'extended',
    } as pg.QueryArrayConfig);
    const lines = (rows as string[][]).map(([line = '']) => line).join('\n');
    return lines.length > PLAN_MOST_CHARACTERS ? `${lines.slice(0, PLAN_MOST_CHARACTERS)}…` : lines;
  };
  return Promise.race([done(), failed]);
}

/** What `pg` asks of a socket that is connected already. */
function connected(stream: Duplex): Duplex {
  return Object.assign(stream, {
    connect() {
      queueMicrotask(() => stream.emit('connect'));
      return stream;
    },
  });
}
