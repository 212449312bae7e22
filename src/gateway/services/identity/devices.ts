// A person's own devices and recovery codes: proving again who one is, and then adding, removing, renewing.

import type { Device } from '../../../contract/devices.ts';
import { Failure } from '../../../contract/failure.ts';
import { type Challenge, type CreationOptions, PRIVILEGE_MS } from '../../../contract/mfa.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Who } from '../../ports/who.ts';
import type { MfaDevice, MfaDevices, OneTimeTokens, Passwords, UserRecord, Users } from '../../store/store.ts';
import { digest, newSecret } from '../secrets.ts';
import type { Usage } from '../webauthn.ts';
import type { AccountRecovery } from './account-recovery.ts';
import { BAD_TOKEN, type Credentials } from './credentials.ts';
import { addDevice, removeDevice } from './factors/audited.ts';
import type { Factors, GivenDevice, GivenFactor } from './factors/factors.ts';
import { isRequired } from './factors/rule.ts';
import type { CameFrom, LockOut } from './lock-out.ts';
import type { GivenCodes, Recovery } from './recovery.ts';
import { createTurns } from './turns.ts';

/** Most devices of one person: more than anybody carries. */
const DEVICES_MOST = 20;

export interface DeviceParts {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly mfaDevices: MfaDevices;
  readonly oneTimeTokens: OneTimeTokens;
  readonly factors: Factors;
  readonly lockOut: LockOut;
  readonly recovery: Recovery;
  readonly credentials: Pick<Credentials, 'readToken'>;
  readonly accountRecovery: Pick<AccountRecovery, 'registers'>;
  readonly audit: AuditLog;
  readonly clock: () => Date;
}

export interface Devices {
  list(userId: string): Promise<Device[]>;
  /** Of whoever a link or privilege token is for. Throws Failure denied. */
  ofToken(token: string): Promise<Device[]>;
  /** What somebody signed in can be asked. */
  challenge(who: Who): Promise<Challenge>;
  /** The secret of a privilege token: five minutes, good for one change. Nothing is asked of whoever has no device. Throws Failure denied. */
  privilege(who: Who, given: GivenFactor, from: CameFrom): Promise<string>;
  registerTotp(token: string): Promise<{ readonly qrCode: string; readonly secret: string }>;
  registerWebauthn(token: string, usage: Usage): Promise<CreationOptions>;
  /** Throws Failure bad_request, denied, exists. */
  add(who: Who, token: string, given: GivenDevice): Promise<void>;
  /** Throws Failure not_found, denied, bad_request for one that is kept. */
  remove(token: string, name: string): Promise<void>;
  /** Throws Failure denied, unsupported where the cluster gives out none. */
  renewCodes(who: Who, token: string): Promise<GivenCodes>;
}

export function createDevices(parts: DeviceParts): Devices {
  const { users, passwords, mfaDevices, oneTimeTokens, factors, lockOut, recovery, audit, clock } = parts;
  const removals = createTurns();

  /** Whom a token is for that devices may be registered with. */
  async function holder(token: string): Promise<{ readonly id: string; readonly name: string }> {
    const found = await oneTimeTokens.get(digest(token));
    if (found?.kind === 'privilege') return privileged(found);
    const recovering = found && (await parts.accountRecovery.registers(found));
    if (recovering) return recovering;
    const { id, user: name } = await parts.credentials.readToken(token);
    return { id, name };
  }
  async function privileged(found: Awaited<ReturnType<OneTimeTokens['get']>>): Promise<UserRecord> {
    const user = found?.kind === 'privilege' && found.expires > clock() ? await users.byId(found.userId) : null;
    if (user === null) throw new Failure('denied', BAD_TOKEN);
    return user;
  }
  /** Looks at a privilege token; it is used up when everything that a person can mend is right. */
  const privilegeOf = async (token: string): Promise<UserRecord> => privileged(await oneTimeTokens.get(digest(token)));
  const spend = async (token: string): Promise<UserRecord> => privileged(await oneTimeTokens.take(digest(token)));

  /** Somebody's devices, and why one of them cannot be removed now. */
  async function owned(userId: string) {
    const [devices, usable, password] = await Promise.all([
      mfaDevices.list(userId),
      factors.usable(userId),
      passwords.get(userId),
    ]);
    const whyKept = (device: MfaDevice): string | undefined => {
      const isOther = ({ id }: MfaDevice): boolean => id !== device.id;
      if (isRequired(factors.settings) && !usable.some(isOther))
        return 'This cluster asks for a second factor, and this is your last device';
      const signsIn = devices.filter(({ isPasswordless }) => isPasswordless);
      return password === null && device.isPasswordless && !signsIn.some(isOther)
        ? 'You have no password, and this is the last device that signs you in without one'
        : undefined;
    };
    return { devices, whyKept };
  }
  const list: Devices['list'] = async userId => {
    const { devices, whyKept } = await owned(userId);
    return devices.map(device => ({ ...onWire(device), kept: whyKept(device) }));
  };

  return {
    list,
    ofToken: async token => list((await holder(token)).id),
    challenge: who => factors.challenge(who.userId, 'account'),

    async privilege(who, given, from) {
      if ((await factors.provable(who.userId)).length > 0)
        await lockOut.attempt(who.user, from, {
          prove: () => factors.prove(who.userId, given, 'account'),
          code: 'T1016W',
        });
      const token = newSecret();
      const expires = new Date(clock().getTime() + PRIVILEGE_MS);
      await oneTimeTokens.create({ id: digest(token), kind: 'privilege', userId: who.userId, expires });
      await audit.emit({ code: 'T6002I', name: who.user, user: who.user, expires: expires.toISOString() });
      return token;
    },

    registerTotp: async token => factors.registerTotp(await holder(token), token),
    registerWebauthn: async (token, usage) => factors.registerWebauthn(await holder(token), token, usage),

    async add(who, token, given) {
      const user = await privilegeOf(token);
      if (user.id !== who.userId) throw new Failure('denied', BAD_TOKEN);
      if ((await mfaDevices.list(user.id)).length >= DEVICES_MOST)
        throw new Failure('bad_request', `nobody can have more than ${DEVICES_MOST} devices`);
      const device = await factors.checkNew(user, token, given);
      await spend(token);
      await addDevice(parts, user.name, device);
    },

    async remove(token, name) {
      const user = await privilegeOf(token);
      // One after the other: of two last devices that go at the same moment, each would be kept for the other.
      await removals.take(user.id, async () => {
        const { devices, whyKept } = await owned(user.id);
        const device = devices.find(one => one.name === name);
        if (!device) throw new Failure('not_found', `you have no device "${name}"`);
        const why = whyKept(device);
        if (why !== undefined) throw new Failure('bad_request', why);
        await spend(token);
        await removeDevice(parts, user.name, device);
      });
    },

    async renewCodes(who, token) {
      const user = await privilegeOf(token);
      if (user.id !== who.userId) throw new Failure('denied', BAD_TOKEN);
      await spend(token);
      const codes = await recovery.give(user);
      if (codes === null) throw new Failure('unsupported', 'this cluster has no recovery codes');
      return codes;
    },
  };
}

const onWire = (device: MfaDevice): Device => ({
  id: device.id,
  name: device.name,
  type: device.kind === 'totp' ? 'TOTP' : 'WebAuthn',
  lastUsed: device.lastUsed.toISOString(),
  addedAt: device.added.toISOString(),
  passwordless: device.isPasswordless,
});
