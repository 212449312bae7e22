// Says, once a day, that this command line is older than the gateway it speaks to.
import { statSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { installLines } from '../../features/install.ts';
import { packageVersion } from '../../node/version.ts';
import { complain } from '../output.ts';
import { readSession } from './session-file.ts';

/** How often a gateway is asked, ms. */
const EVERY_MS = 86_400_000;
/** What was asked for has been done: nobody waits long for this, ms. */
const ANSWER_MOST_MS = 2000;

const found = z.object({ server_version: z.string().check(z.regex(/^\d{1,6}(\.\d{1,6}){2}$/)) });

/** Whether one version comes before another; both are three numbers. */
export function isBefore(one: string, other: string): boolean {
  const [ours, theirs] = [one, other].map(version => version.split('.').map(Number)) as [number[], number[]];
  const at = ours.findIndex((number, index) => number !== theirs[index]);
  return at >= 0 && (ours[at] ?? 0) < (theirs[at] ?? 0);
}

/** Compares with the gateway of a session, when that is a day ago. The file beside the session's says when. Never throws: what cannot be learnt now is asked tomorrow. */
export async function tellWhenOlder(sessionFile: string): Promise<void> {
  const asked = `${sessionFile}.compared`;
  try {
    const session = readSession(sessionFile);
    const last = statSync(asked, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (session === null || Date.now() - last < EVERY_MS) return;
    writeFileSync(asked, '', { mode: 0o600 });
    const answer = await fetch(`${session.url}/v1/webapi/find`, {
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MOST_MS),
    });
    const { server_version: theirs } = z.parse(found, await answer.json());
    const { posix, windows } = installLines(session.url);
    const line = process.platform === 'win32' ? windows : posix;
    if (isBefore(packageVersion(), theirs))
      complain(`this is version ${packageVersion()}, and the gateway's is ${theirs}. This brings it here: ${line}`);
  } catch {
    // Nothing that was asked for depends on it.
  }
}
