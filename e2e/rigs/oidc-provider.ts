// An OpenID provider on this machine over HTTPS, with a certificate that only its own authority knows.
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Provider from 'oidc-provider';

export interface OidcProvider {
  readonly issuer: string;
  /** PEM of the authority. */
  readonly ca: string;
  /** Claims of everybody who signs in from now on; `sub` is what they type as their name. */
  claims: Readonly<Record<string, unknown>>;
  close(): void;
}

/** Answers when it listens. `redirectUri` is the only place that it sends browsers back to. */
export async function openOidcProvider(redirectUri: string): Promise<OidcProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-oidc-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject], { stdio: 'ignore' });
  const ca = readFileSync(cert, 'utf8');
  const server = createServer({ key: readFileSync(key), cert: ca });
  rmSync(folder, { recursive: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const opened: OidcProvider = { issuer, ca, claims: {}, close: () => void server.close().closeAllConnections() };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'postern',
        client_secret: 'the-secret-of-the-client',
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
