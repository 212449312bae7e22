// Hardware keys and passkeys, by the browser's own means. What goes wrong is said in the specification's words (section 5), or in plain ones.
import {
  type Assertion,
  type Challenge,
  type Creation,
  type CreationOptions,
  KEY_ALGORITHMS,
} from '../../../contract/mfa.ts';

const NO_SUPPORT =
  'this browser does not support Webauthn required for hardware tokens, please try the latest version of Chrome, Firefox or Safari';
const NOT_CREATED = 'error creating credential, please try again';
const NOT_OBTAINED = 'error obtaining credential from the hardware key, please try again';

/** By the name of what a browser throws. */
const reasons: Readonly<Record<string, string>> = {
  NotAllowedError: 'the hardware key was not used in time, or the request was cancelled; please try again',
  InvalidStateError: 'this hardware key is registered already',
  SecurityError:
    'hardware keys cannot be used at this address: open the console at the address that its gateway was given',
};
const said = (error: unknown, otherwise: string): Error => {
  const reason = error instanceof DOMException ? reasons[error.name] : undefined;
  return new Error(reason ?? otherwise, { cause: error });
};

/** Whether passkeys are known to be half supported here. */
export const isFirefox = (): boolean => /firefox/i.test(navigator.userAgent);

function checkSupport(): void {
  if (globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === undefined) throw new Error(NO_SUPPORT);
}

async function created(options: PublicKeyCredentialCreationOptionsJSON) {
  checkSupport();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = await navigator.credentials.create({ publicKey }).catch((error: unknown) => {
    throw said(error, NOT_CREATED);
  });
  if (!(made instanceof PublicKeyCredential)) throw new Error(NOT_CREATED);
  const { id, rawId, response } = made.toJSON() as RegistrationResponseJSON;
  const { attestationObject, clientDataJSON } = response;
  const creation: Creation = { id, rawId, type: 'public-key', response: { attestationObject, clientDataJSON } };
  return { creation, authenticatorData: (made.response as AuthenticatorAttestationResponse).getAuthenticatorData() };
}

/** Makes a key. Rejects with Error whose message is a sentence for people. */
export const createKey = async ({ publicKey }: CreationOptions): Promise<Creation> =>
  (await created(publicKey)).creation;

/** Where the flags stand among what an authenticator says, and the one of keys that may be copied to other machines (WebAuthn, 6.1). */
const FLAGS_AT = 32;
const BACKUP_ELIGIBLE = 0x08;
/** Makes a key of the machine's own authenticator. Rejects as createKey does. */
export async function createMachineKey(wanted: {
  /** base64url, as is `handle`. */
  readonly challenge: string;
  readonly rpId: string;
  readonly user: string;
  readonly handle: string;
  /** By which the authenticator lists it. */
  readonly label: string;
}): Promise<{ readonly creation: Creation; readonly isSynced: boolean }> {
  const { creation, authenticatorData } = await created({
    challenge: wanted.challenge,
    rp: { id: wanted.rpId, name: 'Postern' },
    user: { id: wanted.handle, name: wanted.label, displayName: wanted.user },
    pubKeyCredParams: KEY_ALGORITHMS.map(alg => ({ type: 'public-key', alg })),
    authenticatorSelection: {
      authenticatorAttachment: 'platform',
      residentKey: 'discouraged',
      userVerification: 'discouraged',
    },
    attestation: 'none',
    timeout: 60_000,
  });
  return { creation, isSynced: ((new Uint8Array(authenticatorData)[FLAGS_AT] ?? 0) & BACKUP_ELIGIBLE) !== 0 };
}

/** Asks for a key. Rejects with Error whose message is a sentence for people. */
export async function askKey({ webauthn_challenge }: Challenge, signal?: AbortSignal): Promise<Assertion> {
  checkSupport();
  if (webauthn_challenge === null) throw new Error(NOT_OBTAINED);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    webauthn_challenge.publicKey as PublicKeyCredentialRequestOptionsJSON,
  );
  const given = await navigator.credentials.get({ publicKey, ...(signal && { signal }) }).catch((error: unknown) => {
    throw said(error, NOT_OBTAINED);
  });
  if (!(given instanceof PublicKeyCredential)) throw new Error(NOT_OBTAINED);
  const { id, rawId, response } = given.toJSON() as AuthenticationResponseJSON;
  const { authenticatorData, clientDataJSON, signature, userHandle } = response;
  return { id, rawId, type: 'public-key', response: { authenticatorData, clientDataJSON, signature, userHandle } };
}
