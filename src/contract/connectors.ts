// Sign-in connectors: how people get in who have their password elsewhere.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { content, resourceItem } from './roles.ts';
import { sessionReply } from './session.ts';
import { name, ok, verifier } from './shapes.ts';

export const connectorKinds = ['github', 'oidc', 'saml'] as const;
export type ConnectorKind = (typeof connectorKinds)[number];

const params = z.object({ name });
const titles = { github: 'GitHub', oidc: 'OpenID Connect', saml: 'SAML' } as const satisfies Record<
  ConnectorKind,
  string
>;

/** The five calls of a kind. */
const callsOf = <Kind extends ConnectorKind>(kind: Kind) => ({
  list: call('GET', kind, {
    summary: `All ${titles[kind]} connectors, without their secrets.`,
    access: { resource: kind, verb: 'list' },
    reply: z.array(resourceItem),
  }),
  get: call('GET', `${kind}/:name`, {
    summary: `One ${titles[kind]} connector, without its secrets.`,
    access: { resource: kind, verb: 'read' },
    params,
    reply: resourceItem,
  }),
  create: call('POST', kind, {
    summary: `Create a ${titles[kind]} connector from YAML.`,
    access: { resource: kind, verb: 'create' },
    body: content,
    reply: resourceItem,
  }),
  update: call('PUT', `${kind}/:name`, {
    summary: `Replace a ${titles[kind]} connector; renaming is refused, and secrets that are left out stay.`,
    access: { resource: kind, verb: 'update' },
    params,
    body: content,
    reply: resourceItem,
  }),
  remove: call('DELETE', `${kind}/:name`, {
    summary: `Delete a ${titles[kind]} connector.`,
    access: { resource: kind, verb: 'delete' },
    params,
    reply: ok,
  }),
});

/** By kind: the same calls for each. */
export const connectorCalls = { github: callsOf('github'), oidc: callsOf('oidc'), saml: callsOf('saml') };

/**
 * A command line's way through a connector, by kind. It listens on a port of its own machine, makes a verifier (32 random bytes, hex) and opens
 * a browser here, with the query `connector_id`, `code_challenge` (the SHA-256 of the verifier's 64 characters, hex) and, last, `redirect_url`:
 * an address that begins with `http://127.0.0.1:PORT`, `http://localhost:PORT` or `http://[::1]:PORT`, and nothing else. The browser comes
 * back there with `code` added to the query, which `exchangeCode` turns into a session, once and within a minute. A sign-in that fails ends on a
 * page of the gateway and never comes back: whoever listens stops after five minutes.
 */
export const consoleSignInPaths = {
  github: '/v1/webapi/github/login/console',
  oidc: '/v1/webapi/oidc/login/console',
  saml: '/v1/webapi/saml/login/console',
} as const satisfies Record<ConnectorKind, string>;
export const exchangeCode = call('POST', 'sessions/code', {
  summary:
    'Turn the code that a browser brought back from a single sign-on into a session of the command line that began it.',
  access: 'public',
  csrf: true,
  body: z.object({ code: verifier, verifier }),
  reply: sessionReply,
});
