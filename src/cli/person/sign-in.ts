// `sign-in` and `sign-out`: a session of one's own on the command line.
import { ApiError } from '../../contract/failure.ts';
import { Refused, UsageError } from '../verb.ts';
import { readPassword } from './secret.ts';
import { deleteSession, readSession, writeSession } from './session-file.ts';
import { resumeSession, signInAt } from './signed.ts';
import { readUrl } from './wire.ts';
import type { Words } from './words.ts';

function only(words: Words, verb: string, flags: readonly string[]): void {
  const [extra] = words.plain;
  if (extra !== undefined) throw new UsageError(`${verb}: "${extra}" is one word too many`);
  for (const name of words.flags.keys()) {
    if (name === 'password')
      throw new UsageError('--password: every process could read it; it is asked for, or give --password-file FILE');
    if (!flags.includes(name))
      throw new UsageError(`${verb}: it has no --${name}; it has ${flags.map(flag => `--${flag}`).join(', ')}`);
  }
}

/** Signs in and writes the session's file. Throws UsageError, Refused, ApiError. */
export async function signInVerb(words: Words, path: string, print: (text: string) => void): Promise<void> {
  only(words, 'sign-in', ['url', 'user', 'password-file', 'session-file']);
  const [typed, user] = [words.flags.get('url'), words.flags.get('user')];
  if (typed === undefined) throw new UsageError('sign-in: --url URL is needed, such as --url http://localhost:3080');
  if (user === undefined || user === '') throw new UsageError('sign-in: --user NAME is needed');
  const url = readUrl(typed);
  const password = await readPassword(words.flags.get('password-file'), user);
  try {
    await writeSession(path, await signInAt(url, user, password));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'denied')
      // Which of the two it is the gateway does not say, so that nobody learns which names there are.
      throw new Refused(
        error.message === 'invalid credentials'
          ? `${error.message}: the user name or the password is wrong`
          : error.message,
      );
    if (error instanceof ApiError && error.code === 'limited')
      throw new Refused(`${error.message}: this address has tried too often; wait a minute`);
    throw error;
  }
  print(`Signed in to ${url} as ${user}. The session is kept in ${path}.`);
}

/** Ends the session at the gateway and deletes the file, which is deleted in any case. Throws Refused. */
export async function signOutVerb(words: Words, path: string, print: (text: string) => void): Promise<void> {
  only(words, 'sign-out', ['session-file']);
  const signed = await readSession(path);
  if (signed === null) return print('You are not signed in.');
  try {
    const session = await resumeSession(path);
    await session.end();
  } catch (error) {
    // Refused, or not signed in: the session was over already.
    if (error instanceof ApiError && error.code !== 'signed_out')
      throw new Refused(
        `${path} is deleted, but the gateway could not be told (${error.message}): there the session ends at ${new Date(signed.sessionEnds).toISOString()}`,
      );
    if (!(error instanceof ApiError) && !(error instanceof Refused)) throw error;
  } finally {
    await deleteSession(path);
  }
  print(`Signed out of ${signed.url}.`);
}
