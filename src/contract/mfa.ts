// Second factors on the wire (specification, section 7): challenges, devices, recovery codes, privilege tokens.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { device } from './devices.ts';
import { sessionReply } from './session.ts';
import { clusterParams, name, ok, time } from './shapes.ts';
import { visible } from './visible-text.ts';

const text = (most: number) => z.string().check(z.maxLength(most));
/** Binary values of WebAuthn travel as base64url without padding. The longest are attestations. */
const binary = z.string().check(z.maxLength(65_536), z.regex(/^[A-Za-z0-9_-]*$/, 'base64url without padding'));
const credential = { id: binary, rawId: binary, type: z.literal('public-key') };

/** Why nothing begins before a hardware key was touched for it (require_session_mfa). */
export const FACTOR_MISSING = 'Your roles ask for a second factor for each session.';

/** What a hardware key answers to a challenge. */
export const assertion = z.object({
  ...credential,
  response: z.object({
    authenticatorData: binary,
    clientDataJSON: binary,
    signature: binary,
    userHandle: z.nullish(binary),
  }),
});
export type Assertion = z.infer<typeof assertion>;

/** What a new hardware key answers. */
export const creation = z.object({
  ...credential,
  response: z.object({ attestationObject: binary, clientDataJSON: binary }),
});
export type Creation = z.infer<typeof creation>;

/** EdDSA, ES256, RS256: what keys in the field have (COSE numbers). */
export const KEY_ALGORITHMS: readonly number[] = [-8, -7, -257];
/** Why hardware keys cannot be had at an origin, or null: browsers bind them to a domain name. */
export const webauthnProblem = (origin: string): string | null =>
  /^https?:\/\/(?:\[|(?:\d+\.){3}\d+(?::|$))/.test(origin)
    ? `hardware keys and passkeys are bound to a domain name, and ${origin} has none: start the gateway with --public-url https://NAME`
    : null;

/** Code of an authenticator app. */
export const code = text(64);
export const deviceName = z.string().check(z.minLength(1), z.maxLength(255), visible);

const credentialIds = z.array(z.object({ type: z.literal('public-key'), id: z.string() }));
const userVerification = z.enum(['required', 'preferred', 'discouraged']);
/** What can be asked of somebody: their keys, their authenticator app, or both. */
export const challenge = z.object({
  webauthn_challenge: z.nullable(
    z.object({
      publicKey: z.object({
        challenge: z.string(),
        timeout: z.number(),
        rpId: z.string(),
        allowCredentials: z.optional(credentialIds),
        userVerification: z.optional(userVerification),
      }),
    }),
  ),
  totp_challenge: z.boolean(),
});
export type Challenge = z.infer<typeof challenge>;
/** Whether there is anything to answer. */
export const isAsked = (asked: Challenge): boolean => asked.totp_challenge || asked.webauthn_challenge !== null;

export const creationOptions = z.object({
  publicKey: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
    authenticatorSelection: z.object({
      residentKey: z.enum(['discouraged', 'preferred', 'required']),
      requireResidentKey: z.boolean(),
      userVerification,
    }),
    excludeCredentials: credentialIds,
    attestation: z.literal('none'),
    timeout: z.number(),
  }),
});
export type CreationOptions = z.infer<typeof creationOptions>;

export const beginSignIn = call('POST', 'mfa/login/begin', {
  summary: 'Check name and password and say what else is asked, or begin a passwordless sign-in.',
  access: 'public',
  csrf: true,
  body: z.object({ passwordless: z.nullish(z.boolean()), user: z.nullish(text(255)), pass: z.nullish(text(1024)) }),
  reply: challenge,
});
export const finishSignIn = call('POST', 'mfa/login/finishsession', {
  summary: 'Sign in with the answer of a hardware key; without a user name where the key says whose it is.',
  access: 'public',
  csrf: true,
  body: z.object({ user: z.nullish(text(255)), webauthnAssertionResponse: assertion }),
  reply: sessionReply,
});

export const authenticateChallenge = call('POST', 'mfa/authenticatechallenge', {
  summary: 'What the signed-in person can be asked to prove that it is still them.',
  access: 'signedIn',
  reply: challenge,
});
export const passwordChallenge = call('POST', 'mfa/authenticatechallenge/password', {
  summary: 'What is asked of somebody who changes their password, which is checked first (base64).',
  access: 'signedIn',
  body: z.object({ pass: text(4096) }),
  reply: challenge,
});

