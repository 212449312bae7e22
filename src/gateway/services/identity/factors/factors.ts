// Devices of the second factor: what can be asked of a person, whether an answer holds, and registering another.
import { randomUUID } from 'node:crypto';
import { Failure } from '../../../../contract/failure.ts';
import {
  type Assertion,
  type Challenge,
  type Creation,
  type CreationOptions,
  PRIVILEGE_MS,
  webauthnProblem,
} from '../../../../contract/mfa.ts';
import type { AuditLog } from '../../../ports/audit.ts';
import type { FactorSettings } from '../../../ports/who.ts';
import type { Challenges, MfaDevice, MfaDevices, Users } from '../../../store/store.ts';
import { digest } from '../../secrets.ts';
import {
  answeredCounter,
  challengeOf,
  createdKey,
  creationOptionsFor,
  ownerOf,
  type RelyingParty,
  relyingPartyOf,
  requestOptions,
  type StoredKey,
  type Usage,
} from '../../webauthn.ts';
import type { SecretBox } from '../secret-box.ts';
import { deviceFields } from './audited.ts';
import { isRequired, takes } from './rule.ts';
import { totpQrCode, totpSecret, totpStep } from './totp.ts';

/** What a challenge may be used for; an answer to one of another purpose counts for nothing. */
type Purpose = 'sign_in' | 'account' | 'password' | 'recovery' | 'session';
/** The code of an authenticator app, or the answer of a hardware key. */
export interface GivenFactor {
  readonly code?: string | null | undefined;
  readonly assertion?: Assertion | null | undefined;
}
/** A device that is to be registered. */
export interface GivenDevice {
  readonly name: string;
  readonly usage: Usage;
  readonly code?: string | null | undefined;
  readonly creation?: Creation | null | undefined;
}
/** What the challenge of a session is bound to, as JSON: this very connection, and what it opens in words. */
export interface SessionScope {
  readonly connection: string;
  readonly title: string;
}
interface Owner {
  readonly id: string;
  readonly name: string;
}

export interface FactorParts {
  readonly users: Pick<Users, 'byId'>;
  readonly audit: AuditLog;
  readonly mfaDevices: MfaDevices;
  readonly challenges: Challenges;
  readonly secretBox: SecretBox;
  readonly factorSettings: FactorSettings;
  readonly clusterName: string;
  readonly clock: () => Date;
}

export interface Factors {
  readonly settings: FactorSettings;
  /** Whether the setting takes devices of this kind. */
  takes(kind: MfaDevice['kind']): boolean;
  /** Devices that the setting takes. */
  usable(userId: string): Promise<readonly MfaDevice[]>;
  /** Devices by which somebody who is signed in proves who they are: those that the setting takes, and passkeys wherever these sign in. */
  provable(userId: string): Promise<readonly MfaDevice[]>;
  /** What a sign-in of somebody with these devices asks beside the password. */
  isAsked(usable: readonly MfaDevice[]): boolean;
  /** Bound to the person, the purpose and the scope (a token, a session); five minutes; good for one answer. */
  challenge(userId: string, purpose: Purpose, scope?: string): Promise<Challenge>;
  /** The challenge of a session again, with what is opened; null when it is not this person's, was answered, ran out or is for something else. */
  sessionChallenge(
    userId: string,
    challenge: string,
  ): Promise<{ readonly title: string; readonly challenge: Challenge } | null>;
  /** The person's device that the answer is from, and notes its use; null for an answer that does not hold. Both are in the audit log. */
  prove(userId: string, given: GivenFactor, purpose: Purpose, scope?: string): Promise<MfaDevice | null>;
  /** For whoever has a passkey. Throws Failure denied where that is not allowed. */
  passwordlessChallenge(): Promise<Challenge>;
  provePasswordless(answer: Assertion): Promise<MfaDevice | null>;
  /** For registering with a one-time token. Throws Failure bad_request for what the setting does not take. */
  registerTotp(owner: Owner, token: string): Promise<{ readonly qrCode: string; readonly secret: string }>;
  registerWebauthn(owner: Owner, token: string, usage: Usage): Promise<CreationOptions>;
  /** Checks a new device; it is not kept yet. Throws Failure bad_request, denied. */
  checkNew(owner: Owner, token: string, given: GivenDevice): Promise<MfaDevice>;
}

