// Access requests for every door: asking, reviewing, withdrawing, using. Who may do what, the states, and what the audit log hears.
import { randomUUID } from 'node:crypto';
import {
  type AccessRequest,
  ASSUMED_MOST,
  type createAccessRequest,
  type RequestGrants,
  type reviewAccessRequest,
} from '../../../contract/access-requests.ts';
import type { BodyOf } from '../../../contract/call.ts';
import { Failure } from '../../../contract/failure.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Rights } from '../../ports/rights.ts';
import type { Barring, Who } from '../../ports/who.ts';
import type { Resources, Users } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { type AskParts, createAsk } from './ask.ts';
import { createGiven } from './given.ts';
import { isReviewer, reviewed } from './review.ts';
import { grantOf, isOver, readRequest, requestResource, type StoredRequest } from './stored.ts';

/** Requests of one person that wait at once. */
const WAITING_MOST = 20;
/** Requests that a list answers. */
const LISTED_MOST = 1000;
/** Reviews of one request that come at the same moment are written one after the other. */
const TRIES_MOST = 5;

export interface RequestParts extends Pick<AskParts, 'rights'> {
  readonly resources: Pick<Resources, 'get' | 'list' | 'named' | 'create' | 'put' | 'delete'>;
  readonly users: Pick<Users, 'byId'>;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  readonly barring: Barring;
  readonly clusterName: string;
  readonly clock?: () => Date;
}
export interface AccessRequests {
  /** One's own, and those that one may review or list, the newest first. */
  list(who: Who): Promise<readonly AccessRequest[]>;
  /** One of them, and what it would give. Throws Failure not_found, also for one that this person may not see. */
  get(who: Who, id: string): Promise<AccessRequest & { readonly grants: RequestGrants }>;
  /** Throws Failure denied, not_found, bad_request. */
  create(who: Who, asked: BodyOf<typeof createAccessRequest>): Promise<AccessRequest>;
  /** Throws Failure not_found, denied, bad_request. */
  review(who: Who, id: string, said: BodyOf<typeof reviewAccessRequest>): Promise<AccessRequest>;
  /** What it gave ends at once. Throws Failure not_found, denied. */
  remove(who: Who, id: string): Promise<void>;
  /** The requests that a web session uses once it uses this one too. Throws Failure not_found, bad_request, denied. */
  assume(who: Who, id: string): Promise<(before: readonly string[]) => readonly string[]>;
  /** The same person with the rights of the roles that they may search as, for lists; the audit log hears of it. */
  searching(who: Who, kind: string): Promise<Who>;
}

