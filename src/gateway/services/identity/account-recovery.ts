// A lost password or a lost device: what a recovery code gives, and what must be shown beside it.
import { Failure } from '../../../contract/failure.ts';
import type { Assertion, Challenge, Creation } from '../../../contract/mfa.ts';
import { RECOVERY_MS } from '../../../contract/recovery.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type {
  MfaDevice,
  MfaDevices,
  OneTimeToken,
  OneTimeTokens,
  Passwords,
  UserRecord,
  Users,
} from '../../store/store.ts';
import { digest, newSecret } from '../secrets.ts';
import { BAD_TOKEN } from './credentials.ts';
import { addDevice, removeDevice } from './factors/audited.ts';
import type { Factors } from './factors/factors.ts';
import { type CameFrom, fieldsOf, type LockOut } from './lock-out.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { checkNewPassword, decodePassword } from './passwords.ts';
import type { GivenCodes, Recovery } from './recovery.ts';
import type { SignIn } from './sign-in.ts';
import type { Sessions, SignedIn } from './web-sessions.ts';

export interface AccountRecoveryParts {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly mfaDevices: MfaDevices;
  readonly oneTimeTokens: OneTimeTokens;
  readonly hasher: PasswordHasher;
  readonly factors: Factors;
  readonly lockOut: LockOut;
  readonly recovery: Recovery;
  readonly signIn: Pick<SignIn, 'checkLocal' | 'isLocal' | 'isPassword' | 'enterIfAllowed'>;
  readonly sessions: Pick<Sessions, 'endOf'>;
  readonly audit: AuditLog;
  readonly leastCharacters: number;
  readonly clock: () => Date;
}
/** What somebody shows and sets with a recovery token; password is base64. */
interface GivenRecovery {
  readonly token: string;
  readonly password: string | null;
  readonly code?: string | null | undefined;
  readonly assertion?: Assertion | null | undefined;
  readonly deviceName?: string | null | undefined;
  readonly creation?: Creation | null | undefined;
}

export interface AccountRecovery {
  /** Uses a code up. Throws Failure denied, the same for whatever was wrong; unsupported, bad_request where nothing can be recovered. */
  begin(
    given: { readonly user: string; readonly code: string; readonly lost: 'password' | 'device' },
    from: CameFrom,
  ): Promise<{ readonly tokenId: string; readonly expires: Date }>;
  /** What whoever lost their password is asked. Throws Failure denied "bad or expired token". */
  challenge(token: string): Promise<Challenge>;
  /** Whom a token for a new device is for; null when it is none. */
  registers(token: OneTimeToken): Promise<UserRecord | null>;
  /** Throws Failure bad_request, denied. `signedIn` is null where no browser may sign in. */
  complete(
    given: GivenRecovery,
    from: CameFrom,
  ): Promise<{ readonly signedIn: SignedIn | null; readonly codes: GivenCodes | null }>;
}

export function createAccountRecovery(parts: AccountRecoveryParts): AccountRecovery {
  const { users, passwords, mfaDevices, oneTimeTokens, factors, lockOut, signIn, audit, clock } = parts;

  async function ownerOf(token: OneTimeToken | null, kinds: readonly OneTimeToken['kind'][]): Promise<UserRecord> {
    const counts = token !== null && kinds.includes(token.kind) && token.expires > clock();
    const user = counts ? await users.byId(token.userId) : null;
    if (user === null) throw new Failure('denied', BAD_TOKEN);
    return user;
  }
  const read = (token: string) => oneTimeTokens.get(digest(token));

  /** The device that was shown, for a new password; null where the person has none. */
  async function newPassword(user: UserRecord, given: GivenRecovery, from: CameFrom): Promise<MfaDevice | null> {
    const next = decodePassword(given.password ?? '', 'password');
    checkNewPassword(next, parts.leastCharacters, 'password');
    const isAsked = (await factors.usable(user.id)).length > 0;
    const prove = () => factors.prove(user.id, given, 'recovery', digest(given.token));
    const device = isAsked ? await lockOut.attempt(user.name, from, { prove, code: 'T1016W' }) : null;
    const hash = await parts.hasher.hash(next);
    await ownerOf(await oneTimeTokens.take(digest(given.token)), ['recovery_password']);
    await passwords.set(user.id, hash);
    await audit.emit({ code: 'T1005I', user: user.name });
    return device;
  }

  /** The new device in place of all others, for whoever knows the password; who has none gets a passkey. */
  async function newDevice(user: UserRecord, given: GivenRecovery, from: CameFrom): Promise<MfaDevice> {
    const { token, code, creation, deviceName } = given;
    const hasPassword = (await passwords.get(user.id)) !== null;
    if (hasPassword) {
      const password = decodePassword(given.password ?? '', 'password');
      await lockOut.attempt(user.name, from, {
        prove: async known => (await signIn.isPassword(known, password)) || null,
      });
    }
    const usage = hasPassword ? 'mfa' : 'passwordless';
    const device = await factors.checkNew(user, token, { name: deviceName ?? '', usage, code, creation });
    await ownerOf(await oneTimeTokens.take(digest(token)), ['recovery_device']);
    for (const lost of await mfaDevices.list(user.id)) await removeDevice(parts, user.name, lost);
    await addDevice(parts, user.name, device);
    return device;
  }

  return {
    async begin({ user: name, code, lost }, from) {
      if (!factors.settings.recoveryCodes) throw new Failure('unsupported', 'this cluster has no recovery codes');
      if (lost === 'device' && factors.settings.secondFactor === 'off' && !factors.settings.allowPasswordless)
        throw new Failure('bad_request', 'this cluster asks for no second factor', { lost: 'password' });
      await signIn.checkLocal(name, from);
      const user = await lockOut.attempt(name, from, {
        code: 'T1009W',
        prove: async known => {
          const local = signIn.isLocal(known) ? known : null;
          // Looked for also for nobody, so that both take the same time; and only looked for, so that a locked name loses none.
          return (await parts.recovery.has(local?.id ?? '', code)) ? local : null;
        },
      });
      if (!(await parts.recovery.take(user.id, code)))
        return lockOut.refuse(user.name, 'the code was used meanwhile', from, 'T1009W');
      const tokenId = newSecret();
      const expires = new Date(clock().getTime() + RECOVERY_MS);
      await oneTimeTokens.create({ id: digest(tokenId), kind: `recovery_${lost}`, userId: user.id, expires });
      await audit.emit({ code: 'T1009I', user: user.name, success: true, ...fieldsOf(from) });
      await audit.emit({ code: 'T6001I', name: user.name, user: user.name, expires: expires.toISOString() });
      return { tokenId, expires };
    },

    async challenge(token) {
      const { id } = await ownerOf(await read(token), ['recovery_password']);
      return factors.challenge(id, 'recovery', digest(token));
    },

    registers: async token => (token.kind === 'recovery_device' ? ownerOf(token, ['recovery_device']) : null),

    async complete(given, from) {
      const found = await read(given.token);
      const user = await ownerOf(found, ['recovery_password', 'recovery_device']);
      await signIn.checkLocal(user.name, from);
      const set = found?.kind === 'recovery_password' ? newPassword : newDevice;
      const device = await set(user, given, from);
      await oneTimeTokens.deleteOf(user.id);
      await parts.sessions.endOf(user.id);
      const codes = await parts.recovery.give(user);
      return { signedIn: await signIn.enterIfAllowed(user, device, from), codes };
    },
  };
}
