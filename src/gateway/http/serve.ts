// One line per call: takes a value of the contract and a handler, and does for every call what must never be forgotten.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyOf, Call, ParamsOf, QueryOf, ReplyInput } from '../../contract/call.ts';
import { DEVICE_MISSING } from '../../contract/device-trust.ts';
import { Failure } from '../../contract/failure.ts';
import { IMPERSONATED, isPersonal } from '../../contract/impersonation.ts';
import { CSRF_COOKIE, SESSION_COOKIE } from '../../contract/session.ts';
import type { Visit, Who } from '../ports/who.ts';
import { onBehalf } from '../services/audit/on-behalf.ts';
import { deviceField } from '../services/device-facts.ts';
import type { CameFrom } from '../services/identity/lock-out.ts';
import { peerOf } from '../services/identity/peer.ts';
import { cookieOf } from '../services/identity/session-cookie.ts';
import { sameSecret } from '../services/secrets.ts';
import { visitOf } from '../services/trust/arrivals.ts';
import { check, withoutNulls } from './check.ts';
import { refuseOtherCluster } from './cluster.ts';
import { otherCluster, passOn } from './leaf.ts';
import { createRateLimit } from './rate-limit.ts';
import type { Services } from './services.ts';

/** Bodies of forms: only calls that ask for the CSRF token take them. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Longest user agent that is kept, characters. */
const USER_AGENT_MOST_CHARACTERS = 512;

export interface CallRequest<C extends Call> {
  readonly params: ParamsOf<C>;
  readonly query: QueryOf<C>;
  readonly body: BodyOf<C>;
  readonly from: CameFrom;
  /** The join token that was shown in place of a session; nobody has used it yet. */
  readonly joinToken: string | null;
  readonly request: FastifyRequest;
  /** For headers, and for answers that are not JSON. */
  readonly reply: FastifyReply;
}
/** Who asks: nobody on public calls. */
type Asker<C extends Call> = C['parts']['access'] extends 'public' ? null : Who;
/** Answers the reply, or the FastifyReply itself once it was sent. */
type Handler<C extends Call> = (
  asked: CallRequest<C>,
  who: Asker<C>,
) => Promise<ReplyInput<C> | FastifyReply> | ReplyInput<C>;
export interface Serve {
  <C extends Call>(call: C, handler: Handler<C>): void;
  /**
   * What another call answers the same person, as one that is made of several needs it: with that call's own right and its own handler. Null
   * where no role gives the right.
   */
  answer<C extends Call>(call: C, asked: CallRequest<C>, who: Who): Promise<ReplyInput<C> | null>;
}

/** Whether a call's right is there; what it is about is checked by its handler. */
const mayCall = (who: Who, { parts: { access } }: Call): boolean =>
  typeof access === 'string' || who.rights.may(access.resource, access.verb);

/**
 * Registers calls. In this order: rate limit (public calls), CSRF token, cookie and bearer, right, body, path, query, cluster,
 * the handler, and the reply held against its schema so that nothing leaves that the contract does not name.
 */
