// Trusted devices: what the cluster knows of them, and how a browser or a command line becomes one and proves that it is. There is no public
// wire for them; the shape of a device is that of the contract (API, section 8), with words in place of its numbers, as its YAML has them.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { devicePurposes } from './device-proof.ts';
import { deviceTrustModes } from './device-trust.ts';
import { parseDuration } from './duration.ts';
import { type Assertion, assertion, type Creation, creation } from './mfa.ts';
import { name, ok, time } from './shapes.ts';
import { visible } from './visible-text.ts';

export const osTypes = ['linux', 'macos', 'windows'] as const;
export type OsType = (typeof osTypes)[number];
export const osType = z.enum(osTypes, 'linux, macos or windows');
/** What the owner of the machine calls it, such as its serial number. */
export const assetTag = z
  .string()
  .check(z.minLength(1, 'not empty'), z.maxLength(128, 'at most 128 characters'), z.trim(), visible);

/** Life of an enrol token unless it says otherwise, and at most, ms. */
export const ENROLL_TOKEN_MS = 24 * 3_600_000;
const ENROLL_TOKEN_MOST_MS = 14 * 24 * 3_600_000;
export const enrollTokenTtl = z.string().check(
  z.refine(text => {
    const ms = parseDuration(text) ?? 0;
    return ms >= 60_000 && ms <= ENROLL_TOKEN_MOST_MS;
  }, 'a time such as 24h, from a minute to 14 days'),
);

/** Keys whose proof is a plain signature, by where they are kept: a browser's own store, a file of the command line. */
const signingPlaces = ['browser', 'command line'] as const;
/** What keeps a device's key. `webauthn`: the authenticator of the machine itself. */
export const keyPlaces = [...signingPlaces, 'webauthn'] as const;
export type KeyPlace = (typeof keyPlaces)[number];

export const trustedDevice = z.object({
  id: z.string(),
  os_type: osType,
  asset_tag: z.string(),
  enroll_status: z.enum(['not_enrolled', 'enrolled']),
  create_time: time,
  update_time: time,
  credential: z.optional(z.object({ id: z.string() })),
  /** Ours: whose it is; empty where nobody has enrolled it, or its owner was deleted. */
  owner: z.string(),
  /** Ours: when it was enrolled, and what keeps its key. */
  enroll_time: z.optional(time),
  key_in: z.optional(z.enum(keyPlaces)),
  /** Ours: it waits for whoever has its enrol token, until then. */
  token_expires: z.optional(time),
  /** Ours: what a lock on it says; absent: none holds it. */
  locked: z.optional(z.string()),
});
export type TrustedDevice = z.infer<typeof trustedDevice>;

/** Shown this once. */
const enrollToken = z.object({ token: z.string(), expires: time });
export type EnrollToken = z.infer<typeof enrollToken>;

const named = z.object({ name });
export const listTrustedDevices = call('GET', 'devices', {
  summary: 'Trusted devices, enrolled or not.',
  access: { resource: 'device', verb: 'list' },
  reply: z.array(trustedDevice),
});
export const createTrustedDevice = call('POST', 'devices', {
  summary: 'Register a device by its system and asset tag. Somebody enrolls it with a token that is made for it.',
  access: { resource: 'device', verb: 'create' },
  body: z.object({ os_type: osType, asset_tag: assetTag }),
  reply: trustedDevice,
});
export const updateTrustedDevice = call('PUT', 'devices/:name', {
  summary: 'Change the system or the asset tag of a device.',
  access: { resource: 'device', verb: 'update' },
  params: named,
  body: z.object({ os_type: z.optional(osType), asset_tag: z.optional(assetTag) }),
  reply: trustedDevice,
});
export const deleteTrustedDevice = call('DELETE', 'devices/:name', {
  summary: 'Remove a device: whoever is signed in from it is signed out, and what was begun with it ends.',
  access: { resource: 'device', verb: 'delete' },
  params: named,
  reply: ok,
});
export const createEnrollToken = call('POST', 'devices/:name/token', {
  summary: 'Make the token that enrolls a device, once. One that was made before counts no more.',
  access: { resource: 'device', verb: 'create_enroll_token' },
  params: named,
  body: z.object({ ttl: z._default(enrollTokenTtl, '24h') }),
  reply: enrollToken,
});

