// Recovery codes: given out in sets, each code good for one way back in.
import type { AuditLog } from '../../ports/audit.ts';
import type { RecoveryCodes, UserRecord } from '../../store/store.ts';
import type { Factors } from './factors/factors.ts';
import { newRecoveryCodes, recoveryHash } from './factors/recovery-codes.ts';

export interface GivenCodes {
  readonly codes: string[];
  /** RFC 3339. */
  readonly created: string;
}

export interface Recovery {
  /** A new set in place of the old; the codes are in no other place than this answer. Null where the cluster has none. */
  give(user: Pick<UserRecord, 'id' | 'name'>): Promise<GivenCodes | null>;
  /** Whether a code that somebody typed is one of theirs. */
  has(userId: string, typed: string): Promise<boolean>;
  /** Uses one up, as somebody typed it: false when there is none such. */
  take(userId: string, typed: string): Promise<boolean>;
  left: RecoveryCodes['left'];
}

export function createRecovery(parts: {
  readonly recoveryCodes: RecoveryCodes;
  readonly factors: Pick<Factors, 'settings'>;
  readonly audit: AuditLog;
  readonly clock: () => Date;
}): Recovery {
  const { recoveryCodes, factors, audit, clock } = parts;
  return {
    async give({ id, name }) {
      if (!factors.settings.recoveryCodes) return null;
      const codes = newRecoveryCodes();
      const created = clock();
      await recoveryCodes.replace(id, codes.map(recoveryHash), created);
      await audit.emit({ code: 'T1008I', user: name });
      return { codes, created: created.toISOString() };
    },
    has: (userId, typed) => recoveryCodes.has(userId, recoveryHash(typed)),
    take: (userId, typed) => recoveryCodes.take(userId, recoveryHash(typed)),
    left: userId => recoveryCodes.left(userId),
  };
}
