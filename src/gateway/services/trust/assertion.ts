// What a root says of one of its people, signed: who they are there, and that they have shown a second factor, for one leaf and for a minute.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { Failure } from '../../../contract/failure.ts';
import type { Who } from '../../ports/who.ts';
import { once, type SharedKeyParts, sharedKey } from '../shared-key.ts';

/** Header of every request that a root passes on. */
export const VISITOR_HEADER = 'postern-visitor';
/** Header of a request that a second factor was shown for. */
export const FACTOR_HEADER = 'postern-factor';
/** Longest that is taken, characters: the headers of a request have 64 KiB. */
const ASSERTION_MOST_CHARACTERS = 48 * 1024;

const SETTING = 'trust.identity_key';
const ALGORITHM = 'EdDSA';
const TYPE = 'postern-visitor+jwt';
const FACTOR_TYPE = 'postern-factor+jwt';
/** How long one counts, seconds; it is shown again for half of that. Clocks may be this far apart. */
const LIFE_SECONDS = 60;
const SHOWN_MS = 30_000;
const SKEW_SECONDS = 30;
/** People whose last assertion is kept. */
const KEPT_MOST = 1000;
/** Factors that are remembered as spent, of all roots: a few MB. */
const SPENT_MOST = 20_000;

const text = z.string().check(z.minLength(1), z.maxLength(255));
const texts = z.array(z.string().check(z.maxLength(1024))).check(z.maxLength(1000));
const claims = z.object({
  sub: text,
  /** Id of the user at the root. */
  uid: text,
  /** Id of their web session there. */
  sid: text,
  roles: texts,
  traits: z.record(z.string(), texts),
  /** When the user was made, and when the web session ends, ms of the epoch. */
  since: z.number(),
  until: z.number(),
  /** host:port that they come from. */
  addr: z.string().check(z.maxLength(255)),
  /** Name of the user who acts as them there; absent: they do themselves. */
  act: z.optional(text),
  exp: z.number(),
});
export type Assertion = z.output<typeof claims>;
const shownClaims = z.object({
  /** As in what is said of the person. */
  uid: text,
  sid: text,
  /** Each is good for one request. */
  jti: text,
  /** Id of the device at the root. */
  device: text,
  exp: z.number(),
});
/** A second factor that a root says one of its people has shown. */
type ShownFactor = Pick<z.output<typeof shownClaims>, 'uid' | 'sid' | 'device'>;

/** jose is loaded where there is somebody to speak of: most gateways have neither root nor leaf. */
const loadJose = once(() => import('jose'));

export interface Asserting {
  /** For one leaf. Throws Failure too_large for somebody with more traits than a request can carry. */
  assertion(who: Who, leaf: string): Promise<string>;
  /** That they have shown a second factor with this device, for one request to one leaf. */
  factor(who: Who, leaf: string, device: string): Promise<string>;
  /** PEM (SPKI): what leaves check assertions by. */
  publicKey(): Promise<string>;
}

