// May this session begin? Asked before anything is reached; what is refused is in the audit log.
import { Failure } from '../../../../contract/failure.ts';
import type { AuditLog, Barring, Target, Who } from '../../../ports.ts';
import type { SessionPlaces } from '../../../store/store.ts';
import { limitEvent, refusalEvent } from '../session-audit.ts';
import { factorRefusal, limitOf, loginRefusal } from './rules.ts';

/** A user certificate lives no longer than this, ms: it is needed for the log-in only. */
const CERTIFICATE_MOST_MS = 5 * 60_000;
/** How long a place counts that its gateway says no more about: so long the sessions of a killed gateway are counted, ms. */
export const PLACE_MS = 60_000;

export interface PolicyPorts {
  readonly audit: AuditLog;
  readonly barring: Barring;
  readonly places: Pick<SessionPlaces, 'take' | 'release'>;
  /** Id of this gateway among those that share the store. */
  readonly gatewayId: string;
  readonly now?: () => Date;
  readonly report: (problem: string, error: unknown) => void;
}
interface Beginning {
  readonly sid: string;
  readonly who: Who;
  readonly target: Target;
  readonly login: string;
  /** Id of the device that this very session was proven with. */
  readonly device?: string;
}
/** Devices of the second factor that a session is opened with. */
export const devicesOf = ({ who, device }: Pick<Beginning, 'who' | 'device'>): readonly string[] =>
  [who.mfaDevice, device ?? ''].filter(id => id !== '');
/** Leave to begin. `release` when the session is over, or did not come about. */
export interface Leave {
  /** What a certificate for it may live from now on, ms. Throws Failure denied once the web session is over. */
  ttlMs(): number;
  release(): void;
}
export interface SessionPolicy {
  /** Throws Failure denied with the sentence. */
  begin(asked: Beginning): Promise<Leave>;
  /** Sessions that have leave: those that run, and those that are being opened. */
  held(): readonly string[];
}

export function createSessionPolicy(ports: PolicyPorts): SessionPolicy {
  const { audit, barring, places, gatewayId, report, now = () => new Date() } = ports;
  const held = new Set<string>();

  async function take(sid: string, userId: string, most: number): Promise<{ taken: boolean; others: number }> {
    held.add(sid);
    let taken = false;
    try {
      const until = new Date(now().getTime() + PLACE_MS);
      const answer = await places.take({ sid, userId, gateway: gatewayId, until }, most, now());
      taken = answer.taken;
      return answer;
    } finally {
      if (!taken) held.delete(sid);
    }
  }
  return {
    held: () => [...held],
    async begin(asked) {
      const { sid, who, target, login } = asked;
      const { user, roles, rights } = who;
      const refusal =
        (await barring(
          { user, roles, login, server: target.id, mfaDevices: devicesOf(asked) },
          rights.options.locking,
        )) ??
        loginRefusal(rights, target, login) ??
        factorRefusal(rights, asked.device !== undefined);
      if (refusal !== null) {
        await audit.emit(refusalEvent(asked, refusal));
        throw new Failure('denied', refusal);
      }
      const ttlMs = (): number => {
        const ms = Math.min(CERTIFICATE_MOST_MS, who.expires.getTime() - now().getTime());
        if (ms <= 0) throw new Failure('denied', 'Your web session has ended. Sign in again.');
        return ms;
      };
      ttlMs();
      const limit = limitOf(rights.options);
      const { taken, others } = await take(sid, who.userId, limit.most);
      if (!taken) {
        await audit.emit(limitEvent(asked, limit.most));
        throw new Failure('denied', limit.refusal(others));
      }
      return {
        ttlMs,
        release() {
          held.delete(sid);
          // One that cannot be given back stops counting by itself: its gateway does not name it any more.
          places
            .release(sid)
            .catch((error: unknown) => report(`session ${sid}: its place could not be given back yet`, error));
        },
      };
    },
  };
}
