// May this session begin? Asked before anything is reached; what is refused is in the audit log.
import { randomUUID } from 'node:crypto';
import type { DeviceTrustMode } from '../../../../contract/device-trust.ts';
import { Failure } from '../../../../contract/failure.ts';
import type { LockSubject } from '../../../../contract/locks.ts';
import type { AuditEntry, AuditLog } from '../../../ports/audit.ts';
import type { Rights } from '../../../ports/rights.ts';
import type { Target } from '../../../ports/servers.ts';
import type { Barring, Who } from '../../../ports/who.ts';
import type { SessionPlaces } from '../../../store/store.ts';
import { type ApplicationWish, applicationRefusalEvent } from '../application-audit.ts';
import { type DatabaseWish, databaseRefusalEvent } from '../database-audit.ts';
import { type DesktopWish, desktopRefusalEvent } from '../desktop-audit.ts';
import { type KubernetesWish, requestEvent } from '../kubernetes-audit.ts';
import { limitEvent, refusalEvent } from '../session-audit.ts';
import {
  applicationRefusal,
  connectionLimitOf,
  copyRefusal,
  databaseRefusal,
  desktopRefusal,
  factorRefusal,
  limitOf,
  loginRefusal,
  openingRefusal,
  type SessionLimit,
  serviceProviderRefusal,
  untrustedRefusal,
} from './rules.ts';

/** A user certificate lives no longer than this, ms: it is needed for the log-in only. */
const CERTIFICATE_MOST_MS = 5 * 60_000;
/** How long a place counts that its gateway says no more about: so long the sessions of a killed gateway are counted, ms. */
export const PLACE_MS = 60_000;

export interface PolicyPorts {
  readonly audit: AuditLog;
  readonly barring: Barring;
  /** What the whole cluster asks of devices; roles may ask for more. */
  readonly deviceTrust: DeviceTrustMode;
  readonly places: Pick<SessionPlaces, 'take' | 'release'>;
  /** Id of this gateway among those that share the store. */
  readonly gatewayId: string;
  readonly now?: () => Date;
  readonly report: (problem: string, error: unknown) => void;
}
/** What is judged of somebody and their device. */
type Judged = Pick<Who, 'trustedDevice'> & { readonly rights: Pick<Rights, 'options'> };
/** Somebody who is about to begin something. */
interface Actor {
  readonly who: Who;
  /** Id of the device that this very session was proven with. */
  readonly device?: string;
}
/** What a session is to reach: what roles and locks say of it, and what the audit log hears of a refusal. */
export interface Door {
  readonly subject: Pick<LockSubject, 'login' | 'server' | 'desktop'>;
  /** Why the roles do not lead there; null: they do. */
  refusal(rights: Rights): string | null;
  refused(why: string): AuditEntry;
  /** There are `most` sessions already. */
  limited(why: string, most: number): AuditEntry;
}
/** The door of a server. */
export const serverDoor = (wish: { readonly who: Who; readonly target: Target; readonly login: string }): Door => ({
  subject: { login: wish.login, server: wish.target.id },
  refusal: rights => loginRefusal(rights, wish.target, wish.login),
  refused: why => refusalEvent(wish, why),
  limited: (_why, most) => limitEvent(wish, most),
});
/** The door of a database. */
export const databaseDoor = (wish: DatabaseWish): Door => ({
  subject: {},
  refusal: rights => databaseRefusal(rights, wish),
  refused: why => databaseRefusalEvent(wish, why),
  limited: why => databaseRefusalEvent(wish, why),
});
/** The door of a desktop. */
export const desktopDoor = (wish: DesktopWish): Door => ({
  subject: { login: wish.login, desktop: wish.desktop.name },
  refusal: rights => desktopRefusal(rights, wish),
  refused: why => desktopRefusalEvent(wish, why),
  limited: why => desktopRefusalEvent(wish, why),
});
/** The door of an application. */
export const applicationDoor = (wish: ApplicationWish): Door => ({
  subject: {},
  refusal: rights => applicationRefusal(rights, wish.application),
  refused: why => applicationRefusalEvent(wish, why),
  limited: why => applicationRefusalEvent(wish, why),
});
const NO_SAML_IDP = 'Your roles do not let you sign in to SAML applications (idp.saml.enabled).';
/** The door of a service provider of SAML, which people sign in to as themselves. `refused`: what the audit log hears. */
export const serviceProviderDoor = (
  { application }: Pick<ApplicationWish, 'application'>,
  refused: Door['refused'],
): Door => ({
  subject: {},
  refusal: rights => (rights.options.samlIdp ? serviceProviderRefusal(rights, application) : NO_SAML_IDP),
  refused,
  limited: refused,
});
/** The door of what a cluster is asked. `refusal`: whether roles still give it. */
export const kubernetesDoor = (wish: KubernetesWish, refusal: Door['refusal'] = () => null): Door => ({
  subject: {},
  refusal,
  refused: why => requestEvent(wish, 403, why),
  limited: why => requestEvent(wish, 429, why),
});
/** Devices of the second factor that a session is opened with. */
export const devicesOf = ({ who, device }: Actor): readonly string[] =>
  [who.mfaDevice, device ?? ''].filter(id => id !== '');
