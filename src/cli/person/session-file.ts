// Where a person's session is kept between commands: one file that only its owner may read.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { Refused, type Typed } from '../verb.ts';

const signed = z.strictObject({
  version: z.literal(1),
  /** Origin of the gateway. */
  url: z.string(),
  user: z.string(),
  /** Value of the session cookie. */
  cookie: z.string(),
  /** The CSRF token, which is also the value of its cookie. */
  csrf: z.string(),
  bearer: z.string(),
  /** When the bearer token ends, ms since 1970. */
  bearerEnds: z.number(),
  /** When the session ends however busy it is, ms since 1970. */
  sessionEnds: z.number(),
  /** The flags that it was signed in with, beside the URL and what only that machine knew; absent in older files. */
  flags: z.optional(z.string()),
});
/** A signed-in session with its secrets. */
export type Signed = z.infer<typeof signed>;

/** Longest file that is read, bytes. */
const FILE_MOST_BYTES = 65_536;
const SIGN_IN = 'postern sign-in --url URL --user NAME';

/** The file that `--session-file` names, or the person's own by the XDG base directories. */
function sessionPath(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  if (given !== undefined) return resolve(given);
  const folder = env.XDG_CONFIG_HOME;
  // A relative path in that variable is to be ignored (XDG base directory specification).
  return join(folder !== undefined && isAbsolute(folder) ? folder : join(home, '.config'), 'postern', 'session.json');
}

/** The file of the session that a line means. */
export const sessionOf = (typed: Pick<Typed, 'one'>): string =>
  sessionPath(typed.one('--session-file'), process.env, homedir());

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Whether the person has signed in, whatever became of it. */
export const hasSession = (): boolean => existsSync(sessionPath(undefined, process.env, homedir()));

/** Null when there is none. Throws Refused when others may read it or it is not such a file. */
export function readSession(path: string): Signed | null {
  let text: string;
  try {
    const { mode, size } = statSync(path);
    // Windows keeps no such bits: there a person's folder is theirs.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new Refused(`${path} may be read by others, so it is not used: run chmod 600 on it, or sign in again`);
    if (size > FILE_MOST_BYTES) throw new Refused(notOurs(path));
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Refused(notOurs(path));
  }
  const parsed = z.safeParse(signed, json);
  if (!parsed.success) throw new Refused(notOurs(path));
  return parsed.data;
}
const notOurs = (path: string): string => `${path} is not a session file: delete it and sign in again with ${SIGN_IN}`;

/** As readSession. Throws Refused, saying how to sign in, when there is none. */
export function neededSession(path: string): Signed {
  const found = readSession(path);
  if (found === null) throw new Refused(`you are not signed in: ${SIGN_IN}`);
  return found;
}

/** Replaces the file as a whole, so that another command never reads half of it. A folder that is missing is made for the owner alone. */
export function writeSession(path: string, session: Signed): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(beside, `${JSON.stringify(session, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Deletes the file; nothing happens when there is none. */
export const deleteSession = (path: string): void => rmSync(path, { force: true });
