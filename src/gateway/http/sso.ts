// Single sign-on: a browser comes here, never the console's client. It leaves for the provider, and comes back with an answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ConnectorKind, connectorKinds, consoleSignInPaths } from '../../contract/connectors.ts';
import { Failure } from '../../contract/failure.ts';
import { cookieOf } from '../services/identity/session-cookie.ts';
import { SignInRefused } from '../services/identity/sso/provider.ts';
import { AWAY_MOST_MS } from '../services/identity/sso/sso.ts';
import { digest } from '../services/secrets.ts';
import { refusedCookie, sessionCookie } from './cookies.ts';
import { createRateLimit } from './rate-limit.ts';
import { cameFrom, FORM_TYPE } from './serve.ts';
import type { Services } from './services.ts';

/** Where a browser is told that its sign-in failed. */
const pages = {
  login: '/web/msg/error/login',
  callback: '/web/msg/error/login/callback',
  auth: '/web/msg/error/login/auth',
} as const satisfies Record<SignInRefused['page'], string>;

const begins = [
  ['/v1/webapi/oidc/login/web', 'oidc'],
  ['/v1/webapi/saml/sso', 'saml'],
  ['/v1/webapi/saml/login/web', 'saml'],
  ['/v1/webapi/github/login/web', 'github'],
  ...connectorKinds.map(kind => [consoleSignInPaths[kind], kind] as const),
] as const;
const returns = [
  ['GET', 'oidc/callback', 'oidc'],
  ['POST', 'saml/acs', 'saml'],
  ['GET', 'github/callback', 'github'],
] as const;

/** Largest answer of a provider that is posted here, bytes. */
const POSTED_MOST_BYTES = 256 * 1024;

/** One for each sign-in that is under way, so that several tabs do not take each other's. */
const cookieName = (state: string): string => `__Host-postern_sso_${digest(state).slice(0, 16)}`;
/** A form that another site posts comes without Lax cookies. */
const cookieLine = (kind: ConnectorKind, state: string, value: string, seconds: number): string =>
  `${cookieName(state)}=${value}; Path=/; HttpOnly; Secure; SameSite=${kind === 'saml' ? 'None' : 'Lax'}; Max-Age=${seconds}`;

export function serveSso(app: FastifyInstance, { sso, config, clock }: Services): void {
  const limit = createRateLimit(config.rateLimit, clock);

  /** Runs a step; a browser that is refused hears it from a page. */
  const step =
    (page: SignInRefused['page'], run: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      try {
        return await run(request, reply);
      } catch (error) {
        const refused = error instanceof SignInRefused ? error : null;
        if (!refused) request.log.error({ err: error }, 'a single sign-on failed');
        if (refused?.said) reply.header('set-cookie', refusedCookie(refused.said));
        return reply.redirect(pages[refused?.page ?? page], 302);
      }
    };
  const limited = (page: SignInRefused['page']) => async (request: FastifyRequest, reply: FastifyReply) => {
    const waitSeconds = limit.take(request.ip);
    if (waitSeconds > 0) return reply.header('retry-after', String(waitSeconds)).redirect(pages[page], 302);
    return undefined;
  };

  for (const [path, kind] of begins)
    app.get(
      path,
      { onRequest: limited('login') },
      step('login', async (request, reply) => {
        const query = request.query as Readonly<Record<string, unknown>>;
        const asked = {
          connector: textOf(query.connector_id),
          redirect: textOf(query.redirect_url),
          ...(query.test !== undefined && { test: textOf(query.test) }),
          ...(path === consoleSignInPaths[kind] && { challenge: textOf(query.code_challenge) }),
        };
        const { location, state } = await sso.begin(kind, asked, cameFrom(request));
        return reply
          .header('set-cookie', cookieLine(kind, state, state, AWAY_MOST_MS / 1000))
          .header('referrer-policy', 'no-referrer')
          .redirect(location, 302);
      }),
    );

  app.get('/v1/webapi/saml/metadata', { onRequest: limited('login') }, async (request, reply) => {
    const { connector_id: name } = request.query as Readonly<Record<string, unknown>>;
    const metadata = await sso.metadata(textOf(name));
    if (metadata === null) throw new Failure('not_found', 'there is no such SAML connector');
    return reply.type('application/samlmetadata+xml; charset=utf-8').send(metadata);
  });

  app.register(async room => {
    // Read otherwise than the forms of calls.
    room.removeContentTypeParser(FORM_TYPE);
    room.addContentTypeParser(
      FORM_TYPE,
      { parseAs: 'string', bodyLimit: POSTED_MOST_BYTES },
      async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
    );
    // What cannot be read is a failed sign-in too.
    room.setErrorHandler((_error, _request, reply) => reply.redirect(pages.callback, 302));
    for (const [method, path, kind] of returns)
      room.route({
        method,
        url: `/v1/webapi/${path}`,
        bodyLimit: POSTED_MOST_BYTES,
        onRequest: limited('callback'),
        handler: step('callback', async (request, reply) => {
          const returned =
            request.body instanceof URLSearchParams
              ? request.body
              : new URLSearchParams(request.url.split('?').slice(1).join('?'));
          const state = returned.get(kind === 'saml' ? 'RelayState' : 'state') ?? '';
          const cookie = cookieOf(request.headers.cookie, cookieName(state));
          reply.header('set-cookie', cookieLine(kind, state, '', 0));
          const { signedIn, redirect } = await sso.finish(kind, { returned, state, cookie }, cameFrom(request));
          return (
            reply
              .headers(signedIn === null ? {} : { 'set-cookie': sessionCookie(signedIn.cookie) })
              .header('referrer-policy', 'no-referrer')
              .type('text/html; charset=utf-8')
              // A step of our own site: a redirect would still be the provider's, and bring no Lax cookie with it.
              .send(
                `<!doctype html><title>Signed in</title><meta http-equiv="refresh" content="0; url=${escapeHtml(redirect)}">`,
              )
          );
        }),
      });
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const escapeHtml = (text: string): string => text.replace(/[&<>"';]/g, character => `&#${character.charCodeAt(0)};`);
