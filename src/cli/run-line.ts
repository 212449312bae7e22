// Runs one line of the command line, from its words to its exit status.
import { packageVersion } from '../node/version.ts';
import { allHelp, verbHelp } from './help.ts';
import { tellWhenOlder } from './person/older.ts';
import { hasSession, sessionOf } from './person/session-file.ts';
import { chosen, readLine, SESSION_FLAG, typedOf } from './read.ts';
import { Refused, type Surface, UsageError } from './verb.ts';
import { verbs } from './verbs.ts';

/** Answers the exit status. Throws UsageError, Refused, and what the gateway answered: Failure or ApiError. */
export async function runLine(argv: readonly string[], surface: Surface): Promise<number> {
  const line = readLine(argv, verbs);
  if (line.rows.length === 0 && line.flags.has('--version')) {
    surface.print(packageVersion());
    return 0;
  }
  if (line.rows.length === 0 || line.flags.has('--help')) {
    surface.print(line.rows.length === 0 ? allHelp(verbs) : await verbHelp(line));
    return 0;
  }
  const verb = chosen(line, hasSession);
  const typed = typedOf(verb, line);
  try {
    return await verb.run(typed, surface);
  } catch (error) {
    const isSaid = error instanceof UsageError || (error instanceof Refused && error.status !== undefined);
    if (verb.failed === undefined || isSaid || !(error instanceof Error)) throw error;
    throw new Refused(`${verb.verb}: ${error.message}`, verb.failed);
  } finally {
    // Also when it failed: that may be why.
    if (verb.flags.includes(SESSION_FLAG)) await tellWhenOlder(sessionOf(typed));
  }
}
