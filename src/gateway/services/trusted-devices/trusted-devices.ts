// Trusted devices for every door: registering one, the token that enrolls it, and the proof by which a web session is of it.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Verb } from '../../../contract/acl.ts';
import { type DevicePurpose, deviceProofText } from '../../../contract/device-proof.ts';
import { type DeviceTrustMode, strictestTrust } from '../../../contract/device-trust.ts';
import { parseDuration } from '../../../contract/duration.ts';
import { Failure } from '../../../contract/failure.ts';
import { webauthnProblem } from '../../../contract/mfa.ts';
import {
  type DeviceProof,
  type DeviceTrust,
  ENROLL_TOKEN_MS,
  type EnrollToken,
  type NewDeviceKey,
  type OsType,
  type TrustedDevice,
} from '../../../contract/trusted-devices.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Actor, Barring, DeviceFacts, Who } from '../../ports/who.ts';
import type { Challenges, NewResource, Resource, Resources, Users, WebSessions } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { digest, newSecret, sameSecret } from '../secrets.ts';
import { answeredCounter, createdKey, type RelyingParty, relyingPartyOf } from '../webauthn.ts';
import { isSignedBy, readDeviceKey } from './proof.ts';
import {
  type DeviceSpec,
  type Enrolled,
  factsOf,
  newDevice,
  readDevice,
  type StoredDevice,
  shownDevice,
} from './stored.ts';

/** How long a challenge waits for its answer, ms. */
const CHALLENGE_MS = 5 * 60_000;
const SECRET_BYTES = 32;
/** Devices that one person may have, and that the cluster keeps. */
const OWN_MOST = 50;
const DEVICES_MOST = 10_000;

const UNPROVEN = 'access denied: the proof of the device was not accepted; please try again';
const NO_TOKEN = 'this enrol token is not known here: it was mistyped, has ended, or was used';

export interface TrustedDeviceParts {
  readonly resources: Pick<Resources, 'get' | 'list' | 'create' | 'put' | 'delete'>;
  readonly users: Pick<Users, 'byId'>;
  readonly webSessions: Pick<WebSessions, 'trust' | 'distrust' | 'deleteOfDevice'>;
  readonly challenges: Pick<Challenges, 'create' | 'take'>;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  readonly barring: Barring;
  readonly clusterName: string;
  /** Address that people type: keys of WebAuthn are bound to its domain. */
  readonly publicUrl: string;
  /** What the whole cluster asks for. */
  readonly mode: DeviceTrustMode;
  readonly clock?: () => Date;
}
interface Wanted {
  readonly os_type?: OsType | undefined;
  readonly asset_tag?: string | undefined;
}
export interface TrustedDevices {
  /** By asset tag. Throws Failure denied. */
  list(by: Actor): Promise<readonly TrustedDevice[]>;
  /** Throws Failure denied, exists, limited. */
  add(wanted: Required<Wanted>, by: Actor): Promise<TrustedDevice>;
  /** Throws Failure denied, not_found, exists. */
  change(id: string, wanted: Wanted, by: Actor): Promise<TrustedDevice>;
  /** Throws Failure denied, not_found. */
  remove(id: string, by: Actor): Promise<void>;
  /** The text is answered this once. Throws Failure denied, not_found. */
  token(id: string, ttl: string, by: Actor): Promise<EnrollToken>;
  of(who: Who): Promise<DeviceTrust>;
  /** `rp_id`: where browsers bind keys of WebAuthn to this gateway's domain. */
  challenge(who: Who, purpose: DevicePurpose): Promise<{ readonly challenge: string; readonly rp_id?: string }>;
  /** Throws Failure denied, bad_request, exists, limited, unsupported. */
  enroll(
    who: Who,
    given: { readonly token: string; readonly challenge: string; readonly key: NewDeviceKey },
  ): Promise<TrustedDevice>;
  /** Throws Failure denied, unsupported. */
  authenticate(
    who: Who,
    given: { readonly device: string; readonly challenge: string; readonly proof: DeviceProof },
  ): Promise<TrustedDevice>;
  /** Throws Failure not_found for one that is not theirs. */
  forget(who: Who, id: string): Promise<void>;
  /** Tells the bus and the audit log, and ends the web sessions of one that is gone, also for what YAML files change. */
  note(change: 'created' | 'updated' | 'removed', device: NewResource, by: string): Promise<void>;
}

