// One statement for whoever has no terminal: over the gateway's own relay, so that rights, guards, masks, the recording and the audit log are
// those of any client. Its session begins with it and ends with it.
import { Failure } from '../../../../../contract/failure.ts';
import { ConnectError } from '../../../../ports/reach.ts';
import type { Who } from '../../../../ports/who.ts';
import { type EntranceParts, openDoor } from '../entrance.ts';
import { targetOf, usersOf } from '../targets.ts';
import { type Answer, StatementError } from './engine.ts';
import { promptEngines } from './engines.ts';
import { openPipe } from './pipe.ts';

export interface StatementWish {
  readonly who: Who;
  readonly database: string;
  /** '' = the only one that roles name. */
  readonly dbUser: string;
  readonly dbName: string;
  readonly text: string;
  readonly rowsMost: number;
  /** The longest that the database may take, ms. A statement that waits for a reviewer may wait as long as it does. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Something that is said beside the answer, such as that it waits for a reviewer. */
  notice(text: string): void;
}
export interface StatementResult {
  readonly sid: string;
  readonly answer: Answer;
}
/** A statement waits for a reviewer no longer than this, and so nor does this call, ms. */
const REVIEW_MS = 11 * 60_000;

/** Throws Failure not_found, unsupported, denied; ConnectError; StatementError with the database's own words. */
export async function runStatement(parts: EntranceParts, wish: StatementWish): Promise<StatementResult> {
  const { who, signal, timeoutMs } = wish;
  const database = await targetOf(parts.resources, who, wish.database);
  const load = promptEngines[database.protocol];
  if (!load) throw new Failure('unsupported', `statements cannot be run on ${database.protocol} databases`);
  const engine = await load();
  const dbUser = wish.dbUser || onlyOf(usersOf(who.rights, database), 'database user');
  const door = openDoor(parts, who, database, '');
  let sid = '';
  let refused: unknown;
  const pipe = openPipe(engine.relay(), {
    ...door,
    async begin(wanted) {
      try {
        const statements = await door.begin(wanted);
        sid = statements.sid;
        return statements;
      } catch (error) {
        refused = error;
        throw error;
      }
    },
  });
  let ended = '';
  let late: NodeJS.Timeout | undefined;
  const stop = (why: string, cancel: () => void): void => {
    ended ||= why;
    cancel();
    // A database that does not stop is hung up on.
    late = setTimeout(pipe.close, 2000).unref();
  };
  try {
    signal.throwIfAborted();
    const connection = await engine.connect(pipe.open, {
      dbUser,
      dbName: wish.dbName,
      timeoutMs,
      onNotice: wish.notice,
      onEnd(why) {
        ended ||= why;
      },
    });
    const cancelled = (): void => stop('the agent has cancelled it', () => connection.cancel());
    const hard = setTimeout(() => stop('it took too long', () => connection.cancel()), timeoutMs + REVIEW_MS).unref();
    signal.addEventListener('abort', cancelled);
    if (signal.aborted) cancelled();
    try {
      const answer = await connection.run(wish.text, wish.rowsMost);
      connection.close();
      return { sid, answer };
    } finally {
      clearTimeout(hard);
      signal.removeEventListener('abort', cancelled);
    }
  } catch (error) {
    if (refused instanceof Failure || refused instanceof ConnectError) throw refused;
    if (error instanceof StatementError || error instanceof Failure) throw error;
    throw new Failure('denied', ended || (error instanceof Error ? error.message : 'the database hung up'));
  } finally {
    if (late) clearTimeout(late);
    pipe.close();
  }
}

/** What is meant where only one is possible. Throws Failure bad_request. */
function onlyOf(names: readonly string[], what: string): string {
  const [only, another] = names;
  if (only !== undefined && only !== '*' && another === undefined) return only;
  throw new Failure('bad_request', `say which ${what}: ${names.length === 0 ? 'none is allowed' : names.join(', ')}`);
}
