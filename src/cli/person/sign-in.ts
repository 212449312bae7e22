// `sign-in` and `sign-out`: a session of one's own on the command line.

import { proveHere } from '../../client/own-device.ts';
import type { WebConfig } from '../../contract/config.ts';
import { ApiError } from '../../contract/failure.ts';
import { type SessionReply, signOut } from '../../contract/session.ts';
import { Refused, type Surface, type Typed, UsageError } from '../verb.ts';
import { openBrowser } from './browser.ts';
import { signInByPassword } from './factors.ts';
import { readConfig } from './facts.ts';
import { signInHeadless } from './headless.ts';
import { readUrl } from './http.ts';
import { commandLineKeys } from './own-device.ts';
import { chosenProvider, signInAtProvider } from './provider.ts';
import { readPassword } from './secret.ts';
import { deleteSession, readSession, type Signed, sessionOf, writeSession } from './session-file.ts';
import { type Entrance, openEntrance, resumeSession } from './signed.ts';
import { removeSshKey, writeSshKey } from './ssh-clients.ts';

/** Signs in and writes the session's file. Throws UsageError, Refused, ApiError. */
export async function signInVerb(typed: Typed, { print }: Surface): Promise<number> {
  const path = sessionOf(typed);
  const entrance = openEntrance(readUrl(typed.one('--url') ?? ''));
  checkFlags(typed);
  try {
    const { auth } = await readConfig(entrance.url);
    if (auth.motd !== '') print(auth.motd);
    const signed = await entrance.opened(await signedIn(typed, entrance, auth, print));
    const flags = ['--user', '--connector'].flatMap(name => (typed.has(name) ? [name, typed.one(name)] : []));
    writeSession(path, { ...signed, flags: [...flags, ...(typed.has('--headless') ? ['--headless'] : [])].join(' ') });
    await proveDevice(path, signed, print);
    // An older gateway makes none; ssh is then reached as before.
    await writeSshKey(path).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });
    print(`Signed in to ${signed.url} as ${signed.user}. The session is kept in ${path}.`);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'limited')
      throw new Refused(`${error.message}: this address has tried too often; wait a minute`);
    throw error instanceof ApiError && error.code === 'denied' ? new Refused(error.message) : error;
  }
  return 0;
}

/** Where this command line is a trusted device of whoever has signed in, the session is of it. Throws Refused. */
async function proveDevice(path: string, { url, user }: Signed, print: Surface['print']): Promise<void> {
  const session = resumeSession(path);
  try {
    if (await proveHere(session.call, commandLineKeys(path, url), user)) print('This is a trusted device.');
  } catch (error) {
    // An older gateway knows nothing of devices; one that was removed or locked says so where it is needed.
    if (!(error instanceof ApiError)) throw error;
    print(`This was a trusted device, and is not accepted as one now: ${error.message}`);
  }
}

/** Throws UsageError. */
function checkFlags(typed: Typed): void {
  const apart = (one: string, ...others: readonly string[]): void => {
    const other = typed.has(one) ? others.find(name => typed.has(name)) : undefined;
    if (other !== undefined) throw new UsageError(`sign-in: ${one} and ${other} do not go together`);
  };
  apart('--headless', '--password-file', '--connector');
  apart('--connector', '--user', '--password-file');
  for (const flag of ['--headless', '--password-file'])
    if (typed.has(flag) && !typed.has('--user')) throw new UsageError(`sign-in: ${flag} needs --user NAME`);
}

/** The way in that the flags and the gateway leave: headless, at a provider, or by password and what it asks for beside that. */
async function signedIn(
  typed: Typed,
  entrance: Entrance,
  { localAuthEnabled, providers }: WebConfig['auth'],
  print: Surface['print'],
): Promise<SessionReply> {
  const user = typed.one('--user');
  const isHeadless = typed.has('--headless');
  const show = (what: string, address: string): void => {
    print(`${what}:\n${address}`);
    if (!isHeadless && !typed.has('--no-browser')) openBrowser(address);
  };
  if (user === undefined || (!localAuthEnabled && !isHeadless))
    return signInAtProvider(entrance, chosenProvider(typed.one('--connector'), providers), show);
  if (isHeadless) return signInHeadless(entrance, user, show);
  const pass = await readPassword(typed.one('--password-file'), user);
  return (await signInByPassword(entrance, { user, pass })) ?? signInHeadless(entrance, user, show);
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
    removeSshKey(path);
  }
  print(`Signed out of ${signed.url}.`);
  return 0;
}