export function createAccessRequests(parts: RequestParts): AccessRequests {
  const { resources, users, audit, changes, rights, clock = () => new Date() } = parts;
  const ask = createAsk(parts);
  const given = createGiven(parts);

  const tell = (): void => changes.emit({ kind: 'requestsChanged' });
  const note = (code: string, request: StoredRequest, fields: Readonly<Record<string, unknown>> = {}): Promise<void> =>
    audit.emit({
      code,
      id: request.id,
      user: request.user,
      user_id: request.userId,
      roles: request.roles,
      state: request.state,
      expires: request.ends,
      ...(request.reason !== '' && { reason: request.reason }),
      ...(Object.keys(request.annotations).length > 0 && { annotations: request.annotations }),
      ...(request.things.length > 0 && {
        resource_ids: request.things.map(({ kind, name }) => ({ cluster: parts.clusterName, kind, name })),
      }),
      ...fields,
    });
  const maySee = (who: Who, request: StoredRequest): boolean =>
    request.userId === who.userId || isReviewer(who, request) || who.rights.may('access_request', 'list');

  async function all(): Promise<readonly StoredRequest[]> {
    const rows = await allOf(resources, 'access_request');
    return rows
      .flatMap(row => readRequest(row) ?? [])
      .sort((one, other) => other.created.getTime() - one.created.getTime());
  }
  async function find(who: Who, id: string): Promise<StoredRequest> {
    const row = await resources.get('access_request', id);
    const request = row && readRequest(row);
    if (!request || !maySee(who, request)) throw new Failure('not_found', `there is no access request "${id}"`);
    return request;
  }

  /** The rights by which somebody is shown what is asked for: as whoever reviews it also those of the roles that they may preview as. */
  async function previewing(who: Who, request: StoredRequest): Promise<Rights> {
    const roles = isReviewer(who, request) ? who.rights.reviews.previewAsRoles : [];
    const user = roles.length === 0 ? null : await users.byId(who.userId);
    if (user === null) return who.rights;
    return rights.rightsOf(user, [...who.grants, { request: '', roles, things: null, ends: who.expires }]);
  }

  function show(who: Who, request: StoredRequest): AccessRequest {
    const over = isOver(request, clock());
    const said = new Map(request.reviews.map(({ author, state }) => [author, state]));
    const reviewers = [...new Set([...request.suggestedReviewers, ...said.keys()])];
    return {
      id: request.id,
      state: request.state,
      user: request.user,
      roles: request.roles,
      resources: request.things.map(({ kind, name, title }) => ({
        id: { kind, name, clusterName: parts.clusterName },
        details: { hostname: kind === 'node' ? title : '', friendlyName: title },
      })),
      requestReason: request.reason,
      annotations: request.annotations,
      resolveReason: request.resolveReason,
      created: request.created.toISOString(),
      expires: request.ends,
      maxDuration: request.forMs,
      reviewers: reviewers.map(name => ({ name, state: said.get(name) ?? 'PENDING' })),
      reviews: request.reviews.map(({ author, state, reason, created, roles, things }) => ({
        author,
        state,
        reason,
        created,
        ...(state === 'APPROVED' && { roles, resources: things.map(key => key.slice(key.indexOf('/') + 1)) }),
      })),
      thresholdNames: request.thresholds.map(({ name }) => name).filter(name => name !== ''),
      isOver: over,
      isOwn: request.userId === who.userId,
      mayReview:
        request.state === 'PENDING' &&
        !over &&
        isReviewer(who, request) &&
        !request.reviews.some(({ authorId }) => authorId === who.userId),
      isAssumed: who.grants.some(grant => grant.request === request.id),
    };
  }

  return {
    async list(who) {
      const mine = (await all()).filter(request => maySee(who, request));
      return mine.slice(0, LISTED_MOST).map(request => show(who, request));
    },

    async get(who, id) {
      const request = await find(who, id);
      return { ...show(who, request), grants: await given(request, await previewing(who, request)) };
    },

    async create(who, { dryRun, ...asked }) {
      const request: StoredRequest = { ...(await ask(who, asked)), id: randomUUID(), created: clock(), revision: 0 };
      if (dryRun) return show(who, request);
      const waiting = (await all()).filter(
        one => one.userId === who.userId && one.state === 'PENDING' && !isOver(one, clock()),
      );
      if (waiting.length >= WAITING_MOST)
        throw new Failure('bad_request', `${waiting.length} access requests of yours wait already: withdraw one first`);
      await resources.create(requestResource(request));
      await note('T5000I', request);
      tell();
      return show(who, request);
    },

    async review(who, id, said) {
      for (let attempt = 1; ; attempt += 1) {
        const before = await find(who, id);
        const after = reviewed(before, who, said, clock());
        try {
          await resources.put(requestResource(after), before.revision);
        } catch (error) {
          // Somebody else's review was quicker: this one is made again on top of it.
          if (error instanceof Failure && error.code === 'changed' && attempt < TRIES_MOST) continue;
          throw error;
        }
        const reason = said.reason !== '' ? { reason: said.reason } : {};
        await note('T5002I', after, { reviewer: who.user, proposed_state: said.state, ...reason });
        if (after.state !== before.state) await note('T5001I', after, { updated_by: who.user, ...reason });
        tell();
        return show(who, after);
      }
    },

    async remove(who, id) {
      const request = await find(who, id);
      if (request.userId !== who.userId && !who.rights.may('access_request', 'delete'))
        throw new Failure('denied', 'access denied: no role gives you "delete" on "access_request"');
      if (!(await resources.delete('access_request', id)))
        throw new Failure('not_found', `there is no access request "${id}"`);
      await note('T5003I', request, { updated_by: who.user });
      tell();
    },

    async assume(who, id) {
      const row = await resources.get('access_request', id);
      const request = row && readRequest(row);
      // Whose it is decides, not who may see it.
      if (request?.userId !== who.userId) throw new Failure('not_found', `you have no access request "${id}"`);
      if (request.state !== 'APPROVED')
        throw new Failure('bad_request', `this access request is ${request.state.toLowerCase()}, not approved`);
      const grant = grantOf(request, clock());
      if (grant === null) throw new Failure('bad_request', `what this access request gave ended at ${request.ends}`);
      const locked = await parts.barring({ user: '', roles: grant.roles, accessRequests: [id] }, null);
      if (locked !== null) throw new Failure('denied', locked);
      return before => [...before.filter(one => one !== id), id].slice(-ASSUMED_MOST);
    },

    async searching(who, kind) {
      const roles = who.rights.requests.searchAsRoles;
      const user = roles.length === 0 ? null : await users.byId(who.userId);
      if (user === null) return who;
      await audit.emit(
        { code: 'T5004I', user: who.user, user_id: who.userId, search_as_roles: roles, resource_type: kind },
        true,
      );
      const searched = { request: '', roles, things: null, ends: who.expires };
      return { ...who, rights: await rights.rightsOf(user, [...who.grants, searched]) };
    },
  };
}
