// Signing in through an identity provider (contract/api.md 1.5). A browser navigates to these paths, so what went wrong is a page.
import type { FastifyInstance } from 'fastify';

/** Where a browser is sent when it cannot be signed in. */
const FAILED = '/web/msg/error/login';
const CALLBACK_FAILED = '/web/msg/error/login/callback';

const begin = ['github/login/web', 'oidc/login/web', 'saml/login/web', 'saml/sso'] as const;
const callbacks = [
  ['GET', 'github/callback'],
  ['GET', 'oidc/callback'],
  ['POST', 'saml/acs'],
] as const;

/** No connector can be set up so far: whichever is asked for is one that is not there. */
export function serveSingleSignOn(app: FastifyInstance): void {
  const lead = (method: 'GET' | 'POST', path: string, to: string): void => {
    app.route({
      method,
      url: `/v1/webapi/${path}`,
      // Before a body is read: the form that a provider posts is no JSON.
      onRequest: async (_request, reply) => reply.redirect(to, 302),
      handler: (_request, reply) => reply,
    });
  };
  for (const path of begin) lead('GET', path, FAILED);
  for (const [method, path] of callbacks) lead(method, path, CALLBACK_FAILED);
}
