// `sign-in` and `sign-out`: a session of one's own on the command line.
import { ApiError } from '../../contract/failure.ts';
import { signOut } from '../../contract/session.ts';
import { Refused, type Surface, type Typed } from '../verb.ts';
import { signInByPassword } from './factors.ts';
import { readUrl } from './http.ts';
import { readPassword } from './secret.ts';
import { deleteSession, readSession, sessionOf, writeSession } from './session-file.ts';
import { openEntrance, resumeSession } from './signed.ts';

/** Signs in and writes the session's file. Throws UsageError, Refused, ApiError. */
export async function signInVerb(typed: Typed, { print }: Surface): Promise<number> {
  const path = sessionOf(typed);
  const user = typed.one('--user') ?? '';
  const url = readUrl(typed.one('--url') ?? '');
  const entrance = openEntrance(url);
  try {
    const pass = await readPassword(typed.one('--password-file'), user);
    const reply = await signInByPassword(entrance, { user, pass });
    if (reply === null) throw new Refused('your second factor is a hardware key, which a terminal cannot ask for');
    writeSession(path, entrance.opened(user, reply));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'limited')
      throw new Refused(`${error.message}: this address has tried too often; wait a minute`);
    throw error instanceof ApiError && error.code === 'denied' ? new Refused(error.message) : error;
  }
  print(`Signed in to ${url} as ${user}. The session is kept in ${path}.`);
  return 0;
}

/** Ends the session at the gateway and deletes the file, which is deleted in any case. Throws Refused. */
export async function signOutVerb(typed: Typed, { print }: Surface): Promise<number> {
  const path = sessionOf(typed);
  const signed = readSession(path);
  if (signed === null) {
    print('You are not signed in.');
    return 0;
  }
  try {
    await resumeSession(path).call(signOut);
  } catch (error) {
    // Refused: the session was over already.
    if (error instanceof ApiError)
      throw new Refused(
        `${path} is deleted, but the gateway could not be told (${error.message}): there the session ends at ${new Date(signed.sessionEnds).toISOString()}`,
      );
    if (!(error instanceof Refused)) throw error;
  } finally {
    deleteSession(path);
  }
  print(`Signed out of ${signed.url}.`);
  return 0;
}