/** Ours: a command line was asked for the key of a session, and has the browser ask for it (src/cli/person/session-key.ts). */
export const sessionKeyChallenge = call('POST', 'mfa/sessionkeychallenge', {
  summary:
    'The challenge of a session that a command line of the same person opens, for the browser that has the key. Refused when it is not theirs, was answered, or is for something else.',
  access: 'signedIn',
  body: z.object({
    challenge: binary,
    /** Where that command line listens, on a loopback address. */
    redirect_url: text(4096),
  }),
  reply: z.object({
    /** What is opened: `root@db-3`. */
    title: z.string(),
    challenge,
    /** Where the answer goes, as `assertion` in the query; nowhere else. */
    redirect_url: z.string(),
  }),
});

const tokenParams = z.object({ token: name });
export const registerChallenge = call('POST', 'mfa/token/:token/registerchallenge', {
  summary: 'What a new device needs: a QR code for an authenticator app, or options for a hardware key.',
  access: 'public',
  params: tokenParams,
  body: z.object({
    deviceType: z.enum(['totp', 'webauthn']),
    deviceUsage: z.nullish(z.enum(['mfa', 'passwordless'])),
  }),
  reply: z.object({
    totp: z.nullable(
      z.object({
        /** PNG, base64. */
        qrCode: z.string(),
        /** Ours: the same secret to type, base32. */
        secret: z.string(),
      }),
    ),
    webauthn: z.nullable(creationOptions),
  }),
});

export const listTokenDevices = call('GET', 'mfa/token/:token/devices', {
  summary: "Devices of a link's holder.",
  access: 'public',
  params: tokenParams,
  reply: z.array(device),
});
export const addDevice = call('POST', 'mfa/devices', {
  summary: 'Add a device, with the privilege token that its challenge was made for.',
  access: 'signedIn',
  body: z.object({
    tokenId: name,
    deviceName,
    secondFactorToken: z.nullish(code),
    webauthnRegisterResponse: z.nullish(creation),
    deviceUsage: z.nullish(z.enum(['mfa', 'passwordless'])),
  }),
  reply: ok,
});
export const removeDevice = call('DELETE', 'mfa/token/:token/devices/:name', {
  summary: 'Remove a device, with a privilege token. The last one only where nothing asks for it.',
  access: 'public',
  params: z.object({ token: name, name: deviceName }),
  reply: ok,
});

/** Life of a privilege token and of a challenge, milliseconds. */
export const PRIVILEGE_MS = 5 * 60_000;
export const createPrivilegeToken = call('POST', 'users/privilege/token', {
  summary: 'Prove again who one is; the token lasts five minutes. Nothing is asked of somebody who has no device.',
  access: 'signedIn',
  body: z.object({ secondFactorToken: z.nullish(code), webauthnAssertionResponse: z.nullish(assertion) }),
  reply: z.string(),
});

/** Codes that replace a password or a device that was lost. */
export const recovery = z.object({ codes: z.optional(z.array(z.string())), created: z.optional(time) });
export const recoveryCodesLeft = call('GET', 'mfa/recoverycodes', {
  summary: "How many of one's recovery codes are left, and since when there are these.",
  access: 'signedIn',
  reply: z.object({ left: z.number(), created: z.optional(time) }),
});
export const renewRecoveryCodes = call('POST', 'mfa/recoverycodes', {
  summary: 'New recovery codes in place of the old, with a privilege token.',
  access: 'signedIn',
  body: z.object({ tokenId: name }),
  reply: recovery,
});

export const mfaRequired = call('POST', 'sites/:clusterId/mfa/required', {
  summary: 'Whether a session there asks for a second factor of its own.',
  access: 'signedIn',
  params: clusterParams,
  body: z.object({
    node: z.nullish(z.object({ node_name: text(255), login: text(255) })),
    database: z.nullish(
      z.object({
        service_name: text(255),
        protocol: z.nullish(text(255)),
        username: z.nullish(text(255)),
        database_name: z.nullish(text(255)),
      }),
    ),
    windows_desktop: z.nullish(z.object({ desktop_name: text(255), login: text(255) })),
    kube: z.nullish(z.object({ cluster_name: text(255) })),
  }),
  reply: z.object({ required: z.boolean() }),
});
