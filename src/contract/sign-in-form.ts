// What the sign-in form is made of, said once: the console draws it, the build draws it beforehand, the gateway completes what was drawn.
import type { WebConfig } from './config.ts';

type Auth = WebConfig['auth'];
export type Provider = Auth['providers'][number];

/** A way to sign in that the form shows. */
export type SignInWay = 'passkey' | 'password' | 'connectors';

/** The ways there are, the primary one first (the specification, section 4); none: nobody can sign in. */
export function signInWays(auth: Auth): readonly SignInWay[] {
  const isPrimary: Readonly<Record<SignInWay, boolean>> = {
    passkey: auth.localConnectorName === 'passwordless',
    password: auth.localConnectorName !== 'passwordless' && auth.authType === 'local',
    connectors: auth.localConnectorName !== 'passwordless' && auth.authType !== 'local',
  };
  const ways: readonly (SignInWay | false)[] = [
    auth.localAuthEnabled && 'password',
    auth.providers.length > 0 && 'connectors',
    auth.localAuthEnabled && auth.allowPasswordless && 'passkey',
  ];
  return ways.filter(way => way !== false).toSorted((one, other) => Number(isPrimary[other]) - Number(isPrimary[one]));
}

/** The forms that work before any script: by the way they begin with, and whether there are others beside it. */
export const signInForms = ['password', 'passwordFirst', 'connectorsFirst', 'connectors'] as const;
export type SignInForm = (typeof signInForms)[number];

/** Null where a script has to draw it: a message comes first, or a passkey does, or nobody can sign in here. */
export function signInForm(auth: Auth): SignInForm | null {
  // A passkey beside the others is added by the script that can ask for it.
  const [first, ...others] = signInWays(auth).filter((way, index) => way !== 'passkey' || index === 0);
  if (auth.motd !== '' || auth.privateKeyPolicy !== 'none') return null;
  if (first === 'password') return others.length > 0 ? 'passwordFirst' : 'password';
  if (first === 'connectors') return others.length > 0 ? 'connectorsFirst' : 'connectors';
  return null;
}

/** What a recovery code can replace here. */
export const lostThings = ({
  auth,
  recoveryCodesEnabled,
}: Pick<WebConfig, 'auth' | 'recoveryCodesEnabled'>): readonly ('password' | 'device')[] => {
  if (!recoveryCodesEnabled || !auth.localAuthEnabled) return [];
  return auth.second_factor === 'off' && !auth.allowPasswordless ? ['password'] : ['password', 'device'];
};

/** Where the button of a connector leads; the gateway keeps `redirect` on its own origin. */
export const providerAddress = ({ name, url }: Provider, redirect: string): string =>
  url.replace(':providerName', encodeURIComponent(name)).replace(':redirect', encodeURIComponent(redirect));

/** Whose colour the button of a connector bears, as far as its kind, name and title tell. */
export function providerBrand({ type, name, displayName }: Provider): string {
  const known = /github|google|microsoft|bitbucket/.exec(
    `${type} ${name} ${displayName}`.toLowerCase().replace('azure', 'microsoft'),
  );
  return known?.[0] ?? 'openid';
}

/** What the build draws in place of what only a gateway knows. */
export const placeholders = {
  cluster: 'name-of-the-cluster',
  provider: {
    name: 'name-of-the-provider',
    displayName: 'title-of-the-provider',
    type: 'oidc',
    url: 'address-of-the-provider',
  },
} as const satisfies { readonly cluster: string; readonly provider: Provider };
/** The links for whoever has lost something, of which the build draws all; and the one to a lost device. */
export const PRERENDERED_RECOVERY = /<p [^>]*data-recover=[^>]*>.*?<\/p>/;
export const PRERENDERED_DEVICE_RECOVERY = /<a href="\/web\/recover\/device">[^<]*<\/a>/;
/** Where the elements of one connector begin and end in what was drawn, and where its brand stands in them. */
export const PLACEHOLDER_PROVIDER = /<li data-brand[^>]*>(?:(?!<\/li>).)*address-of-the-provider(?:(?!<\/li>).)*<\/li>/;
export const PLACEHOLDER_BRAND = /(?<=data-brand=")[^"]*/;
