// What somebody asks for, worked out and held against what their roles let them ask for.
import { ANNOTATION_MOST, type createAccessRequest, type RequestedId } from '../../../contract/access-requests.ts';
import type { BodyOf } from '../../../contract/call.ts';
import { parseDuration } from '../../../contract/duration.ts';
import { Failure } from '../../../contract/failure.ts';
import type { Grant, RequestTerms, Rights } from '../../ports/rights.ts';
import type { Who } from '../../ports/who.ts';
import type { Resource, Resources, UserRecord, Users } from '../../store/store.ts';
import type { RequestedThing, StoredRequest } from './stored.ts';
import { thresholdsOf } from './thresholds.ts';

/** How long a request waits for reviewers, ms. */
const WAIT_MS = 24 * 3_600_000;
/** How long what is granted lasts where nobody says, ms; and at most, whatever roles say, ms. */
const DEFAULT_MS = 8 * 3_600_000;
const MOST_MS = 14 * 86_400_000;

export interface AskParts {
  readonly resources: Pick<Resources, 'named'>;
  readonly users: Pick<Users, 'byId'>;
  readonly rights: {
    rightsOf(user: UserRecord, grants?: readonly Grant[]): Promise<Rights>;
    /** Those that exist of these names. */
    roles(names: readonly string[]): Promise<readonly { readonly name: string }[]>;
  };
  readonly clusterName: string;
  readonly clock?: () => Date;
}
type Asked = Omit<BodyOf<typeof createAccessRequest>, 'dryRun'>;
type Made = Omit<StoredRequest, 'id' | 'created' | 'revision'>;

/** Answers the request as it would be kept. Throws Failure denied, not_found, bad_request. */
export function createAsk(parts: AskParts): (who: Who, asked: Asked) => Promise<Made> {
  const { resources, rights, users, clock = () => new Date() } = parts;

  async function thingsCalled(ids: readonly RequestedId[]): Promise<readonly Resource[]> {
    const elsewhere = ids.find(({ clusterName }) => clusterName !== '' && clusterName !== parts.clusterName);
    if (elsewhere) throw new Failure('not_found', `cluster "${elsewhere.clusterName}" was not found`);
    const kinds = [...new Set(ids.map(({ kind }) => kind))];
    const found = await Promise.all(
      kinds.map(kind =>
        resources.named(
          kind,
          ids.filter(one => one.kind === kind).map(({ name }) => name),
        ),
      ),
    );
    return found.flat();
  }

  /** The roles that lead to things, of those that may be searched as; all of them must be led to. */
  async function leading(who: Who, { roles, resourceIds, loginHint }: Asked): Promise<Pick<Made, 'roles' | 'things'>> {
    const user = await users.byId(who.userId);
    const searched = who.rights.requests.searchAsRoles;
    const foreign = roles.find(role => !searched.includes(role));
    if (foreign !== undefined) throw new Failure('denied', `you may not ask for things as role "${foreign}"`);
    const candidates = (roles.length > 0 ? roles : searched).filter(role => !who.roles.includes(role));
    const found = await thingsCalled(resourceIds);
    const leads = new Set<string>();
    const reached = new Set<Resource>();
    for (const role of candidates) {
      if (user === null) break;
      const with_ = await rights.rightsOf(user, [grantOf([role], found)]);
      for (const thing of found) {
        if (!isLedTo(with_, thing, loginHint)) continue;
        leads.add(role);
        reached.add(thing);
      }
    }
    const lost = resourceIds.find(
      ({ kind, name }) => ![...reached].some(one => one.kind === kind && one.name === name),
    );
    if (lost) {
      // Whether something is there that no role would show is not told.
      const title = found.find(one => one.name === lost.name && [...reached].includes(one))?.title ?? lost.name;
      throw new Failure(
        'not_found',
        `no role that you may ask for leads to "${title}"${loginHint === undefined ? '' : ` as ${loginHint}`}`,
      );
    }
    const things: RequestedThing[] = [...reached].map(({ kind, name, title }) => ({
      kind: kind as RequestedThing['kind'],
      name,
      title,
    }));
    return { roles: [...leads], things };
  }

  async function whole(who: Who, names: readonly string[]): Promise<Pick<Made, 'roles' | 'things'>> {
    const roles = [...new Set(names)];
    const existing = new Set((await rights.roles(roles)).map(({ name }) => name));
    const refused = roles.find(role => !existing.has(role) || who.rights.requests.terms(role, 'whole') === null);
    // Of a role that does not exist is said the same.
    if (refused !== undefined) throw new Failure('denied', `you may not ask for role "${refused}"`);
    const held = roles.find(role => who.roles.includes(role) && !isGiven(who, role));
    if (held !== undefined) throw new Failure('bad_request', `you have role "${held}" already`);
    return { roles, things: [] };
  }

  return async (who, asked) => {
    const { strategy, suggestedReviewers } = who.rights.requests;
    if (asked.roles.length + asked.resourceIds.length === 0)
      throw new Failure('bad_request', 'ask for roles or for things', { roles: 'at least one role or thing' });
    if (strategy.type === 'reason' && asked.reason.trim() === '')
      throw new Failure('bad_request', strategy.prompt || 'your roles ask for a reason', { reason: 'required' });
    const ofThings = asked.resourceIds.length > 0;
    const what = ofThings ? await leading(who, asked) : await whole(who, asked.roles);
    const terms = what.roles.flatMap(role => who.rights.requests.terms(role, ofThings ? 'things' : 'whole') ?? []);
    const forMs = lifeOf(asked.maxDuration, terms);
    return {
      ...what,
      userId: who.userId,
      user: who.user,
      state: 'PENDING',
      reason: asked.reason.trim(),
      resolveReason: '',
      annotations: annotationsOf(terms),
      forMs,
      ends: new Date(clock().getTime() + WAIT_MS).toISOString(),
      suggestedReviewers: [
        ...new Set(asked.suggestedReviewers.length > 0 ? asked.suggestedReviewers : suggestedReviewers),
      ],
      ...thresholdsOf(terms),
      reviews: [],
    };
  };
}

