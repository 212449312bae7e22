// A person's certificate for one target: made for a key that never leaves their machine, good as long as their web session.
import { Failure } from '../../../contract/failure.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { CertificateSigner } from '../../ports/certificates.ts';
import { isOfVisitor, type Who } from '../../ports/who.ts';
import { newSecret } from '../secrets.ts';
import { type CertifiedKind, identityUris } from './identity.ts';

/** Long enough for a working day, ms: it counts no longer than the web session that it was made in. */
const LIFE_MOST_MS = 12 * 3_600_000;
/** With a second factor for each session, a certificate is for the one that is begun now, ms. */
export const PROVEN_LIFE_MS = 60_000;
/** Said where a certificate would lead nowhere. */
const NOT_LISTENING =
  "this gateway takes no clients of people's own: it needs --databases-listen HOST:PORT, which is for databases and clusters";

const NOWHERE = { host: '', port: 0, tlsPort: 0 };
/** Where a person's clients connect: those of people of a root do at the root. Throws Failure unsupported where nothing is listened on. */
export function placeFor<At extends object>({ userId }: Pick<Who, 'userId'>, at: At | null): At | typeof NOWHERE {
  if (isOfVisitor(userId)) return NOWHERE;
  if (at === null) throw new Failure('unsupported', NOT_LISTENING);
  return at;
}

export interface PersonCertificate {
  readonly certificate: string;
  /** PEM: vouches for the gateway. */
  readonly authority: string;
  readonly expires: string;
}
interface Wanted {
  readonly kind: CertifiedKind;
  /** Of the target. */
  readonly name: string;
  /** PEM (SPKI), P-256. */
  readonly publicKey: string;
  /** Id of the one that was shown for it; '' where none was. */
  readonly device: string;
  /** Of the API of a cloud: as whom. The certificate then lasts, and is for one session where a second factor was shown for it. */
  readonly chosen?: string;
  /** The leaf cluster that it is in; absent: this one. */
  readonly cluster?: string;
  /** What the audit log hears of the target. */
  readonly route: Readonly<Record<string, unknown>>;
}
export interface PersonCertificates {
  /** Throws Failure denied where roles ask for a second factor that was not shown, bad_request for a key that is none. */
  issue(who: Who, wanted: Wanted): Promise<PersonCertificate>;
}

export function createPersonCertificates(parts: {
  readonly certificates: CertificateSigner;
  readonly audit: AuditLog;
  readonly clock: () => Date;
}): PersonCertificates {
  const { certificates, audit, clock } = parts;
  return {
    async issue(who, { kind, name, publicKey, device, chosen, cluster, route }) {
      const asksFactor = who.rights.options.sessionFactor;
      const isVisitor = isOfVisitor(who.userId);
      // The words by which clients of this wire know that they must ask for a touch.
      if (asksFactor && device === '')
        throw new Failure('denied', 'MFA required: your roles ask for a second factor for each session');
      // A leaf may ask where this cluster does not.
      const isProven = asksFactor || (cluster !== undefined && device !== '');
      const most = clock().getTime() + (isProven && chosen === undefined ? PROVEN_LIFE_MS : LIFE_MOST_MS);
      const ends = new Date(Math.min(who.expires.getTime(), most));
      const identity = {
        ...{ userId: who.userId, webSessionId: who.webSessionId, target: name, device },
        ...(chosen !== undefined && { chosen, session: `${clock().getTime()}.${newSecret()}` }),
        ...(cluster !== undefined && { cluster }),
      };
      // Whose root vouches for them shows its certificate there, and comes in over its tunnel.
      const { certificate } = isVisitor
        ? { certificate: '' }
        : await certificates.issue('people', {
            ...{ name: who.user, ends, for: 'client', uris: identityUris(kind, identity), publicKey },
          });
      await audit.emit({
        code: 'TC000I',
        cert_type: 'user',
        user: who.user,
        user_id: who.userId,
        'addr.remote': who.remoteAddr,
        identity: { user: who.user, expires: ends.toISOString(), ...route },
      });
      const authority = isVisitor ? '' : await certificates.authority('gateway');
      return { certificate, authority, expires: ends.toISOString() };
    },
  };
}
