// What the gateway keeps of a desktop beside what people write of it: passwords of its logins, encrypted, and the certificate that it showed
// first. All of it is of one address: whoever changes that gets none of it sent elsewhere.
import * as z from 'zod/mini';
import { Failure } from '../../../contract/failure.ts';
import type { DesktopSecrets, DesktopTarget } from '../../ports/desktops.ts';
import type { Settings } from '../../store/store.ts';

export interface KeptParts {
  readonly settings: Pick<Settings, 'get' | 'replace'>;
  readonly secrets: {
    seal(secret: string, place: string): Promise<string>;
    open(sealed: string, place: string): string;
  };
}
type Of = Pick<DesktopTarget, 'name' | 'address'>;
export interface KeptDesktops extends DesktopSecrets {
  /** '' forgets it. Throws Failure limited. */
  keepPassword(of: Of, login: string, password: string): Promise<void>;
  /** SHA-256 of the certificate that is trusted, hex; '' where none is yet. */
  certificate(of: Of): Promise<string>;
  /** Trusts another certificate in place of `before`. False: another one than that is trusted by now. */
  trust(of: Of, before: string, certificate: string): Promise<boolean>;
  /** Forgets all of it. */
  forget(name: string): Promise<void>;
}

const PASSWORDS_MOST = 100;
const kept = z.object({
  address: z.string(),
  certificate: z._default(z.string(), ''),
  /** Sealed, by login. */
  passwords: z._default(z.record(z.string(), z.string()), {}),
});
type Kept = z.infer<typeof kept>;

export function createKeptDesktops({ settings, secrets }: KeptParts): KeptDesktops {
  const setting = (name: string): string => `desktops.kept.${name}`;
  const place = ({ name, address }: Of, login: string): string => `desktop:${JSON.stringify([name, address, login])}`;
  async function read({ name, address }: Of): Promise<{ before: unknown; now: Kept }> {
    const before = await settings.get(setting(name));
    const found = z.safeParse(kept, before);
    const isOurs = found.success && found.data.address === address;
    return { before, now: isOurs ? found.data : { address, certificate: '', passwords: {} } };
  }
  /** Again where another gateway was quicker. */
  async function change(of: Of, to: (now: Kept) => Kept): Promise<Kept> {
    for (;;) {
      const { before, now } = await read(of);
      const next = to(now);
      if (await settings.replace(setting(of.name), before, next)) return next;
    }
  }
  return {
    async password(of, login) {
      const { passwords } = (await read(of)).now;
      const sealed = Object.hasOwn(passwords, login) ? passwords[login] : undefined;
      return sealed === undefined ? null : secrets.open(sealed, place(of, login));
    },
    async keepPassword(of, login, password) {
      const sealed = password === '' ? '' : await secrets.seal(password, place(of, login));
      await change(of, now => {
        const others = Object.entries(now.passwords).filter(([name]) => name !== login);
        if (sealed !== '' && others.length >= PASSWORDS_MOST)
          throw new Failure('limited', `at most ${PASSWORDS_MOST} passwords are kept of one desktop`);
        return { ...now, passwords: Object.fromEntries(sealed === '' ? others : [...others, [login, sealed]]) };
      });
    },
    pin: async (of, shown) =>
      (await change(of, now => (now.certificate === '' ? { ...now, certificate: shown } : now))).certificate,
    certificate: async of => (await read(of)).now.certificate,
    async trust(of, before, certificate) {
      const now = await change(of, found => (found.certificate === before ? { ...found, certificate } : found));
      return now.certificate === certificate;
    },
    async forget(name) {
      await change({ name, address: '' }, () => ({ address: '', certificate: '', passwords: {} }));
    },
  };
}