/** The key is made at the first use; gateways that share a store have the same one. */
export function createAsserting(parts: SharedKeyParts, clusterName: string): Asserting {
  const made = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const pem = sharedKey(parts, SETTING, made);
  const key = once(async () => createPrivateKey(await pem()));
  const shown = new Map<string, { readonly said: string; readonly text: string; readonly until: number }>();
  async function sign(type: string, leaf: string, subject: string, payload: object): Promise<string> {
    const { SignJWT } = await loadJose();
    return new SignJWT({ ...payload })
      .setProtectedHeader({ alg: ALGORITHM, typ: type })
      .setIssuer(clusterName)
      .setAudience(leaf)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime(`${LIFE_SECONDS}s`)
      .sign(await key());
  }
  return {
    publicKey: async () =>
      createPublicKey(await key())
        .export({ type: 'spki', format: 'pem' })
        .toString(),
    async assertion(who, leaf) {
      const payload = {
        uid: who.userId,
        sid: who.webSessionId,
        roles: [...who.roles],
        traits: who.traits,
        since: who.since.getTime(),
        until: who.expires.getTime(),
        addr: who.remoteAddr.replace(/:\d+$/, ''),
        ...(who.impersonator !== undefined && { act: who.impersonator }),
      };
      const said = JSON.stringify([who.user, payload]);
      const id = `${leaf} ${who.webSessionId}`;
      const known = shown.get(id);
      const now = Date.now();
      if (known?.said === said && now < known.until) return known.text;
      const signed = await sign(TYPE, leaf, who.user, payload);
      if (signed.length > ASSERTION_MOST_CHARACTERS)
        throw new Failure('too_large', 'your roles and traits are too many to be told to a leaf cluster');
      shown.delete(id);
      shown.set(id, { said, text: signed, until: now + SHOWN_MS });
      const [oldest] = shown.keys();
      if (shown.size > KEPT_MOST && oldest !== undefined) shown.delete(oldest);
      return signed;
    },
    factor: ({ user, userId, webSessionId }, leaf, device) =>
      sign(FACTOR_TYPE, leaf, user, { uid: userId, sid: webSessionId, jti: randomUUID(), device }),
  };
}

interface Root {
  readonly name: string;
  readonly key: string;
}
export interface Checking {
  /** Null for what this root did not say, not of this cluster, or too long ago. */
  read(text: string, root: Root): Promise<Assertion | null>;
  /** The same; null also for what has been read before. */
  readFactor(text: string, root: Root): Promise<ShownFactor | null>;
}

/** Checks what roots say to this cluster. */
export function createChecking(clusterName: string): Checking {
  const keys = new Map<string, KeyObject>();
  const known = new Map<string, { readonly claims: Assertion; readonly until: number }>();
  /** Factors that counted, by root and `jti`, until they would count no more, ms of the epoch. */
  const spent = new Map<string, number>();
  /** What is said, once its signature and times hold. */
  async function verified(type: string, given: string, { name, key }: Root): Promise<unknown> {
    if (given.length > ASSERTION_MOST_CHARACTERS) return null;
    const { jwtVerify } = await loadJose();
    const publicKey = keys.get(key) ?? createPublicKey(key);
    if (keys.size > KEPT_MOST) keys.clear();
    keys.set(key, publicKey);
    const held = await jwtVerify(given, publicKey, {
      algorithms: [ALGORITHM],
      typ: type,
      issuer: name,
      audience: clusterName,
      requiredClaims: ['exp', 'iat'],
      maxTokenAge: LIFE_SECONDS,
      clockTolerance: SKEW_SECONDS,
    }).catch(() => null);
    return held?.payload ?? null;
  }
  return {
    async readFactor(given, root) {
      const read = z.safeParse(shownClaims, await verified(FACTOR_TYPE, given, root));
      if (!read.success) return null;
      const { exp, jti, ...shown } = read.data;
      const now = Date.now();
      for (const [id, until] of spent) if (until < now) spent.delete(id);
      const id = `${root.name} ${jti}`;
      // Whoever shows more than are remembered waits until those are over.
      if (spent.has(id) || spent.size >= SPENT_MOST) return null;
      spent.set(id, (exp + SKEW_SECONDS) * 1000);
      return shown;
    },
    async read(given, root) {
      const { name, key } = root;
      const id = `${name} ${key} ${given}`;
      const before = known.get(id);
      if (before && Date.now() < before.until) return before.claims;
      known.delete(id);
      const read = z.safeParse(claims, await verified(TYPE, given, root));
      if (!read.success) return null;
      const [oldest] = known.keys();
      if (known.size >= KEPT_MOST && oldest !== undefined) known.delete(oldest);
      known.set(id, { claims: read.data, until: read.data.exp * 1000 });
      return read.data;
    },
  };
}
