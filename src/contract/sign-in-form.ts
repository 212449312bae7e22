// What the sign-in form is made of, said once: the console draws it, the build draws it beforehand, the gateway completes what was drawn.
import type { WebConfig } from './config.ts';

type Auth = WebConfig['auth'];
export type Provider = Auth['providers'][number];

/** Which ways in the form shows, the first of them first. */
export const signInForms = ['password', 'passwordFirst', 'connectorsFirst', 'connectors'] as const;
export type SignInForm = (typeof signInForms)[number];

/** Null: nobody can sign in. */
export function signInForm({ localAuthEnabled, authType, providers }: Auth): SignInForm | null {
  if (providers.length === 0) return localAuthEnabled ? 'password' : null;
  if (!localAuthEnabled) return 'connectors';
  return authType === 'local' ? 'passwordFirst' : 'connectorsFirst';
}

/** Where the button of a connector leads; the gateway keeps `redirect` on its own origin. */
export const providerAddress = ({ name, url }: Provider, redirect: string): string =>
  url.replace(':providerName', encodeURIComponent(name)).replace(':redirect', encodeURIComponent(redirect));

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
/** Where the elements of one connector begin and end in what was drawn. */
export const PLACEHOLDER_PROVIDER = /<li>(?:(?!<\/li>).)*address-of-the-provider(?:(?!<\/li>).)*<\/li>/;
