// Single sign-on handlers: a browser comes here, never the console's client. This gateway has no connectors.
import type { FastifyInstance } from 'fastify';

/** Where a browser is told that its sign-in failed: before it went to the provider, and when it came back from there. */
const failed = { begin: '/web/msg/error/login', callback: '/web/msg/error/login/callback' } as const;

const handlers = [
  ['GET', 'oidc/login/web', failed.begin],
  ['GET', 'saml/sso', failed.begin],
  ['GET', 'saml/login/web', failed.begin],
  ['GET', 'github/login/web', failed.begin],
  ['GET', 'oidc/callback', failed.callback],
  ['POST', 'saml/acs', failed.callback],
  ['GET', 'github/callback', failed.callback],
] as const;

export function serveSso(app: FastifyInstance): void {
  for (const [method, path, page] of handlers) {
    app.route({
      method,
      url: `/v1/webapi/${path}`,
      // Before anything of the body is read: whatever a provider posts, there is no connector that could check it.
      onRequest: async (_request, reply) => reply.redirect(page, 302),
      handler: () => undefined,
    });
  }
}