const grantOf = (roles: readonly string[], things: readonly Resource[]): Grant => ({
  request: '',
  roles,
  things: things.map(({ kind, name }) => ({ kind: kind as RequestedThing['kind'], name })),
  ends: new Date(0),
});
const isGiven = ({ grants }: Who, role: string): boolean => grants.some(({ roles }) => roles.includes(role));

function isLedTo(rights: Rights, { kind, labels }: Resource, login: string | undefined): boolean {
  const asked = kind as RequestedThing['kind'];
  if (!rights.selects(asked, labels)) return false;
  if (login === undefined) return true;
  if (asked === 'node') return rights.logins(labels).includes(login);
  const key = { db: 'db_users', kube_cluster: 'kubernetes_users', windows_desktop: 'windows_desktop_logins' } as const;
  if (asked === 'app' || asked === 'user_group') return true;
  return rights.principals(key[asked], labels).some(one => one === login || one === '*');
}

/** What all roles say that let it be asked for. Throws Failure bad_request for more than a request may carry: a condition may be about what was cut. */
function annotationsOf(terms: readonly RequestTerms[]): Record<string, string[]> {
  const all = new Map<string, Set<string>>();
  for (const { annotations } of terms) {
    if (annotations === null)
      throw new Failure('bad_request', 'what your roles say of this request (annotations) takes too much work');
    for (const [name, values] of Object.entries(annotations))
      all.set(name, new Set([...(all.get(name) ?? []), ...values]));
  }
  const isLong = [...all].some(
    ([, values]) =>
      values.size > ANNOTATION_MOST.values || [...values].some(value => value.length > ANNOTATION_MOST.characters),
  );
  if (all.size > ANNOTATION_MOST.names || isLong)
    throw new Failure(
      'bad_request',
      `your roles say more of this request than it may carry: ${ANNOTATION_MOST.names} annotations of ${ANNOTATION_MOST.values} values of ${ANNOTATION_MOST.characters} characters`,
    );
  return Object.fromEntries([...all].map(([name, values]) => [name, [...values]]));
}

/** How long what is granted lasts. Throws Failure bad_request for more than the roles allow. */
function lifeOf(wanted: string | undefined, terms: readonly RequestTerms[]): number {
  const most = Math.min(MOST_MS, ...terms.map(({ mostMs }) => mostMs));
  if (wanted === undefined) return Math.min(DEFAULT_MS, most);
  const asked = parseDuration(wanted) ?? 0;
  if (asked > most) {
    const text = `at most ${Math.floor(most / 60_000)} minutes may be asked for`;
    throw new Failure('bad_request', text, { maxDuration: text });
  }
  return asked;
}