export function createServe(app: FastifyInstance, services: Services): Serve {
  const { identity, config, clock, leaves } = services;
  const limit = createRateLimit(config.rateLimit, clock);
  const askers = new WeakMap<FastifyRequest, Who>();
  const joiners = new WeakMap<FastifyRequest, string>();
  /** Asked of the root about itself, from a page of a leaf. */
  const ofLeaf = new WeakSet<FastifyRequest>();
  const handlers = new Map<Call, Handler<Call>>();

  const serve = (<C extends Call>(call: C, handler: Handler<C>): void => {
    const { parts } = call;
    handlers.set(call, handler as unknown as Handler<Call>);
    app.route({
      method: call.method,
      url: call.path,
      // Whoever only wants the head of an answer must not make it all.
      ...(parts.csrf && { config: { form: true } }),
      ...(parts.streamed && { config: { streamed: true }, exposeHeadRoute: false }),
      ...(parts.bodyLimitBytes ? { bodyLimit: parts.bodyLimitBytes } : {}),
      onRequest: async (request, reply) => {
        if (parts.access === 'public') {
          const waitSeconds = limit.take(request.ip);
          if (waitSeconds > 0) {
            reply.header('retry-after', String(waitSeconds));
            throw new Failure('limited', `too many requests; try again in ${waitSeconds} s`);
          }
        }
        if (parts.csrf && !isForm(request)) checkCsrf(request, request.headers['x-csrf-token']);
        if (parts.access === 'public') return;
        const held = credentialsOf(request);
        // Only join tokens have a dot.
        if (parts.joins && held.cookie === undefined && held.bearer?.includes('.')) {
          const waitSeconds = limit.take(request.ip);
          if (waitSeconds > 0) throw new Failure('limited', `too many requests; try again in ${waitSeconds} s`);
          await services.tokens.find(held.bearer, parts.joins);
          joiners.set(request, held.bearer);
          return;
        }
        const who = await identity.sessions.authenticate(held);
        if (!parts.isBeforeTrust && config.deviceTrust === 'required' && who.trustedDevice === undefined)
          throw new Failure('denied', DEVICE_MISSING);
        if (!parts.isAutomatic) identity.sessions.active(who.webSessionId);
        if (who.impersonator !== undefined && isPersonal(call)) throw new Failure('denied', IMPERSONATED);
        // Whose rights count there is for the leaf to say.
        const leaf = otherCluster(request, config.clusterName);
        const found = leaf === undefined ? null : await leaves.find(who, leaf);
        if (found) {
          if (!parts.ofRoot && !parts.atRoot) return passOn(call, request, reply, services, who, found);
          ofLeaf.add(request);
          if (parts.atRoot) {
            askers.set(request, who);
            return;
          }
        }
        if (typeof parts.access !== 'string' && !mayCall(who, call)) {
          throw new Failure(
            'denied',
            `access denied: no role gives you "${parts.access.verb}" on "${parts.access.resource}"`,
          );
        }
        askers.set(request, who);
      },
      handler: async (request, reply) => {
        if (parts.csrf && isForm(request))
          checkCsrf(request, (request.body as Partial<Record<string, unknown>>).csrf_token);
        const params = parts.params ? check(parts.params, request.params, 'path') : {};
        if (!ofLeaf.has(request)) checkCluster(params, config.clusterName);
        const query = parts.query ? check(parts.query, filledIn(request.query), 'query') : {};
        const body = parts.body ? check(parts.body, withoutNulls(parts.body, request.body), 'body') : undefined;
        const joinToken = joiners.get(request) ?? null;
        const asked = { params, query, body, from: cameFrom(request), joinToken, request, reply } as CallRequest<
          typeof call
        >;
        const asker = askers.get(request) ?? null;
        const act = async () => handler(asked, asker as Asker<typeof call>);
        const answer = await (asker?.trustedDevice || asker?.impersonator !== undefined
          ? onBehalf({ user: asker.user, fields: deviceField(asker) }, act)
          : act());
        if (answer === reply || reply.sent) return reply;
        const checked = checkReply(parts.reply, answer);
        // A bare string is JSON as well: Fastify would send it as plain text.
        return typeof checked === 'string' ? reply.type('application/json').send(JSON.stringify(checked)) : checked;
      },
    });
  }) as Serve;

  serve.answer = async (call, asked, who) => {
    const handler = handlers.get(call) as unknown as Handler<typeof call> | undefined;
    if (!handler) throw new Error(`${call.method} ${call.path} is not served`);
    if (!mayCall(who, call)) return null;
    return (await handler(asked, who as Asker<typeof call>)) as ReplyInput<typeof call>;
  };
  return serve;
}

/** Clients of the wire send every parameter of a call, those that they have no value for as `name=`. */
const filledIn = (query: unknown): object =>
  Object.fromEntries(Object.entries(query as object).filter(([, value]) => value !== ''));

/** A reply that does not fit is our fault, not the caller's: it must not be answered as a bad request. */
function checkReply(schema: Call['parts']['reply'], answer: unknown): unknown {
  try {
    return check(schema, answer, 'reply');
  } catch (error) {
    throw new Error(`a reply does not fit the contract: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function checkCluster(params: unknown, clusterName: string): void {
  if (typeof params === 'object' && params !== null && 'clusterId' in params)
    refuseOtherCluster(String(params.clusterId), clusterName);
}

/** A form, which proves in a field what a client without one proves in the header. */
const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['x-csrf-token'] === undefined && (headers['content-type'] ?? '').toLowerCase().startsWith(FORM_TYPE);

/** Double submit: what was shown, in the header or in a form's field `csrf_token`, must repeat the cookie. */
function checkCsrf(request: FastifyRequest, shown: unknown): void {
  const cookie = cookieOf(request.headers.cookie, CSRF_COOKIE);
  const fits = cookie !== undefined && cookie !== '' && typeof shown === 'string' && sameSecret(cookie, shown);
  if (!fits) throw new Failure('denied', 'access denied: the CSRF token is missing or wrong; load the page again');
}

export function credentialsOf(request: FastifyRequest): {
  cookie: string | undefined;
  bearer: string | undefined;
  remoteAddr: string;
  visit: Visit | undefined;
} {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return {
    cookie: cookieOf(request.headers.cookie, SESSION_COOKIE),
    bearer,
    remoteAddr: peerOf(request),
    visit: visitOf(request.raw),
  };
}

/** Where a request came from, for the audit log. */
export const cameFrom = (request: FastifyRequest): CameFrom => ({
  remoteAddr: peerOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_MOST_CHARACTERS),
});
