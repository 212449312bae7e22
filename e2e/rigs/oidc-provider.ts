// An OpenID provider on this machine over HTTPS, with a certificate that only its own authority knows.
import { generateKeyPairSync } from 'node:crypto';
import Provider from 'oidc-provider';
import { openHttpsServer } from './https-server.ts';

const CLIENT_SECRET = 'the-secret-of-the-client';

export interface OidcProvider {
  readonly issuer: string;
  /** PEM of the authority. */
  readonly ca: string;
  /** Claims of everybody who signs in from now on; `sub` is what they type as their name. */
  claims: Readonly<Record<string, unknown>>;
  close(): void;
}

/** A connector to a provider, as the gateway's documents are written (JSON is YAML): the group `dev` gives access, `boss…` gives editor. */
export const oidcConnector = ({ issuer, ca }: Pick<OidcProvider, 'issuer' | 'ca'>, name: string, spec = {}): string =>
  JSON.stringify({
    kind: 'oidc',
    version: 'v3',
    metadata: { name },
    spec: {
      issuer_url: issuer,
      ca_cert: ca,
      client_id: 'postern',
      client_secret: CLIENT_SECRET,
      claims_to_roles: [
        { claim: 'groups', value: 'dev', roles: ['access'] },
        { claim: 'groups', value: '^boss.*$', roles: ['editor'] },
      ],
      ...spec,
    },
  });

/** Answers when it listens. `redirectUri` is the only place that it sends browsers back to. */
export async function openOidcProvider(redirectUri: string): Promise<OidcProvider> {
  const { server, origin: issuer, ca, close } = await openHttpsServer();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const opened: OidcProvider = { issuer, ca, claims: {}, close };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'postern',
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'a', alg: 'RS256', use: 'sig' }] } as never,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    pkce: { required: () => true },
    cookies: { keys: ['of this test'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...opened.claims }) }),
  });
  server.on('request', provider.callback());
  return opened;
}
