// People of a root in this cluster: who they are here, with rights from this cluster's own store, as long as their root vouches for them.

import { Failure } from '../../../contract/failure.ts';
import { mappedRoles } from '../../../contract/role-map.ts';
import { visitorName } from '../../../contract/trusted-clusters.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Rights, RightsUser } from '../../ports/rights.ts';
import { type AskedSessions, type Barring, isOfVisitor, type Visit, type Who } from '../../ports/who.ts';
import type { Resources, UserRecord, Users } from '../../store/store.ts';
import type { Assertion, Checking } from './assertion.ts';
import { type RootSpec, readRoot } from './stored.ts';

/** Visits that are known at once; the one unheard of for longest goes. */
const VISITS_MOST = 10_000;
/** A visit that its root has not vouched for again by then is over, ms: as long as a session is kept that nobody looks at. */
const VOUCHED_MS = 600_000;

export interface VisitorParts {
  readonly resources: Pick<Resources, 'get'>;
  readonly checking: Checking;
  readonly rights: {
    rightsOf(user: RightsUser): Promise<Rights>;
    /** Whether a role could give rights to anybody. */
    isPower(role: string): Promise<boolean>;
  };
  readonly barring: Barring;
  readonly changes: Pick<Changes, 'emit'>;
  readonly clock?: () => Date;
}
export interface Visitors {
  /** Somebody whom their root vouches for, now; `factor`: and of whom it says that they have shown one. Throws Failure denied for what it does not. */
  meet(root: string, assertion: string, factor?: string): Promise<Visit>;
  /** Their web session at the root is over. */
  forget(root: string, session: string): void;
  /** Sessions as everybody asks for them, also of visitors. */
  sessions<Own extends AskedSessions>(own: Own): Own;
  /** Users as the watch over what runs asks for them, also visitors. */
  users(own: Users): Pick<Users, 'get' | 'byId'>;
}

interface Known extends Assertion {
  readonly root: string;
  readonly vouchedAt: number;
}
const visitIdOf = (root: string, session: string): string => `/${root}/${session}`;
const userIdOf = (root: string, uid: string): string => `/${root}/${uid}`;
/** Somebody from a root: they go no further than here. */
export const isVisitor = ({ webSessionId }: Pick<Who, 'webSessionId'>): boolean => isOfVisitor(webSessionId);

