// An issuer of ID tokens as GitHub Actions, GitLab and Kubernetes clusters are one: discovery document and keys over HTTPS, and tokens that it signs.
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { openHttpsServer } from './https-server.ts';

export interface IdTokenIssuer {
  /** As its tokens name it. */
  readonly issuer: string;
  /** host:port */
  readonly host: string;
  /** PEM that vouches for it. */
  readonly ca: string;
  /** Public keys, as it publishes them. */
  keys(): Promise<string>;
  /** A token that counts for five minutes, with these claims in place of its own. `null` leaves one out. */
  token(claims?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Signs by a new key from now on, which stands alone among those that it publishes. */
  rotate(): Promise<void>;
  /** How often its keys were asked for. */
  readonly asked: () => number;
  /** What the next discovery document calls itself. */
  callItself(issuer: string): void;
  close(): void;
}

/** `path` of the issuer behind its host, such as `/_services/token` of a GitHub Enterprise Server. */
export async function openIdTokenIssuer(
  options: { readonly path?: string; readonly audience?: string; readonly now?: () => Date } = {},
): Promise<IdTokenIssuer> {
  const { path = '', audience = 'here', now = () => new Date() } = options;
  const { server, origin, ca, close } = await openHttpsServer();
  const issuer = `${origin}${path}`;
  let key: CryptoKey;
  let publicKey: CryptoKey;
  let kid = 0;
  let asked = 0;
  let count = 0;
  let called = issuer;
  const rotate = async (): Promise<void> => {
    kid += 1;
    ({ privateKey: key, publicKey } = await generateKeyPair('RS256'));
  };
  await rotate();
  const keys = async (): Promise<string> =>
    JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: `k${kid}`, alg: 'RS256', use: 'sig' }] });
  server.on('request', async (request, response) => {
    const at = request.url ?? '';
    response.setHeader('content-type', 'application/json');
    if (at === `${path}/.well-known/openid-configuration`)
      return void response.end(JSON.stringify({ issuer: called, jwks_uri: `${issuer}/keys` }));
    if (at === `${path}/keys`) {
      asked += 1;
      return void response.end(await keys());
    }
    response.statusCode = 404;
    response.end('{}');
  });
  return {
    issuer,
    host: origin.replace('https://', ''),
    ca,
    keys,
    rotate,
    asked: () => asked,
    callItself: name => {
      called = name;
    },
    token(claims = {}) {
      const at = Math.floor(now().getTime() / 1000);
      count += 1;
      const all = {
        ...{ iss: issuer, aud: audience, sub: 'nobody', jti: `jti-${kid}-${count}`, iat: at, nbf: at, exp: at + 300 },
        ...claims,
      };
      const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as JWTPayload;
      return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: `k${kid}`, typ: 'JWT' }).sign(key);
    },
    close,
  };
}
