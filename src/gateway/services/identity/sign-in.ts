// Signing in: with a password, with a second factor beside it, or with a passkey alone.
import { Failure } from '../../../contract/failure.ts';
import type { Assertion, Challenge } from '../../../contract/mfa.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Rights } from '../../ports/rights.ts';
import type { MfaDevice, Passwords, Settings, UserRecord, Users } from '../../store/store.ts';
import { deviceFields } from './factors/audited.ts';
import type { Factors } from './factors/factors.ts';
import { isRequired } from './factors/rule.ts';
import { type CameFrom, fieldsOf, type LockOut } from './lock-out.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { readSignInSettings } from './sign-in-settings.ts';
import type { Sessions, SignedIn } from './web-sessions.ts';

const NO_DEVICE = 'this cluster asks for a second factor, and you have none: ask an administrator for a reset link';
const MORE_IS_ASKED = 'a second factor is asked for: an authenticator code, or a hardware key';

export interface SignInParts {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly settings: Settings;
  readonly hasher: PasswordHasher;
  readonly lockOut: LockOut;
  readonly factors: Factors;
  readonly sessions: Pick<Sessions, 'open'>;
  readonly rightsOf: (user: UserRecord) => Promise<Rights>;
  readonly audit: AuditLog;
}

interface GivenName {
  readonly user: string;
  readonly password: string;
}
interface Known {
  readonly user: UserRecord;
  readonly device: MfaDevice | null;
}

export interface SignIn {
  /**
   * Throws Failure denied: "invalid credentials", whatever was wrong, or for how long the name is locked; hardware_key where no browser may
   * sign in.
   */
  signIn(given: GivenName & { readonly code?: string | null | undefined }, from: CameFrom): Promise<SignedIn>;
  /** The first of two steps: with the right password, what else is asked. Nothing is asked where both fields say no. Throws Failure denied. */
  begin(given: GivenName, from: CameFrom): Promise<Challenge>;
  /** The second step with a hardware key. Without a name: by a passkey alone. Throws Failure denied, hardware_key. */
  finish(given: { readonly user: string; readonly assertion: Assertion }, from: CameFrom): Promise<SignedIn>;
  /** Throws Failure denied while the gateway's own ways in, passwords and passkeys, are turned off. Every way of its own asks here first. */
  checkLocal(name: string, from: CameFrom): Promise<void>;
  /** Whether a password is the user's; nobody's, and a bot's, never is. Takes the same time for all. */
  isPassword(user: UserRecord | null, password: string): Promise<boolean>;
  /** Opens a session for somebody who has proved who they are. Throws Failure hardware_key. */
  enter(user: UserRecord, device: MfaDevice | null, from: CameFrom, method?: string): Promise<SignedIn>;
  /** The same; null where a policy of private keys keeps browsers out. */
  enterIfAllowed(user: UserRecord, device: MfaDevice | null, from: CameFrom): Promise<SignedIn | null>;
  /** Whether somebody signs in with what the gateway itself keeps; nobody and bots do not. */
  isLocal(user: UserRecord | null): user is UserRecord;
}

/** What a lock or a policy of private keys says; both are told to whoever is kept out. */
export const isRefusal = (error: unknown): error is Failure =>
  error instanceof Failure && (error.code === 'denied' || error.code === 'hardware_key');

export function createSignIn(parts: SignInParts): SignIn {
  const { users, passwords, hasher, lockOut, factors, sessions, audit } = parts;

  const isLocal = (user: UserRecord | null): user is UserRecord => user?.authType === 'local' && !user.isBot;

  const isPassword: SignIn['isPassword'] = async (user, password) => {
    // Read also for nobody, so that both take the same time.
    const kept = await passwords.get(user?.id ?? '');
    return hasher.verify(isLocal(user) ? kept : null, password);
  };

  const checkLocal: SignIn['checkLocal'] = async (name, from) => {
    if ((await readSignInSettings(parts.settings)).local) return;
    const said = 'passwords are not accepted here: sign in with one of the other buttons';
    await lockOut.refuse(name, 'passwords are not accepted', from, undefined, said);
  };

  const enter: SignIn['enter'] = async (user, device, from, method = 'local') => {
    const signedIn = await sessions.open(user, from, device?.id).catch(async (error: unknown) => {
      if (isRefusal(error)) await lockOut.note(user.name, error.message, from);
      throw error;
    });
    await audit.emit({
      code: 'T1000I',
      user: user.name,
      method,
      success: true,
      ...(signedIn.rules?.length && { applied_login_rules: signedIn.rules }),
      ...(device && { mfa_device: deviceFields(device) }),
      ...fieldsOf(from),
    });
    return signedIn;
  };

  async function passwordless(answer: Assertion, from: CameFrom): Promise<SignedIn> {
    const device = await factors.provePasswordless(answer);
    const owner = device && (await users.byId(device.userId));
    // Nobody's key counts against nobody's name; of somebody's it is known whose, and a locked name is locked for its keys as well.
    if (!isLocal(owner)) return lockOut.refuse('', 'no passkey of this cluster', from);
    const user = await lockOut.attempt(owner.name, from, { prove: async () => owner });
    return enter(user, device, from);
  }

  return {
    checkLocal,
    isPassword,
    isLocal,
    enter,
    enterIfAllowed: (user, device, from) =>
      enter(user, device, from).catch((error: unknown) => {
        if (error instanceof Failure && error.code === 'hardware_key') return null;
        throw error;
      }),

    async signIn({ user: name, password, code }, from) {
      await checkLocal(name, from);
      const prove = async (user: UserRecord | null): Promise<Known | null> => {
        const isRight = await isPassword(user, password);
        const devices = await factors.usable(user?.id ?? '');
        if (!isRight || user === null) return null;
        if (!factors.isAsked(devices)) return { user, device: null };
        if (devices.length === 0) throw new Failure('denied', NO_DEVICE);
        if (!code) throw new Failure('denied', MORE_IS_ASKED);
        const device = await factors.prove(user.id, { code }, 'sign_in');
        return device && { user, device };
      };
      const { user, device } = await lockOut.attempt(name, from, { prove });
      return enter(user, device, from);
    },

    async begin({ user: typed, password }, from) {
      await checkLocal(typed, from);
      const prove = async (user: UserRecord | null): Promise<Challenge | null> => {
        const isRight = await isPassword(user, password);
        const devices = await factors.usable(user?.id ?? '');
        if (!isRight || user === null) return null;
        if (devices.length === 0 && isRequired(factors.settings)) throw new Failure('denied', NO_DEVICE);
        return factors.challenge(user.id, 'sign_in');
      };
      return lockOut.attempt(typed, from, { prove, isHalf: true });
    },

    async finish({ user: typed, assertion }, from) {
      await checkLocal(typed, from);
      if (typed === '') return passwordless(assertion, from);
      // Only whoever knew the password has a challenge to answer.
      const prove = async (user: UserRecord | null): Promise<Known | null> => {
        const device = isLocal(user) ? await factors.prove(user.id, { assertion }, 'sign_in') : null;
        return user && device && { user, device };
      };
      const { user, device } = await lockOut.attempt(typed, from, { prove });
      return enter(user, device, from);
    },
  };
}
