// The sentences that say why a server could not be reached. They are shown in the terminal as they are.
import { ConnectError } from '../../../ports/reach.ts';
import { type Address, showAddress } from './address.ts';

/** What the system says, in plain words. */
const plain: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens on that port (connection refused)',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'no address is known for that name',
  EAI_AGAIN: 'the name could not be looked up just now (DNS does not answer)',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to that network',
  EHOSTDOWN: 'the host is down',
  ETIMEDOUT: 'the host did not answer in time',
  EPIPE: 'the host closed the connection',
  EACCES: 'this machine does not allow connections there',
  EPERM: 'this machine does not allow connections there',
  EMFILE: 'the gateway has too many open files',
  EADDRNOTAVAIL: 'the gateway has no free local port',
};

interface Loose {
  readonly code?: unknown;
  readonly level?: unknown;
  readonly message?: unknown;
  readonly errors?: unknown;
}

/** A socket's or SSH client's error in words. Several tries (IPv6 and IPv4) are told by their first code. */
export function wordsOf(error: unknown): string {
  const loose = (typeof error === 'object' && error !== null ? error : {}) as Loose;
  const first: unknown = Array.isArray(loose.errors) ? loose.errors[0] : undefined;
  const code = typeof loose.code === 'string' ? loose.code : undefined;
  if (code === undefined && first !== undefined) return wordsOf(first);
  if (code !== undefined && plain[code]) return plain[code];
  const message = typeof loose.message === 'string' ? loose.message : '';
  return message.replace(/[\p{Cc}]+/gu, ' ').slice(0, 300) || code || 'the reason is unknown';
}

/** Nobody answers at that address. */
export const unreachable = (hostname: string, address: Address, why: string): ConnectError =>
  new ConnectError('unreachable', `Cannot reach ${hostname} at ${showAddress(address)}: ${why}.`);

/** The host answered, and would not let this login in. `byAws`: the key was one that AWS hands it. */
export const refused = (hostname: string, address: Address, login: string, byAws: boolean): ConnectError =>
  new ConnectError(
    'principal_refused',
    `${hostname} (${showAddress(address)}) refused the login "${login}". Either there is no such login on that host, or its sshd ${
      byAws
        ? 'does not take the keys that AWS hands it: EC2 Instance Connect must be installed there.'
        : "does not trust this gateway: the file named by TrustedUserCAKeys must hold the gateway's CA key, and the host's clock must be right."
    }`,
  );

/** The host shows a key that is not the one it was added with. */
export function hostKeyChanged(
  hostname: string,
  address: Address,
  pinned: readonly string[],
  shown: string,
): ConnectError {
  return new ConnectError(
    'host_key_changed',
    `The host key of ${hostname} (${showAddress(address)}) has changed: expected ${pinned.join(' or ')}, the host shows ${shown}. ` +
      'Nothing was sent. Someone may be in between, or the host was set up anew: compare with `ssh-keygen -lf` on the host. ' +
      `If it is the same, an administrator runs "Trust the new host key of ${hostname}…" (or: postern servers trust ${hostname}).`,
    { pinned, shown },
  );
}
