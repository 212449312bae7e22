// Service providers of SAML come here with the browsers of people, and so does the console when somebody begins with us.
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../contract/failure.ts';
import {
  SAML_LAUNCH,
  SAML_METADATA_PATH,
  SAML_SSO_PATH,
  samlKeyChallenge,
  samlSignIn,
} from '../../contract/saml-idp.ts';
import {
  createServiceProvider,
  deleteServiceProvider,
  getServiceProvider,
  updateServiceProvider,
} from '../../contract/service-providers.ts';
import { SESSION_COOKIE } from '../../contract/session.ts';
import { OK } from '../../contract/shapes.ts';
import type { SessionScope } from '../services/identity/factors/factors.ts';
import { cookieOf } from '../services/identity/session-cookie.ts';
import { createRateLimit } from './rate-limit.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

const SUBMIT = 'document.forms[0].submit()';
/** It fetches nothing and runs one script. Where the form may lead is not said: browsers would hold redirects of the service provider to it. */
const POLICY = `default-src 'none'; script-src 'sha256-${createHash('sha256').update(SUBMIT).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`;

export function serveSamlIdp(app: FastifyInstance, serve: Serve, services: Services): void {
  const { samlIdp, serviceProviders, identity, config, clock } = services;
  const limit = createRateLimit(config.rateLimit, clock);
  const browserOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
    cookieOf(headers.cookie, SESSION_COOKIE) ?? '';

  serve(samlKeyChallenge, async ({ body }, who) =>
    identity.factors.challenge(who.userId, 'session', scopeOf(await (await samlIdp()).find(who, body))),
  );
  serve(samlSignIn, async ({ body: { webauthnAssertionResponse: assertion, ...asked }, request }, who) => {
    const idp = await samlIdp();
    const device = assertion
      ? await identity.factors.prove(who.userId, { assertion }, 'session', scopeOf(await idp.find(who, asked)))
      : undefined;
    if (device === null) throw new Failure('denied', 'The hardware key was not accepted.');
    const { name, code } = await idp.signIn(who, asked, device?.id, browserOf(request));
    return { name, address: `/enterprise/saml-idp/answer?code=${code}` };
  });

  serve(createServiceProvider, async ({ body }, who) => {
    await serviceProviders.add(body, who);
    return body;
  });
  serve(getServiceProvider, ({ params }, who) => serviceProviders.get(params.name, who));
  serve(updateServiceProvider, async ({ params: { name }, body: { labels, ...told } }, who) => {
    await serviceProviders.change(name, told, labels, who);
    return serviceProviders.get(name, who);
  });
  serve(deleteServiceProvider, async ({ params }, who) => {
    await serviceProviders.remove(params.name, who);
    return OK;
  });

  const onRequest = async (request: FastifyRequest): Promise<void> => {
    if (limit.take(request.ip) > 0) throw new Failure('limited', 'too many requests: try again in a moment');
  };
  app.get(SAML_METADATA_PATH, { onRequest }, async (_request, reply) =>
    reply.type('application/samlmetadata+xml; charset=utf-8').send(await (await samlIdp()).metadata()),
  );
  // What is asked is read once it is known who is there: the page asks with it, as it came.
  app.get(SAML_SSO_PATH, { onRequest }, async (request, reply) => {
    const [, ...query] = request.url.split('?');
    return reply
      .header('referrer-policy', 'no-referrer')
      .redirect(`/web/launch/${SAML_LAUNCH}?${query.join('?')}`, 302);
  });
  app.get('/enterprise/saml-idp/login/:name', { onRequest }, async (request, reply) => {
    const { name } = request.params as { readonly name: string };
    return reply.redirect(`/web/launch/${SAML_LAUNCH}?${new URLSearchParams({ app: name })}`, 302);
  });
  app.get('/enterprise/saml-idp/answer', { onRequest }, async (request, reply) => {
    const { code } = request.query as Readonly<Record<string, unknown>>;
    const answer = (await samlIdp()).redeem(typeof code === 'string' ? code : '', browserOf(request));
    if (!answer)
      throw new Failure(
        'bad_request',
        'This sign-in was used already, or took too long: begin again at the application.',
      );
    const field = (name: string, value: string): string =>
      `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
    return reply
      .headers({
        'content-security-policy': POLICY,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'unsafe-none',
      })
      .type('text/html; charset=utf-8')
      .send(
        `<!doctype html><html lang="en"><meta charset="utf-8"><title>Signing in</title><form method="post" action="${escapeHtml(answer.acs)}">${field('SAMLResponse', answer.response)}${answer.relayState === '' ? '' : field('RelayState', answer.relayState)}<noscript><button>Go on</button></noscript></form><script>${SUBMIT}</script></html>\n`,
      );
  });
}

/** What the key is asked for: the answer opens this application, and nothing else of the person's. */
const scopeOf = (name: string): string =>
  JSON.stringify({ connection: `saml ${name}`, title: `the application ${name}` } satisfies SessionScope);
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, one => `&#${one.charCodeAt(0)};`);