/** What a new key shows of itself, beside the token and the challenge. */
export type NewDeviceKey =
  | { readonly public_key: string; readonly key_in: (typeof signingPlaces)[number]; readonly signature: string }
  | { readonly creation: Creation };
/** What a key answers to a challenge. */
export type DeviceProof = { readonly signature: string } | { readonly assertion: Assertion };

/** What somebody's sign-in is about devices. */
const deviceTrust = z.object({
  mode: z.enum(deviceTrustModes),
  /** The device that this web session is of; null: it is of none. */
  device: z.nullable(trustedDevice),
  /** All that the person has enrolled. */
  own: z.array(trustedDevice),
});
export type DeviceTrust = z.infer<typeof deviceTrust>;
export const getDeviceTrust = call('GET', 'devicetrust', {
  summary: "What is asked of this person's device, whether this web session is of a trusted one, and which are theirs.",
  access: 'signedIn',
  isBeforeTrust: true,
  reply: deviceTrust,
});
export const createDeviceChallenge = call('POST', 'devicetrust/challenge', {
  summary: 'What a device is to sign: bound to the person, the web session and the purpose; once, within five minutes.',
  access: 'signedIn',
  isBeforeTrust: true,
  body: z.object({ purpose: z.enum(devicePurposes) }),
  reply: z.object({
    challenge: z.string(),
    cluster: z.string(),
    /** The domain that a key of WebAuthn is bound to; absent where browsers have none for this gateway's address. */
    rp_id: z.optional(z.string()),
  }),
});
const answered = { challenge: z.string().check(z.regex(/^[0-9a-f]{64}$/, '64 hex digits')) };
/** r and s, base64url. */
const signature = z.string().check(z.regex(/^[A-Za-z0-9_-]{86}$/, 'the 64 bytes of r and s, base64url'));
export const enrollDevice = call('POST', 'devicetrust/enroll', {
  summary:
    'Enroll what asks as the device that a token is for. The token is used up, and this web session is of the device.',
  access: 'signedIn',
  isBeforeTrust: true,
  body: z
    .object({
      token: z.string().check(z.minLength(1, 'not empty'), z.maxLength(256, 'at most 256 characters')),
      ...answered,
      /** SPKI of a P-256 key, base64url, where it is kept, and its signature. */
      public_key: z.optional(
        z.string().check(z.regex(/^[A-Za-z0-9_-]{100,200}$/, 'the SPKI of a P-256 key, base64url')),
      ),
      key_in: z._default(z.enum(signingPlaces), 'browser'),
      signature: z.optional(signature),
      /** In place of them: what the machine's authenticator answers, whose challenge is the text that others sign. */
      creation: z.optional(creation),
    })
    .check(
      z.refine(
        body => (body.creation === undefined) === (body.public_key !== undefined && body.signature !== undefined),
        'either public_key with its signature, or creation',
      ),
    ),
  reply: trustedDevice,
});
export const authenticateDevice = call('POST', 'devicetrust/authenticate', {
  summary: 'Prove with the key of a device of their own that this web session is of it.',
  access: 'signedIn',
  isBeforeTrust: true,
  body: z
    .object({
      device: name,
      ...answered,
      signature: z.optional(signature),
      /** In its place, where the key is one of WebAuthn: what the machine's authenticator answers. */
      assertion: z.optional(assertion),
    })
    .check(
      z.refine(
        body => (body.assertion === undefined) === (body.signature !== undefined),
        'either signature or assertion',
      ),
    ),
  reply: trustedDevice,
});
export const forgetOwnDevice = call('DELETE', 'devicetrust/devices/:name', {
  summary: "Give a device of one's own up: it is not enrolled any more, and what was begun with it ends.",
  access: 'signedIn',
  isBeforeTrust: true,
  params: named,
  reply: ok,
});
