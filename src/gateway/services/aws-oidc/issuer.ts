// The gateway as an issuer of web identity tokens for AWS: who it is, its keys, and tokens that say it asks itself.
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { AWS_AUDIENCE, AWS_SUBJECT } from '../../../contract/aws-oidc.ts';
import { once, type SharedKeyParts, sharedKey } from '../shared-key.ts';

/** What AWS takes of every issuer. */
const ALGORITHM = 'RS256';
const BITS = 2048;
const KEY_ID = 'aws-1';
/** A token is used at once, s. */
const LIFE_SECONDS = 300;

export interface AwsIssuer {
  /** Discovery document (OpenID Connect Discovery 1.0, 3). */
  discovery(): object;
  keys(): Promise<object>;
  /** For STS, AssumeRoleWithWebIdentity. */
  token(): Promise<string>;
}

/** `publicUrl` is the issuer's name: where AWS asks for its keys. */
export function createAwsIssuer(
  parts: SharedKeyParts & { readonly publicUrl: string; readonly clock: () => Date },
): AwsIssuer {
  const issuer = parts.publicUrl.replace(/\/$/, '');
  const pem = sharedKey(parts, 'aws_oidc.key', () =>
    generateKeyPairSync('rsa', { modulusLength: BITS }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  const key = once(async () => createPrivateKey(await pem()));
  return {
    discovery: () => ({
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks-oidc`,
      claims_supported: ['iss', 'sub', 'aud', 'jti', 'iat', 'exp', 'nbf'],
      id_token_signing_alg_values_supported: [ALGORITHM],
      response_types_supported: ['id_token'],
      scopes_supported: ['openid'],
      subject_types_supported: ['public'],
    }),
    keys: async () => ({
      keys: [{ ...createPublicKey(await key()).export({ format: 'jwk' }), kid: KEY_ID, alg: ALGORITHM, use: 'sig' }],
    }),
    async token() {
      const { SignJWT } = await import('jose');
      const at = Math.floor(parts.clock().getTime() / 1000);
      return new SignJWT({})
        .setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID, typ: 'JWT' })
        .setIssuer(issuer)
        .setSubject(AWS_SUBJECT)
        .setAudience(AWS_AUDIENCE)
        .setJti(crypto.randomUUID())
        .setIssuedAt(at)
        .setNotBefore(at)
        .setExpirationTime(at + LIFE_SECONDS)
        .sign(await key());
    },
  };
}
