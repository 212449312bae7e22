// Hardware keys and passkeys: what is asked of a browser, and whether its answer holds.
import { Failure } from '../../contract/failure.ts';
import {
  type Assertion,
  type Challenge,
  type Creation,
  type CreationOptions,
  KEY_ALGORITHMS,
  webauthnProblem,
} from '../../contract/mfa.ts';

/** How long a browser waits for the touch, ms. */
const TOUCH_MS = 60_000;

export type Usage = 'mfa' | 'passwordless';
export interface RelyingParty {
  /** Domain. */
  readonly id: string;
  readonly origin: string;
}
/** Whom browsers bind keys to at this address. Throws Failure unsupported where there is no domain. */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const problem = webauthnProblem(publicUrl);
  if (problem !== null) throw new Failure('unsupported', problem);
  return { id: new URL(publicUrl).hostname, origin: publicUrl };
}
/** A key as it is stored. */
export interface StoredKey {
  /** base64url. */
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
}

/** Loaded when the first key is asked: most of its weight serves attestations. */
const server = () => import('@simplewebauthn/server');

const keyIds = (ids: readonly string[]) => ids.map(id => ({ type: 'public-key' as const, id }));

export async function creationOptionsFor(given: {
  readonly party: RelyingParty;
  /** `id`: the user's uuid, whose bytes are the handle. Never the name. */
  readonly user: { readonly id: string; readonly name: string };
  readonly usage: Usage;
  /** Keys that the person has already. */
  readonly known: readonly string[];
}): Promise<CreationOptions['publicKey']> {
  const { party, user, usage, known } = given;
  const isPasswordless = usage === 'passwordless';
  const need = isPasswordless ? 'required' : 'discouraged';
  const options = await (await server()).generateRegistrationOptions({
    rpName: 'Postern',
    rpID: party.id,
    userName: user.name,
    userDisplayName: user.name,
    userID: new Uint8Array(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
    supportedAlgorithmIDs: [...KEY_ALGORITHMS],
  });
  return {
    challenge: options.challenge,
    rp: { id: party.id, name: options.rp.name },
    user: options.user,
    pubKeyCredParams: options.pubKeyCredParams.map(({ alg }) => ({ type: 'public-key', alg })),
    authenticatorSelection: { residentKey: need, requireResidentKey: isPasswordless, userVerification: need },
    excludeCredentials: keyIds(known),
    attestation: 'none',
    timeout: TOUCH_MS,
  };
}

/** Null when the answer does not hold. `isSynced`: it may be copied to other machines of the person. */
export async function createdKey(given: {
  readonly party: RelyingParty;
  readonly answer: Creation;
  readonly challenge: string;
  readonly usage: Usage;
}): Promise<(StoredKey & { readonly isSynced: boolean }) | null> {
  try {
    const checked = await (await server()).verifyRegistrationResponse({
      response: { ...given.answer, clientExtensionResults: {} },
      expectedChallenge: given.challenge,
      expectedOrigin: given.party.origin,
      expectedRPID: given.party.id,
      requireUserVerification: given.usage === 'passwordless',
      supportedAlgorithmIDs: [...KEY_ALGORITHMS],
    });
    if (!checked.verified) return null;
    const { credential, credentialDeviceType } = checked.registrationInfo;
    const { id, publicKey, counter } = credential;
    const isSynced = credentialDeviceType === 'multiDevice';
    return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, isSynced };
  } catch {
    return null;
  }
}

/** Without `known`, whoever has a passkey for this domain may answer. */
export async function requestOptions(
  party: RelyingParty,
  known: readonly string[] | null,
): Promise<NonNullable<Challenge['webauthn_challenge']>['publicKey']> {
  const { challenge } = await (await server()).generateAuthenticationOptions({ rpID: party.id });
  return {
    challenge,
    timeout: TOUCH_MS,
    rpId: party.id,
    ...(known !== null && { allowCredentials: keyIds(known) }),
    userVerification: known === null ? 'required' : 'discouraged',
  };
}

/** The key's new counter, or null when the answer does not hold: another origin, a bad signature, a counter that went back. */
export async function answeredCounter(given: {
  readonly party: RelyingParty;
  readonly answer: Assertion;
  readonly challenge: string;
  readonly key: StoredKey;
  readonly usage: Usage;
}): Promise<number | null> {
  const { answer, key } = given;
  const { userHandle, ...response } = answer.response;
  try {
    const checked = await (await server()).verifyAuthenticationResponse({
      response: {
        ...answer,
        response: { ...response, ...(typeof userHandle === 'string' && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge: given.challenge,
      expectedOrigin: given.party.origin,
      expectedRPID: given.party.id,
      credential: {
        id: key.credentialId,
        publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')),
        counter: key.counter,
      },
      requireUserVerification: given.usage === 'passwordless',
    });
    return checked.verified ? checked.authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

/** The challenge that an answer claims to answer; null for what no browser sends. */
export function challengeOf(clientDataJson: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8')) as {
      readonly challenge?: unknown;
    };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** The user that a passkey says it belongs to, as uuid. */
export const ownerOf = (userHandle: string): string =>
  Buffer.from(userHandle, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
