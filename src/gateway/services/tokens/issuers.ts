// Keys of those who say who a machine is: found by OpenID Connect discovery over HTTPS, kept for a while, asked for again when they have turned.
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { Failure } from '../../../contract/failure.ts';
import { createOutbound } from '../outbound.ts';

/** Keys are asked for anew after this long, and for a key that is not among them, ms. */
const KEPT_MS = 600_000;
const AGAIN_MS = 30_000;
/** Clocks of others may be this far from ours, s. */
const TOLERANCE_S = 60;
/** A token that counts for longer than this is none that is made for one job, s. */
const LIFE_MOST_S = 24 * 3600;
/** Issuers whose keys are kept. */
const ISSUERS_MOST = 100;
/** Signatures by a private key. Neither `none` nor a shared secret proves anything here. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Who is believed: an issuer that publishes its keys, or the keys themselves. */
export type Believed = { readonly issuer: string; readonly ca: string | undefined } | { readonly keys: string };
interface IdToken {
  readonly claims: JWTPayload;
  readonly expires: Date;
}
export interface Issuers {
  /** What a token says, once it is proved. Throws Failure denied with one sentence, unavailable where the issuer's keys cannot be had. */
  verify(token: string, by: Believed): Promise<IdToken>;
}
interface CachedKeys {
  readonly keys: JWTVerifyGetKey;
  readonly at: number;
}

/** `audience`: whom the tokens must be for. */
export function createIssuers(audience: string, clock: () => Date): Issuers {
  const cached = new Map<string, CachedKeys>();
  const fetching = new Map<string, Promise<CachedKeys>>();

  async function fetchKeys(issuer: string, ca: string | undefined): Promise<CachedKeys> {
    const ask = createOutbound(ca);
    const json = async (address: string): Promise<Readonly<Record<string, unknown>>> => {
      const url = URL.parse(address);
      if (url?.protocol !== 'https:') throw new Error(`${address.slice(0, 200)} is not an https address`);
      const answer = await ask(url, { headers: { accept: 'application/json' } });
      if (answer.status !== 200) throw new Error(`${url.host} answered ${answer.status}`);
      return (await answer.json()) as Readonly<Record<string, unknown>>;
    };
    try {
      const found = await json(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
      // Otherwise anybody could say that their keys are somebody else's (OpenID Connect Discovery, 4.3).
      if (found.issuer !== issuer) throw new Error(`it calls itself ${JSON.stringify(found.issuer)}`);
      const keys = (await json(String(found.jwks_uri))) as unknown as JSONWebKeySet;
      return { keys: createLocalJWKSet(keys), at: clock().getTime() };
    } catch (error) {
      throw new Failure(
        'unavailable',
        `the keys of ${issuer} cannot be had: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  /** One question at a time, whoever waits for it. */
  function ask(issuer: string, ca: string | undefined): Promise<CachedKeys> {
    const id = JSON.stringify([issuer, ca]);
    const under = fetching.get(id);
    if (under) return under;
    const asked = fetchKeys(issuer, ca)
      .then(found => {
        if (cached.size >= ISSUERS_MOST) cached.clear();
        cached.set(id, found);
        return found;
      })
      .finally(() => fetching.delete(id));
    fetching.set(id, asked);
    return asked;
  }
  /** Also looks for a key that was not there when they were last asked for. */
  const published =
    (issuer: string, ca: string | undefined): JWTVerifyGetKey =>
    async (header, token) => {
      const known = cached.get(JSON.stringify([issuer, ca]));
      const age = known ? clock().getTime() - known.at : Number.POSITIVE_INFINITY;
      const found = known && age < KEPT_MS ? known : await ask(issuer, ca);
      try {
        return await found.keys(header, token);
      } catch (error) {
        const isNew = error instanceof errors.JWKSNoMatchingKey && found === known && age >= AGAIN_MS;
        if (!isNew) throw error;
        return (await ask(issuer, ca)).keys(header, token);
      }
    };

  return {
    async verify(token, by) {
      const isPublished = 'issuer' in by;
      const keys = isPublished ? published(by.issuer, by.ca) : createLocalJWKSet(JSON.parse(by.keys) as JSONWebKeySet);
      try {
        const { payload } = await jwtVerify(token, keys, {
          ...(isPublished && { issuer: by.issuer }),
          audience,
          algorithms: ALGORITHMS,
          clockTolerance: TOLERANCE_S,
          currentDate: clock(),
          requiredClaims: ['exp', 'iat', 'sub', 'aud'],
        });
        const { exp = 0, iat = 0 } = payload;
        if (exp - iat > LIFE_MOST_S)
          throw new Failure('denied', 'the ID token counts for more than a day: none such is taken');
        return { claims: payload, expires: new Date((exp + TOLERANCE_S) * 1000) };
      } catch (error) {
        if (error instanceof errors.JOSEError)
          throw new Failure('denied', `the ID token is not taken: ${explained(error, audience)}`);
        throw error;
      }
    },
  };
}

/** What is wrong with a token, for whoever must set it right. */
function explained(error: errors.JOSEError, audience: string): string {
  if (error instanceof errors.JWTExpired) return 'it has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return `it is not for this cluster: its audience must be "${audience}"`;
    if (error.claim === 'iss') return 'another issuer made it than the join token names';
    if (error.claim === 'nbf' || error.claim === 'iat') return 'it does not count yet: a clock is wrong';
    return `its claim ${error.claim} ${error.reason === 'missing' ? 'is missing' : 'is wrong'}`;
  }
  if (error instanceof errors.JWKSNoMatchingKey) return 'no key of its issuer has signed it';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong';
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return 'it is signed in a way that proves nothing';
  return 'it cannot be read';
}