export function createTrustedDevices(parts: TrustedDeviceParts): TrustedDevices {
  const { resources, users, webSessions, challenges, audit, changes, barring, clusterName } = parts;
  const clock = parts.clock ?? (() => new Date());

  const event = (code: string, user: string, device: DeviceFacts | null, success = true): Promise<void> =>
    audit.emit({
      code,
      user,
      ...(device && {
        device: {
          device_id: device.id,
          os_type: device.osType,
          asset_tag: device.assetTag,
          ...(device.credentialId !== '' && { credential_id: device.credentialId }),
        },
      }),
      status: { success },
      success,
    });
  /** `row` is new, and has no times yet. */
  const factsOfRow = (row: NewResource): DeviceFacts | null => {
    const now = clock();
    const kept = readDevice({ ...row, revision: 0, created: now, updated: now });
    return kept && factsOf(kept);
  };
  const note: TrustedDevices['note'] = async (change, row, by) => {
    if (change === 'removed') {
      await webSessions.deleteOfDevice(row.name);
      changes.emit({ kind: 'webSessionsEnded' });
    }
    changes.emit({ kind: 'deviceChanged', device: row.name });
    await event(change === 'created' ? 'TV001I' : change === 'updated' ? 'TV007I' : 'TV002I', by, factsOfRow(row));
  };

  async function kept(id: string): Promise<StoredDevice> {
    const row = await resources.get('device', id);
    const found = row && readDevice(row);
    if (!found) throw new Failure('not_found', `there is no trusted device "${id}"`);
    return found;
  }
  const all = async (): Promise<readonly StoredDevice[]> =>
    (await allOf(resources, 'device', { sort: 'title' })).flatMap(row => readDevice(row) ?? []);

  async function shown(those: readonly StoredDevice[]): Promise<readonly TrustedDevice[]> {
    const owners = new Map<string, string>();
    for (const id of new Set(those.flatMap(({ spec }) => spec.enrolled?.userId ?? [])))
      owners.set(id, (await users.byId(id))?.name ?? '');
    const now = clock();
    return Promise.all(
      those.map(async one => {
        const locked = await barring({ user: '', roles: [], device: one.row.name }, null);
        return shownDevice(one, owners.get(one.spec.enrolled?.userId ?? '') ?? '', locked, now);
      }),
    );
  }
  const shownOne = async (one: StoredDevice): Promise<TrustedDevice> => {
    const [device] = await shown([one]);
    if (!device) throw new Error('a device was not kept');
    return device;
  };
  const read = (row: Resource): StoredDevice => {
    const found = readDevice(row);
    if (!found) throw new Error(`device ${row.name} was not kept`);
    return found;
  };

  /** Throws Failure exists: people tell devices apart by their asset tags. */
  async function checkTag(tag: string, but = ''): Promise<void> {
    const others = await all();
    if (others.some(({ row }) => row.title === tag && row.name !== but))
      throw new Failure('exists', `there is a trusted device with the asset tag "${tag}" already`, {
        asset_tag: 'taken already',
      });
    if (but === '' && others.length >= DEVICES_MOST)
      throw new Failure('limited', `this cluster has ${DEVICES_MOST} trusted devices, which is the most it keeps`);
  }
  /** Throws Failure changed where somebody else was quicker. */
  const write = async ({ row }: StoredDevice, changed: Partial<NewResource>): Promise<StoredDevice> => {
    const { revision, created: _created, updated: _updated, ...rest } = row;
    return read(await resources.put({ ...rest, ...changed }, revision));
  };

  const modeOf = ({ rights }: Pick<Who, 'rights'>): DeviceTrustMode =>
    strictestTrust([parts.mode, rights.options.deviceTrust]);

  const purposeOf = (purpose: DevicePurpose): string => `device_${purpose}`;
  /** Deleted before anything of the answer is checked, so that no proof counts twice. Null: it was another's, for something else, or is over. */
  async function taken(who: Who, purpose: DevicePurpose, challenge: string): Promise<string | null> {
    const found = await challenges.take(digest(challenge));
    const fits =
      found?.userId === who.userId &&
      found.purpose === purposeOf(purpose) &&
      found.scope === who.webSessionId &&
      found.expires > clock();
    return fits ? deviceProofText({ purpose, cluster: clusterName, challenge }) : null;
  }
  const party = (): RelyingParty => relyingPartyOf(parts.publicUrl);
  /** What an authenticator is to answer in place of signing the text: the browser puts what it is for, and the page's origin, beside it. */
  const asWebauthn = (text: string): string => Buffer.from(text).toString('base64url');
  /** What is kept of a new key; null when what it shows does not hold. Throws Failure bad_request, unsupported. */
  async function newKeyOf(text: string, key: NewDeviceKey): Promise<Omit<Enrolled, 'userId' | 'at'> | null> {
    if ('creation' in key) {
      const answer = { answer: key.creation, challenge: asWebauthn(text), usage: 'mfa' } as const;
      const made = await createdKey({ party: party(), ...answer });
      if (made === null) return null;
      const { isSynced, ...stored } = made;
      if (isSynced)
        throw new Failure('bad_request', 'this key is copied to other machines: a trusted device has one that stays');
      return { ...stored, keyIn: 'webauthn' };
    }
    const read = readDeviceKey(key.public_key);
    return isSignedBy(read.publicKey, text, key.signature) ? { ...read, keyIn: key.key_in } : null;
  }
  /** What is kept of a key after its proof; null when that does not hold. Throws Failure unsupported. */
  async function provenKey(enrolled: Enrolled, text: string, proof: DeviceProof): Promise<Enrolled | null> {
    const { credentialId, publicKey, keyIn, counter = 0 } = enrolled;
    if (!('assertion' in proof))
      return keyIn !== 'webauthn' && isSignedBy(publicKey, text, proof.signature) ? enrolled : null;
    if (keyIn !== 'webauthn' || proof.assertion.id !== credentialId) return null;
    const key = { credentialId, publicKey, counter };
    const answer = { answer: proof.assertion, challenge: asWebauthn(text), key, usage: 'mfa' } as const;
    const next = await answeredCounter({ party: party(), ...answer });
    return next === null ? null : { ...enrolled, counter: next };
  }
  async function refuseProof(code: string, who: Who, device: DeviceFacts | null): Promise<never> {
    await event(code, who.user, device, false);
    throw new Failure('denied', UNPROVEN);
  }
  async function trust(who: Who, device: string): Promise<void> {
    if (!(await webSessions.trust(who.webSessionId, device))) throw new Failure('signed_out');
    changes.emit({ kind: 'deviceChanged', device });
  }
  /** Whoever is signed in from a device that is not enrolled any more stays so, from no trusted device. */
  async function letGo(id: string): Promise<void> {
    await webSessions.distrust(id);
    changes.emit({ kind: 'deviceChanged', device: id });
  }

  /** The device of a token. Also takes as long for one that there is none of. */
  async function ofToken(text: string): Promise<StoredDevice | null> {
    const dot = text.indexOf('.');
    const row = await resources.get('device', text.slice(0, Math.max(dot, 0)).slice(0, 255) || '-');
    const found = row && readDevice(row);
    const token = found?.spec.token;
    const fits = sameSecret(token?.hash ?? '', digest(text.slice(dot + 1)));
    return found && token && fits && Date.parse(token.expires) > clock().getTime() ? found : null;
  }

  return {
    note,
    async list(by) {
      allow(by, 'list');
      return shown(await all());
    },
    async add({ os_type, asset_tag }, by) {
      allow(by, 'create');
      const tag = asset_tag ?? '';
      await checkTag(tag);
      const row = await resources.create(newDevice(randomUUID(), os_type ?? 'linux', tag));
      await note('created', row, by.user);
      return shownOne(read(row));
    },
    async change(id, { os_type, asset_tag }, by) {
      allow(by, 'update');
      const before = await kept(id);
      if (asset_tag !== undefined) await checkTag(asset_tag, id);
      const after = await write(before, {
        ...(os_type !== undefined && { subtype: os_type }),
        ...(asset_tag !== undefined && { title: asset_tag }),
      });
      await note('updated', after.row, by.user);
      return shownOne(after);
    },
    async remove(id, by) {
      allow(by, 'delete');
      const { row } = await kept(id);
      if (!(await resources.delete('device', id))) throw new Failure('not_found', `there is no trusted device "${id}"`);
      await note('removed', row, by.user);
    },
    async token(id, ttl, by) {
      allow(by, 'create_enroll_token');
      const before = await kept(id);
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      const expires = new Date(clock().getTime() + (parseDuration(ttl) ?? ENROLL_TOKEN_MS)).toISOString();
      const after = await write(before, { spec: { ...before.spec, token: { hash: digest(secret), expires } } });
      await event('TV003I', by.user, factsOf(after));
      return { token: `${id}.${secret}`, expires };
    },

    async of(who) {
      const own = (await all()).filter(({ spec }) => spec.enrolled?.userId === who.userId);
      const devices = await shown(own);
      return {
        mode: modeOf(who),
        device: devices.find(({ id }) => id === who.trustedDevice?.id) ?? null,
        own: [...devices],
      };
    },
    async challenge(who, purpose) {
      const challenge = newSecret();
      const now = clock();
      const expires = new Date(now.getTime() + CHALLENGE_MS);
      const scope = who.webSessionId;
      await challenges.create(
        { id: digest(challenge), userId: who.userId, purpose: purposeOf(purpose), scope, expires },
        now,
      );
      return { challenge, ...(webauthnProblem(parts.publicUrl) === null && { rp_id: party().id }) };
    },

    async enroll(who, { token, challenge, key: shownKey }) {
      const text = await taken(who, 'enroll', challenge);
      const device = await ofToken(token);
      const facts = device && factsOf(device);
      if (text === null) return refuseProof('TV005I', who, facts);
      if (!device) {
        await event('TV004I', who.user, null, false);
        throw new Failure('denied', NO_TOKEN);
      }
      const key = await newKeyOf(text, shownKey);
      if (key === null) return refuseProof('TV005I', who, facts);
      const others = await all();
      if (others.some(({ spec }) => spec.enrolled?.credentialId === key.credentialId))
        throw new Failure('exists', 'this key is enrolled already: a device has a key of its own');
      if (others.filter(({ spec }) => spec.enrolled?.userId === who.userId).length >= OWN_MOST)
        throw new Failure('limited', `you have ${OWN_MOST} trusted devices, which is the most: forget one first`);
      const enrolled = { userId: who.userId, at: clock().toISOString(), ...key };
      const spec: DeviceSpec = { enrolled };
      const after = await write(device, { spec }).catch(async (error: unknown) => {
        // Somebody used the token in between, or made another.
        if (!(error instanceof Failure && error.code === 'changed')) throw error;
        await event('TV004I', who.user, facts, false);
        throw new Failure('denied', NO_TOKEN);
      });
      // Whatever was begun with the key that it had before is over.
      if (device.spec.enrolled) await webSessions.deleteOfDevice(device.row.name);
      await event('TV004I', who.user, factsOf(after));
      await event('TV005I', who.user, factsOf(after));
      if (modeOf(who) !== 'off') await trust(who, after.row.name);
      return shownOne(after);
    },

    async authenticate(who, { device: id, challenge, proof }) {
      const text = await taken(who, 'authenticate', challenge);
      const row = await resources.get('device', id);
      const found = row && readDevice(row);
      const enrolled = found?.spec.enrolled;
      // Of somebody else's device is said what is said of none.
      if (!found || enrolled?.userId !== who.userId) return refuseProof('TV006I', who, null);
      const facts = factsOf(found);
      const proven = text === null ? null : await provenKey(enrolled, text, proof);
      if (proven === null) return refuseProof('TV006I', who, facts);
      if (modeOf(who) === 'off') throw new Failure('denied', 'this cluster does not ask for trusted devices');
      const locked = await barring({ user: who.user, roles: who.roles, device: id }, who.rights.options.locking);
      if (locked !== null) {
        await event('TV006I', who.user, facts, false);
        throw new Failure('denied', locked);
      }
      if (proven.counter !== enrolled.counter)
        await write(found, { spec: { ...found.spec, enrolled: proven } }).catch((error: unknown) => {
          // It was used in between, or given up: of two that say the same count one is a copy.
          if (!(error instanceof Failure && error.code === 'changed')) throw error;
          return refuseProof('TV006I', who, facts);
        });
      await trust(who, id);
      await event('TV006I', who.user, facts);
      return shownOne(found);
    },

    async forget(who, id) {
      const row = await resources.get('device', id);
      const found = row && readDevice(row);
      if (!found || found.spec.enrolled?.userId !== who.userId)
        throw new Failure('not_found', `you have no trusted device "${id}"`);
      const { enrolled: _enrolled, ...spec } = found.spec;
      const after = await write(found, { spec });
      await letGo(id);
      await event('TV007I', who.user, factsOf(after));
    },
  };
}

function allow({ rights }: Actor, verb: Verb): void {
  if (rights !== null && !rights.may('device', verb))
    throw new Failure('denied', `access denied: no role gives you "${verb}" on "device"`);
}