export function createVisitors(parts: VisitorParts): Visitors {
  const { resources, checking, clock = () => new Date() } = parts;
  const visits = new Map<string, Known>();
  /** What this cluster said of the root of a visit when its request came: who that is is asked for at once. */
  const trustedNow = new WeakMap<Visit, RootSpec>();

  /** What this cluster says of a root that may send people; else why nobody comes from there. */
  async function trusted(root: string): Promise<RootSpec> {
    const row = await resources.get('trusted_cluster', root);
    const spec = row && readRoot(row);
    if (!spec?.joined) throw new Failure('denied', `access denied: this cluster does not trust ${root}`);
    if (!spec.enabled) throw new Failure('denied', `access denied: this cluster lets nobody from ${root} in now`);
    return spec;
  }
  /** Of the roles that are made of what the root calls its own, those with such power are left out: they must be named to the letter. */
  async function rolesHere({ roleMap }: RootSpec, { roles }: Pick<Assertion, 'roles'>): Promise<readonly string[]> {
    const names = await Promise.all(
      mappedRoles(roleMap, roles).map(async ({ name, captured }) =>
        captured && (await parts.rights.isPower(name)) ? [] : [name],
      ),
    );
    return names.flat();
  }
  /** `spec`: of their root, where it was read just now. */
  async function record(known: Known, spec?: RootSpec): Promise<UserRecord> {
    const { root, sub, uid, traits, since } = known;
    return {
      id: userIdOf(root, uid),
      name: visitorName(root, sub),
      roles: await rolesHere(spec ?? (await trusted(root)), known),
      traits,
      authType: 'oidc',
      isBot: false,
      created: new Date(since),
    };
  }
  const lasts = ({ until, vouchedAt }: Known): boolean => {
    const now = clock().getTime();
    return until > now && now - vouchedAt < VOUCHED_MS;
  };

  /** Throws Failure denied with why somebody is nobody here. */
  async function whoOf(id: string, known: Known, spec?: RootSpec): Promise<Who> {
    const user = await record(known, spec);
    if (user.roles.length === 0)
      throw new Failure('denied', `access denied: none of your roles is mapped to one of this cluster`);
    const rights = await parts.rights.rightsOf(user);
    const locked = await parts.barring({ user: user.name, roles: user.roles, mfaDevices: [] }, rights.options.locking);
    // A lock of either counts; rights are those of the user alone, whoever acts as them.
    const impersonator = known.act === undefined ? undefined : visitorName(known.root, known.act);
    const lockedOther =
      impersonator === undefined
        ? null
        : await parts.barring({ user: impersonator, roles: [] }, rights.options.locking);
    const why = locked ?? lockedOther;
    if (why !== null) throw new Failure('denied', why);
    return {
      user: user.name,
      userId: user.id,
      since: user.created,
      roles: user.roles,
      traits: user.traits,
      authType: 'sso',
      webSessionId: id,
      mfaDevice: '',
      expires: new Date(known.until),
      remoteAddr: `${known.addr}:0`,
      ...(impersonator !== undefined && { impersonator }),
      rights,
      grants: [],
    };
  }
  async function who(id: string, spec?: RootSpec): Promise<Who> {
    const known = visits.get(id);
    if (!known || !lasts(known)) throw new Failure('signed_out');
    return whoOf(id, known, spec);
  }
  async function over(id: string): Promise<string | null> {
    try {
      await who(id);
      return null;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return error.code === 'signed_out' ? 'Your session has ended: sign in again.' : error.message;
    }
  }

  return {
    async meet(root, assertion, factor) {
      const spec = await trusted(root);
      const { joined } = spec;
      const of = { name: root, key: joined?.identityKey ?? '' };
      const said = await checking.read(assertion, of);
      if (!said) throw new Failure('denied', 'access denied: what the root cluster says of you could not be checked');
      const shown = factor === undefined ? undefined : await checking.readFactor(factor, of);
      // It is of this very session of this very person, or of nobody.
      if (shown === null || (shown && (shown.uid !== said.uid || shown.sid !== said.sid)))
        throw new Failure(
          'denied',
          'access denied: the second factor that the root cluster speaks of could not be checked',
        );
      const id = visitIdOf(root, said.sid);
      const before = visits.get(id);
      visits.delete(id);
      visits.set(id, { ...said, root, vouchedAt: clock().getTime() });
      const [oldest] = visits.keys();
      if (visits.size > VISITS_MOST && oldest !== undefined) visits.delete(oldest);
      const isOther =
        before && JSON.stringify([before.roles, before.traits]) !== JSON.stringify([said.roles, said.traits]);
      if (isOther) parts.changes.emit({ kind: 'userChanged', user: visitorName(root, said.sub) });
      const device = shown && `/${root}/${shown.device}`;
      const visit: Visit = { root, id, userId: userIdOf(root, said.uid), ...(device !== undefined && { device }) };
      trustedNow.set(visit, spec);
      return visit;
    },
    forget(root, session) {
      if (visits.delete(visitIdOf(root, session))) parts.changes.emit({ kind: 'webSessionsEnded' });
    },
    sessions: own => ({
      ...own,
      async authenticate(given) {
        if (!given.visit) return own.authenticate(given);
        const { id, device } = given.visit;
        return {
          ...(await who(id, trustedNow.get(given.visit))),
          ...(device !== undefined && { shownDevice: device }),
        };
      },
      again: of => (isOfVisitor(of.webSessionId) ? who(of.webSessionId) : own.again(of)),
      over: session => (isOfVisitor(session.webSessionId) ? over(session.webSessionId) : own.over(session)),
      active: (id, agoMs) => (isOfVisitor(id) ? undefined : own.active(id, agoMs)),
    }),
    users: own => {
      const newest = async (is: (known: Known) => boolean): Promise<UserRecord | null> => {
        const known = [...visits.values()].filter(one => is(one) && lasts(one)).at(-1);
        if (!known) return null;
        try {
          return await record(known);
        } catch (error) {
          // Their root is trusted no more: there is no such user.
          if (error instanceof Failure) return null;
          throw error;
        }
      };
      return {
        byId: id => (isOfVisitor(id) ? newest(({ root, uid }) => userIdOf(root, uid) === id) : own.byId(id)),
        get: name => (name.includes('/') ? newest(({ root, sub }) => visitorName(root, sub) === name) : own.get(name)),
      };
    },
  };
}
