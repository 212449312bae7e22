// Acting as another user: a session in their name, for whom roles allow it, that ends with either of the two.
import { parseDuration } from '../../../contract/duration.ts';
import { Failure } from '../../../contract/failure.ts';
import { IMPERSONATED, IMPERSONATION_TTL_MS } from '../../../contract/impersonation.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Assumed, Who } from '../../ports/who.ts';
import type { Users } from '../../store/store.ts';
import { type CameFrom, fieldsOf } from './lock-out.ts';
import type { Sessions, SignedIn } from './web-sessions.ts';

export interface ImpersonationParts {
  readonly users: Users;
  readonly assumed: Assumed;
  readonly sessions: Pick<Sessions, 'openFor'>;
  readonly audit: AuditLog;
  readonly clock: () => Date;
}
export interface Impersonation {
  /**
   * Opens a session as another user, no longer than either may stay, nor than that of whoever asks. Throws Failure denied, in the same words
   * whether there is no such user or no role allows it; also for agents, for whoever acts as another already, and with what a lock or a login
   * rule says.
   */
  begin(who: Who, given: { readonly user: string; readonly ttl: string }, from: CameFrom): Promise<SignedIn>;
}

export function createImpersonation({ users, assumed, sessions, audit, clock }: ImpersonationParts): Impersonation {
  return {
    async begin(who, { user: name, ttl }, from) {
      try {
        if (who.agent !== undefined || who.impersonator !== undefined) throw new Failure('denied', IMPERSONATED);
        const user = name === who.user ? null : await users.get(name);
        const is = user && (await assumed(user, []));
        const target = is && { name, roles: is.roles, traits: is.traits };
        if (!user || !is || !target || !who.rights.impersonation.permits(target))
          throw new Failure('denied', `access denied: no role lets you act as "${name}" with all of their roles`);
        const mostMs = Math.min(
          parseDuration(ttl) ?? IMPERSONATION_TTL_MS,
          who.rights.options.maxSessionTtlMs,
          who.expires.getTime() - clock().getTime(),
        );
        const signedIn = await sessions.openFor(who.userId, user, from, mostMs);
        const identity = {
          user: name,
          impersonator: who.user,
          expires: signedIn.reply.sessionExpires,
          usage: 'session',
        };
        await audit.emit({
          code: 'TC000I',
          cert_type: 'user',
          user: name,
          user_id: user.id,
          impersonator: who.user,
          'addr.remote': from.remoteAddr,
          identity,
        });
        return signedIn;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const why = `to act as "${name}": ${error.message}`;
        await audit.emit({ code: 'T3007W', user: who.user, success: false, error: why, ...fieldsOf(from) });
        throw error;
      }
    },
  };
}
