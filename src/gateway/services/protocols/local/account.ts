// Who may have a shell on this machine: accounts of the operating system, by their exact name.
import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { ConnectError } from '../../../ports/reach.ts';

const LOOKUP_MS = 10_000;
const LOOKUP_MOST_BYTES = 64 * 1024;
/** `getent` ends with this when there is no such entry. */
const NO_ENTRY = 2;

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly shell: string;
}

/** Answers the account, or throws ConnectError: no_such_login, not_permitted, failed. */
export type FindAccount = (login: string) => Promise<Account>;

const noSuchLogin = (login: string): ConnectError =>
  new ConnectError('no_such_login', `There is no login ${JSON.stringify(login.slice(0, 64))} on this machine.`);

/** The gateway's own account, when it is not root's: any other would need rights that this process does not have. */
async function findOwnAccount(login: string): Promise<Account> {
  const own = userInfo();
  if (login !== own.username) {
    throw new ConnectError(
      'not_permitted',
      `The gateway runs as ${own.username} and can open shells on this machine for ${own.username} only, not for ${JSON.stringify(login.slice(0, 64))}.`,
    );
  }
  return { name: own.username, uid: own.uid, gid: own.gid, home: own.homedir, shell: own.shell ?? '' };
}

/** Any account that this machine knows, from its files or its directory. For a gateway that is root. */
async function findAnyAccount(login: string): Promise<Account> {
  // A colon or line break cannot stand in a name, and a leading dash would be an option of getent.
  if (login === '' || login.length > 255 || /^-|[:/\p{Cc}\p{Zl}\p{Zp}]/u.test(login)) throw noSuchLogin(login);
  const line = await new Promise<string>((done, fail) => {
    execFile(
      'getent',
      ['passwd', login],
      {
        timeout: LOOKUP_MS,
        maxBuffer: LOOKUP_MOST_BYTES,
        env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
      },
      (error, answer) => {
        if (!error) done(answer);
        else if (error.code === NO_ENTRY) fail(noSuchLogin(login));
        else
          fail(
            new ConnectError(
              'failed',
              `The accounts of this machine could not be read: getent ${error.killed ? `gave no answer within ${LOOKUP_MS / 1000} s` : `ended with ${error.code}`}.`,
            ),
          );
      },
    );
  });
  const [name, , uid, gid, , home = '', shell = ''] = line.split('\n')[0]?.split(':') ?? [];
  // getent also finds by number: "0" must not become root.
  if (name !== login || !uid || !gid) throw noSuchLogin(login);
  return { name, uid: Number(uid), gid: Number(gid), home, shell };
}

/** How accounts are found by a process of this uid. */
export const accountsFor = (uid: number): FindAccount => (uid === 0 ? findAnyAccount : findOwnAccount);
