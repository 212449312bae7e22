// What a browser carries from a provider to the command line that began: a code, good once and with the verifier that never left it.
import type { ConnectorKind } from '../../../../contract/connectors.ts';
import { Failure } from '../../../../contract/failure.ts';
import type { AuditLog } from '../../../ports/audit.ts';
import type { Challenges, UserRecord, Users } from '../../../store/store.ts';
import { digest, newSecret, sameSecret } from '../../secrets.ts';
import { type CameFrom, fieldsOf } from '../lock-out.ts';
import type { SignedIn } from '../web-sessions.ts';

const PURPOSE = 'sso_code';
/** A command line listens: what it hears it uses at once, ms. */
const LIFE_MS = 60_000;
interface Scope {
  readonly challenge: string;
  readonly kind: ConnectorKind;
  readonly user: string;
}

export interface Codes {
  /** A code for whoever has the verifier of the challenge. */
  give(user: UserRecord, kind: ConnectorKind, challenge: string): Promise<string>;
  /** Throws Failure denied for a code that is none, or not its bearer's own; what locks say. */
  exchange(given: { readonly code: string; readonly verifier: string }, from: CameFrom): Promise<SignedIn>;
}

export function createCodes(parts: {
  readonly users: Pick<Users, 'known'>;
  readonly challenges: Challenges;
  readonly audit: AuditLog;
  readonly enter: (user: UserRecord, kind: ConnectorKind, from: CameFrom) => Promise<SignedIn>;
  readonly clock: () => Date;
}): Codes {
  const { users, challenges, audit, clock } = parts;

  /** Whom a code is for. Whoever came by a connector is not there before their session is. */
  async function owner(row: Awaited<ReturnType<Challenges['take']>>, verifier: string) {
    if (row?.purpose !== PURPOSE || row.expires <= clock()) return null;
    const { challenge, kind, user: name } = JSON.parse(row.scope) as Scope;
    const user = await users.known(name);
    return user?.id === row.userId && sameSecret(digest(verifier), challenge) ? { user, kind } : null;
  }

  return {
    async give({ id: userId, name: user }, kind, challenge) {
      const code = newSecret();
      const now = clock();
      const scope = JSON.stringify({ challenge, kind, user } satisfies Scope);
      const expires = new Date(now.getTime() + LIFE_MS);
      await challenges.create({ id: digest(code), userId, purpose: PURPOSE, scope, expires }, now);
      return code;
    },

    async exchange({ code, verifier }, from) {
      const found = await owner(await challenges.take(digest(code)), verifier);
      try {
        if (found) return await parts.enter(found.user, found.kind, from);
        throw new Failure('denied', 'this sign-in is over, or was begun by another command line');
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error);
        await audit.emit({
          code: 'T1001W',
          ...(found && { user: found.user.name, method: found.kind }),
          success: false,
          error: said,
          ...fieldsOf(from),
        });
        throw error;
      }
    },
  };
}
