// `sign-in` and `sign-out`: a session of one's own on the command line.
import { ApiError } from '../../contract/failure.ts';
import { signOut } from '../../contract/session.ts';
import { Refused, type Surface, type Typed, UsageError } from '../verb.ts';
import { openBrowser } from './browser.ts';
import { signInByPassword } from './factors.ts';
import { readConfig } from './facts.ts';
import { signInHeadless } from './headless.ts';
import { readUrl } from './http.ts';
import { readPassword } from './secret.ts';
import { deleteSession, readSession, type Signed, sessionOf, writeSession } from './session-file.ts';
import { type Entrance, openEntrance, resumeSession } from './signed.ts';

/** Signs in and writes the session's file. Throws UsageError, Refused, ApiError. */
export async function signInVerb(typed: Typed, { print }: Surface): Promise<number> {
  const path = sessionOf(typed);
  const url = readUrl(typed.one('--url') ?? '');
  if (typed.has('--headless') && typed.has('--password-file'))
    throw new UsageError('sign-in: --headless asks for no password');
  try {
    const { motd } = (await readConfig(url)).auth;
    if (motd !== '') print(motd);
    const signed = await signedIn(typed, openEntrance(url), print);
    writeSession(path, signed);
    print(`Signed in to ${url} as ${signed.user}. The session is kept in ${path}.`);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'limited')
      throw new Refused(`${error.message}: this address has tried too often; wait a minute`);
    throw error instanceof ApiError && error.code === 'denied' ? new Refused(error.message) : error;
  }
  return 0;
}

async function signedIn(typed: Typed, entrance: Entrance, print: Surface['print']): Promise<Signed> {
  const user = typed.one('--user') ?? '';
  const isHeadless = typed.has('--headless');
  const show = (what: string, address: string): void => {
    print(`${what}:\n${address}`);
    if (!isHeadless && !typed.has('--no-browser')) openBrowser(address);
  };
  if (isHeadless) return entrance.opened(await signInHeadless(entrance, user, show));
  const pass = await readPassword(typed.one('--password-file'), user);
  const reply = await signInByPassword(entrance, { user, pass });
  return entrance.opened(reply ?? (await signInHeadless(entrance, user, show)));
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