/** Leave to begin. `release` when the session is over, or did not come about. */
export interface Leave {
  /** What a certificate for it may live from now on, ms. Throws Failure denied once the web session is over. */
  ttlMs(): number;
  release(): void;
}
/** What others have approved of what is done with files. */
export interface Approval {
  /** Aborted when the session in which they did is ended. */
  readonly signal: AbortSignal;
  /** The folder in which it must lie; absent: it is what was named itself. */
  readonly within?: string;
}
/** What somebody is about to do with files. */
export interface FilesWish extends Actor {
  readonly target: Target;
  readonly login: string;
  /**
   * Whether those who moderate their session have approved it: asked once, and last. Null: they have not. Absent: nobody was asked.
   */
  readonly approved?: () => Approval | null;
  /** The folder in which it must lie where a proof was given for that folder. */
  readonly within?: string;
}
export interface SessionPolicy {
  /** Why somebody has no part in any session, for want of a trusted device; null: they may. */
  deviceRefusal(who: Judged): string | null;
  /** Throws Failure denied with the sentence, and limited where there are as many as may be. */
  begin(asked: Actor & { readonly sid: string }, door: Door): Promise<Leave>;
  /**
   * Leave to reach the files of a server, asked anew for each thing that is done with them. Throws Failure denied with the sentence, and
   * `unapproved`.
   */
  permitFiles(asked: FilesWish): Promise<Pick<Leave, 'ttlMs'> & { readonly approval?: Approval }>;
  /** Leave for what is no session: a single request. Throws Failure denied with the sentence. */
  permit(asked: Actor, door: Door): Promise<void>;
  /**
   * Leave for what lasts at a cluster and counts as one of its connections, beside the session that it may be of. The answer gives it back.
   * Throws Failure limited with the sentence.
   */
  connect(asked: Actor, door: Door): Promise<() => void>;
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
  /** Why somebody may not go through that door at all. */
  const doorRefusal = async (asked: Actor, door: Door): Promise<string | null> => {
    const { user, roles, rights } = asked.who;
    const device = asked.who.trustedDevice?.id;
    const subject = { user, roles, ...door.subject, mfaDevices: devicesOf(asked), device };
    return (
      (await barring(subject, rights.options.locking)) ??
      openingRefusal(asked.who) ??
      door.refusal(rights) ??
      deviceRefusal(asked.who)
    );
  };
  const deviceRefusal = ({ rights, trustedDevice }: Judged): string | null =>
    untrustedRefusal([ports.deviceTrust, rights.options.deviceTrust], trustedDevice !== undefined);
  async function permit(asked: Actor, door: Door): Promise<void> {
    const refusal = (await doorRefusal(asked, door)) ?? factorRefusal(asked.who, asked.device !== undefined);
    if (refusal === null) return;
    await audit.emit(door.refused(refusal));
    throw new Failure('denied', refusal);
  }
  /** What a certificate may live, ms. */
  function timeLeft({ expires }: Who): number {
    const ttlMs = Math.min(CERTIFICATE_MOST_MS, expires.getTime() - now().getTime());
    if (ttlMs <= 0) throw new Failure('denied', 'Your web session has ended. Sign in again.');
    return ttlMs;
  }
  function giveBack(sid: string): void {
    held.delete(sid);
    // One that cannot be given back stops counting by itself: its gateway does not name it any more.
    places
      .release(sid)
      .catch((error: unknown) => report(`session ${sid}: its place could not be given back yet`, error));
  }
  async function limited(door: Door, limit: SessionLimit, others: number): Promise<never> {
    const why = limit.refusal(others);
    await audit.emit(door.limited(why, limit.most));
    throw new Failure('limited', why);
  }
  return {
    deviceRefusal,
    held: () => [...held],
    async connect({ who }, door) {
      const limit = connectionLimitOf(who.rights.options);
      if (limit === null) return () => undefined;
      const sid = randomUUID();
      const { taken, others } = await take(sid, `kubernetes ${who.userId}`, limit.most);
      if (!taken) return limited(door, limit, others);
      return () => giveBack(sid);
    },
    async permitFiles(asked) {
      const atDoor = await doorRefusal(asked, serverDoor(asked));
      const refusal = atDoor ?? copyRefusal(asked.who.rights);
      if (refusal !== null) {
        await audit.emit({ ...refusalEvent(asked, refusal), ...(atDoor === null && { code: 'T3010E' }) });
        throw new Failure('denied', refusal);
      }
      const factor = factorRefusal(asked.who, asked.device !== undefined);
      // The words by which clients of this wire know that they must ask for a touch.
      if (factor !== null) throw new Failure('denied', 'MFA required for file transfer');
      const ttlMs = timeLeft(asked.who);
      if (asked.who.rights.joinDemands('ssh').length === 0) return { ttlMs: () => ttlMs };
      const approval = asked.approved?.() ?? null;
      if (approval === null)
        throw new Failure(
          'unapproved',
          'Your roles ask for others in your sessions: they must approve this file transfer first.',
        );
      approval.signal.throwIfAborted();
      return { ttlMs: () => ttlMs, approval };
    },
    permit,
    async begin(asked, door) {
      const { sid, who } = asked;
      await permit(asked, door);
      const ttlMs = (): number => timeLeft(who);
      ttlMs();
      const limit = limitOf(who.rights.options);
      const { taken, others } = await take(sid, who.userId, limit.most);
      if (!taken) return limited(door, limit, others);
      return { ttlMs, release: () => giveBack(sid) };
    },
  };
}