export function createFactors(parts: FactorParts): Factors {
  const { mfaDevices, challenges, secretBox, factorSettings: settings, clock } = parts;

  const party = (): RelyingParty => relyingPartyOf(settings.publicUrl);
  const place = (device: Pick<MfaDevice, 'id'>): string => `mfa_device:${device.id}`;
  const keyOf = (device: MfaDevice): StoredKey => ({
    credentialId: device.credentialId ?? '',
    publicKey: device.secret,
    counter: device.progress,
  });

  async function keep(challenge: string, userId: string, purpose: string, scope: string): Promise<void> {
    const now = clock();
    const expires = new Date(now.getTime() + PRIVILEGE_MS);
    await challenges.create({ id: digest(challenge), userId, purpose, scope, expires }, now);
  }
  /** Deleted before anything of the answer is checked, so that no answer is tried twice. */
  async function taken(clientData: string, userId: string, purpose: string, scope: string): Promise<string | null> {
    const challenge = challengeOf(clientData);
    if (challenge === null) return null;
    const kept = await challenges.take(digest(challenge));
    const fits = kept?.userId === userId && kept.purpose === purpose && kept.scope === scope && kept.expires > clock();
    return fits ? challenge : null;
  }
  const advanced = async (device: MfaDevice, progress: number | null): Promise<MfaDevice | null> =>
    progress !== null && (await mfaDevices.advance(device.id, progress, clock())) ? device : null;

  /** Writes down what became of a challenge of a person; there is none where nothing could be asked. */
  async function note(code: string, userId: string, device?: MfaDevice): Promise<void> {
    const user = await parts.users.byId(userId);
    if (user !== null)
      await parts.audit.emit({
        code,
        user: user.name,
        success: !code.endsWith('W'),
        ...(device && deviceFields(device)),
      });
  }

  const keyIdsOf = (devices: readonly MfaDevice[]): readonly string[] =>
    devices.flatMap(({ credentialId }) => credentialId ?? []);
  const usable = async (userId: string): Promise<readonly MfaDevice[]> =>
    (await mfaDevices.list(userId)).filter(({ kind }) => takes(settings, kind));

  const provable = async (userId: string): Promise<readonly MfaDevice[]> =>
    (await mfaDevices.list(userId)).filter(
      ({ kind, isPasswordless }) => takes(settings, kind) || (isPasswordless && settings.allowPasswordless),
    );
  const askedFor = (purpose: Purpose) => (purpose === 'account' ? provable : usable);

  async function proveCode(devices: readonly MfaDevice[], code: string): Promise<MfaDevice | null> {
    for (const device of devices) {
      if (device.kind !== 'totp') continue;
      const secret = secretBox.open(device.secret, place(device));
      const step = await totpStep(secret, code, device.progress, clock());
      if (step !== null) return advanced(device, step);
    }
    return null;
  }

  async function proveKey(
    devices: readonly MfaDevice[],
    answer: Assertion,
    challenge: string | null,
  ): Promise<MfaDevice | null> {
    const device = devices.find(({ credentialId }) => credentialId === answer.id);
    if (challenge === null || !device) return null;
    return advanced(
      device,
      await answeredCounter({ party: party(), answer, challenge, key: keyOf(device), usage: 'mfa' }),
    );
  }

  function checkTakes(kind: MfaDevice['kind'], usage: Usage): void {
    const isTaken =
      usage === 'passwordless' ? settings.allowPasswordless && kind === 'webauthn' : takes(settings, kind);
    if (isTaken) return;
    const what =
      usage === 'passwordless' ? 'passwordless sign-in' : kind === 'totp' ? 'authenticator apps' : 'hardware keys';
    throw new Failure('bad_request', `this cluster does not take ${what}`);
  }
  const enrolment = (usage: Usage): string => `enrol_${usage}`;

  return {
    settings,
    takes: kind => takes(settings, kind),
    usable,
    provable,
    isAsked: devices => isRequired(settings) || (settings.secondFactor === 'optional' && devices.length > 0),

    async challenge(userId, purpose, scope = '') {
      const devices = await askedFor(purpose)(userId);
      const keys = keyIdsOf(devices);
      const totp_challenge = devices.some(({ kind }) => kind === 'totp');
      // Keys that were registered under a name are of no use at an address.
      const takesKey = keys.length > 0 && webauthnProblem(settings.publicUrl) === null;
      if (takesKey || totp_challenge) await note('T1015I', userId);
      if (!takesKey) return { webauthn_challenge: null, totp_challenge };
      const publicKey = await requestOptions(party(), keys);
      await keep(publicKey.challenge, userId, purpose, scope);
      return { webauthn_challenge: { publicKey }, totp_challenge };
    },

    async sessionChallenge(userId, challenge) {
      const kept = await challenges.get(digest(challenge));
      if (kept?.userId !== userId || kept.purpose !== 'session' || kept.expires <= clock()) return null;
      const publicKey = { ...(await requestOptions(party(), keyIdsOf(await usable(userId)))), challenge };
      const { title } = JSON.parse(kept.scope) as SessionScope;
      return { title, challenge: { webauthn_challenge: { publicKey }, totp_challenge: false } };
    },

    async prove(userId, { code, assertion }, purpose, scope = '') {
      const devices = await askedFor(purpose)(userId);
      const device = assertion
        ? await proveKey(devices, assertion, await taken(assertion.response.clientDataJSON, userId, purpose, scope))
        : code
          ? await proveCode(devices, code)
          : null;
      // Where failures are counted, the lock-out writes them down.
      if (device !== null || purpose === 'session')
        await note(device === null ? 'T1016W' : 'T1016I', userId, device ?? undefined);
      return device;
    },

    async passwordlessChallenge() {
      if (!settings.allowPasswordless) throw new Failure('denied', 'this cluster does not take passwordless sign-in');
      const publicKey = await requestOptions(party(), null);
      await keep(publicKey.challenge, '', 'passwordless', '');
      return { webauthn_challenge: { publicKey }, totp_challenge: false };
    },

    async provePasswordless(answer) {
      const challenge = await taken(answer.response.clientDataJSON, '', 'passwordless', '');
      if (challenge === null || !settings.allowPasswordless) return null;
      const device = await mfaDevices.byCredential(answer.id);
      if (!device?.isPasswordless || ownerOf(answer.response.userHandle ?? '') !== device.userId) return null;
      const given = { party: party(), answer, challenge, key: keyOf(device), usage: 'passwordless' } as const;
      const proved = await advanced(device, await answeredCounter(given));
      if (proved !== null) await note('T1016I', proved.userId, proved);
      return proved;
    },

    async registerTotp(owner, token) {
      checkTakes('totp', 'mfa');
      const secret = totpSecret(token);
      return { secret, qrCode: await totpQrCode(secret, `${owner.name}@${parts.clusterName}`) };
    },

    async registerWebauthn(owner, token, usage) {
      checkTakes('webauthn', usage);
      const known = keyIdsOf(await mfaDevices.list(owner.id));
      const publicKey = await creationOptionsFor({ party: party(), user: owner, usage, known });
      await keep(publicKey.challenge, owner.id, enrolment(usage), digest(token));
      return { publicKey };
    },

    async checkNew(owner, token, { name: given, usage, code, creation }) {
      const name = given.trim();
      if (name === '')
        throw new Failure('bad_request', 'Device name is required', { deviceName: 'Device name is required' });
      const now = clock();
      const made = { id: randomUUID(), userId: owner.id, name, added: now, lastUsed: now };
      if (creation) {
        checkTakes('webauthn', usage);
        const client = creation.response.clientDataJSON;
        const challenge = await taken(client, owner.id, enrolment(usage), digest(token));
        const key =
          challenge === null ? null : await createdKey({ party: party(), answer: creation, challenge, usage });
        if (key === null) throw new Failure('denied', 'the hardware key was not accepted; please try again');
        const { credentialId, publicKey: secret, counter: progress } = key;
        return { ...made, kind: 'webauthn', secret, credentialId, isPasswordless: usage === 'passwordless', progress };
      }
      checkTakes('totp', usage);
      const secret = totpSecret(token);
      const step = await totpStep(secret, code ?? '', -1, now);
      if (step === null) {
        const wrong = 'the code is wrong; check the clock of the device that shows it';
        throw new Failure('bad_request', wrong, { second_factor_token: wrong });
      }
      const sealed = await secretBox.seal(secret, place(made));
      return { ...made, kind: 'totp', secret: sealed, credentialId: null, isPasswordless: false, progress: step };
    },
  };
}
