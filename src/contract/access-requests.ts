// Access requests: somebody asks for roles, or for single things, for a while, with a reason; reviewers approve or deny.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { parseDuration } from './duration.ts';
import { clusterParams, name, ok, time } from './shapes.ts';
import { visible, visibleLines } from './visible-text.ts';

/** As other clients of this wire spell them. A request whose time is up keeps its state, and is over. */
export const requestStates = ['PENDING', 'APPROVED', 'DENIED'] as const;
export type RequestState = (typeof requestStates)[number];

/** Of a reason, characters. */
export const REQUEST_REASON_MOST_CHARACTERS = 1000;
/** Of one request. */
export const REQUEST_ROLES_MOST = 50;
export const REQUEST_RESOURCES_MOST = 100;
/** Requests that one web session uses at once. */
export const ASSUMED_MOST = 10;

/** What a request carries beside what is asked for: names, values of one, and characters of either. */
export const ANNOTATION_MOST = { names: 100, values: 100, characters: 255 } as const;

/** Kinds of things that can be asked for one by one. */
export const requestableKinds = ['node', 'app', 'db', 'kube_cluster', 'windows_desktop', 'user_group'] as const;
export type RequestableKind = (typeof requestableKinds)[number];

const reason = z
  .string()
  .check(
    z.maxLength(REQUEST_REASON_MOST_CHARACTERS, `at most ${REQUEST_REASON_MOST_CHARACTERS} characters`),
    visibleLines,
  );
const shortName = z.string().check(z.minLength(1), z.maxLength(255), visible);
const duration = z
  .string()
  .check(z.refine(text => (parseDuration(text) ?? 0) > 0, 'a duration such as 2h or 30m, more than none'));
const roleNames = z.array(shortName).check(z.maxLength(REQUEST_ROLES_MOST, `at most ${REQUEST_ROLES_MOST} roles`));

/** One thing that is asked for. `name` of a server: its id. */
export const requestedId = z.object({
  kind: z.enum(requestableKinds),
  name: shortName,
  /** Absent: the gateway's own. */
  clusterName: z._default(z.string().check(z.maxLength(255)), ''),
});
export type RequestedId = z.output<typeof requestedId>;
const resourceIds = z
  .array(requestedId)
  .check(z.maxLength(REQUEST_RESOURCES_MOST, `at most ${REQUEST_RESOURCES_MOST} things`));

const review = z.object({
  author: z.string(),
  state: z.enum(requestStates),
  reason: z.string(),
  created: time,
  /** What the reviewer approved, where it was not all that was asked for. */
  roles: z.optional(z.array(z.string())),
  resources: z.optional(z.array(z.string())),
});
const annotations = z.record(z.string(), z.array(z.string()));
export type Annotations = Readonly<Record<string, readonly string[]>>;
/** In one line: `ticket: INC-1; team: shop, bank`. */
export const annotationText = (all: Annotations): string =>
  Object.entries(all)
    .map(([name, values]) => `${name}: ${values.join(', ')}`)
    .join('; ');
export const accessRequest = z.object({
  id: z.string(),
  state: z.enum(requestStates),
  user: z.string(),
  roles: z.array(z.string()),
  /** Empty: the roles are given whole. Otherwise they are given on these things alone. */
  resources: z.array(
    z.object({
      id: requestedId,
      details: z.object({ hostname: z.string(), friendlyName: z.string() }),
    }),
  ),
  requestReason: z.string(),
  /** What the roles that let it be made say of it, by name (`request.annotations`). */
  annotations,
  resolveReason: z.string(),
  created: time,
  /** Pending: nobody can review it any more. Approved: what it gives ends. Denied: when it was. */
  expires: time,
  /** How long what is granted lasts from the approval on, ms. */
  maxDuration: z.number(),
  /** Whom it was put before by name, and what they said. */
  reviewers: z.array(z.object({ name: z.string(), state: z.enum(requestStates) })),
  reviews: z.array(review),
  thresholdNames: z.array(z.string()),
  /** Its time is up: it can be neither reviewed nor used. */
  isOver: z.boolean(),
  /** Whoever asks made it. */
  isOwn: z.boolean(),
  /** Whoever asks may review it now. */
  mayReview: z.boolean(),
  /** Whoever asks uses it in this web session. */
  isAssumed: z.boolean(),
});
export type AccessRequest = z.infer<typeof accessRequest>;

const granted = z.object({
  kind: z.enum(requestableKinds),
  id: z.string(),
  title: z.string(),
  /** What could be used there, which could not be without the request: logins, database users, groups. */
  principals: z.array(z.string()),
  /** As lists show it; absent where neither one's own roles nor those that one may preview as would. */
  details: z.optional(
    z.object({
      address: z.string(),
      description: z.string(),
      labels: z.array(z.object({ name: z.string(), value: z.string() })),
    }),
  ),
});
/** What a request gives, by name: what the person could reach with it and cannot without. */
export const requestGrants = z.object({
  things: z.array(granted),
  /** There are more things than are named. */
  isPart: z.boolean(),
  /** What could be done in the cluster itself, such as `users: list, edit`. */
  rights: z.array(z.string()),
});
export type RequestGrants = z.infer<typeof requestGrants>;

const asked = z.object({
  roles: z._default(roleNames, []),
  resourceIds: z._default(resourceIds, []),
});
const idParams = z.extend(clusterParams, { id: name });

export const listAccessRequests = call('GET', 'sites/:clusterId/accessrequests', {
  summary: "One's own access requests, and those that one may review or list, the newest first.",
  access: 'signedIn',
  params: clusterParams,
  reply: z.object({ items: z.array(accessRequest) }),
});
export const getAccessRequest = call('GET', 'sites/:clusterId/accessrequests/:id', {
  summary: 'One access request, and what it would give by name.',
  access: 'signedIn',
  params: idParams,
  reply: z.extend(accessRequest, { grants: requestGrants }),
});
export const createAccessRequest = call('POST', 'sites/:clusterId/accessrequests', {
  summary: 'Ask for roles, or for single things; `dryRun` only says what would be asked, and of whom.',
  access: 'signedIn',
  params: clusterParams,
  body: z.extend(asked, {
    reason: z._default(reason, ''),
    suggestedReviewers: z._default(z.array(shortName).check(z.maxLength(20, 'at most 20 reviewers')), []),
    /** Login, database user and the like that must be usable on each thing. */
    loginHint: z.optional(shortName),
    /** How long it is wanted; absent: as long as it may be, at most eight hours. */
    maxDuration: z.optional(duration),
    dryRun: z._default(z.boolean(), false),
  }),
  reply: accessRequest,
});
export const reviewAccessRequest = call('PUT', 'sites/:clusterId/accessrequests/:id', {
  summary: 'Approve an access request, whole or in part, or deny it. Nobody reviews their own, and everybody once.',
  access: 'signedIn',
  params: idParams,
  body: z.object({
    state: z.enum(['APPROVED', 'DENIED']),
    reason: z._default(reason, ''),
    /** Absent: all that was asked for. */
    roles: z.optional(roleNames),
    resourceIds: z.optional(resourceIds),
  }),
  reply: accessRequest,
});
export const deleteAccessRequest = call('DELETE', 'sites/:clusterId/accessrequests/:id', {
  summary:
    "Withdraw one's own access request, or take back another's with the right to delete access requests: what it gave ends.",
  access: 'signedIn',
  params: idParams,
  reply: ok,
});
