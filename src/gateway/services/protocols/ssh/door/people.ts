// The way in for people at the SSH port: by a certificate of their own, or over a connection of their command line, which has vouched for them.
import { Failure } from '../../../../../contract/failure.ts';
import type { ServerClients } from '../../../../ports/server-clients.ts';
import type { Vouched } from '../../../../ports/ssh-door.ts';
import type { Who } from '../../../../ports/who.ts';
import { ED25519_CERTIFICATE } from '../certificate.ts';
import type { Way } from '../port/way.ts';
import type { PersonAuthority } from './person-authority.ts';
import { type Place, serveConnection } from './serve.ts';

/** A client that answers nothing for so long is gone, ms. A machine that was put to sleep for a moment is not. */
const SILENT_MOST_MS = 90_000;
const USER_MOST_CHARACTERS = 600;

export interface PeopleParts {
  readonly authority: Pick<PersonAuthority, 'check'>;
  readonly clients: ServerClients;
  /** The person as they are now. Throws Failure signed_out when their web session is over. */
  readonly again: (of: Pick<Who, 'userId' | 'webSessionId' | 'remoteAddr'>) => Promise<Who>;
  /** Calls once when a web session is over, with why; answers what stops that. */
  readonly watch: (session: Pick<Who, 'userId' | 'webSessionId'>, over: (why: string) => void) => () => void;
  readonly report: (problem: string, error: unknown) => void;
}
/** By certificate; where to, the user name says: `login@server`, with `person:` before it or without. */
export const wayByCertificate = (parts: PeopleParts): Way => ({
  async judge({ user, algorithm, blob, remoteAddr }) {
    if (algorithm !== ED25519_CERTIFICATE) return null;
    const person = await parts.authority.check(blob, remoteAddr);
    if (!person) return null;
    const again = () => parts.again({ ...person, remoteAddr });
    const who = await again().catch((error: unknown) => {
      if (!(error instanceof Failure)) parts.report('somebody could not come in', error);
      return null;
    });
    if (!who || user.length > USER_MOST_CHARACTERS) return null;
    const place = readUser(user);
    // A certificate opens nothing in the name of another.
    if (place.person !== '' && place.person !== who.user) return null;
    return {
      publicKey: person.publicKey,
      silentMostMs: SILENT_MOST_MS,
      begin: guest => serveConnection(parts, guest, { again, who, place }),
    };
  },
});

/** For the one connection that a command line has opened; the user name is the login. */
export const wayOfVouched = (parts: PeopleParts, { who, server, device }: Vouched): Way => ({
  async judge({ user }) {
    if (user.length > USER_MOST_CHARACTERS) return null;
    const place: Place = { person: who.user, login: user, server };
    return {
      publicKey: null,
      silentMostMs: SILENT_MOST_MS,
      begin: guest =>
        serveConnection(parts, guest, {
          again: () => parts.again(who),
          who,
          place,
          ...(device !== undefined && { device }),
        }),
    };
  },
});

/** `alice:root@db-3`: who, as whom, and where. What is left out is ''. */
function readUser(user: string): Place {
  const at = user.lastIndexOf('@');
  if (at < 0) return { person: user, login: '', server: '' };
  const before = user.slice(0, at);
  const colon = before.lastIndexOf(':');
  const server = user.slice(at + 1).replace(/^\[(.*)\]$/, '$1');
  return { person: before.slice(0, Math.max(colon, 0)), login: before.slice(colon + 1), server };
}
