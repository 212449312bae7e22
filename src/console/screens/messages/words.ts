// What the message pages say (specification section 2, "Message pages" and "Generic pages").
import { REFUSED_COOKIE } from '../../../contract/session.ts';
import type { FeatureId } from '../../../features/table.ts';

/** What went wrong, by the route that a failed sign-in ends on; the legacy route is an older name of the generic one. */
const failures: Readonly<Partial<Record<FeatureId, string>>> = {
  loginFailedCallback: 'The answer of your sign-in provider could not be read. The log of the gateway says why.',
  loginFailedAuth: 'Your sign-in provider knows you, but none of your groups there gives you a role here.',
};

export const failureText = (feature: FeatureId): string =>
  failures[feature] ?? 'Your sign-in did not succeed. The log of the gateway says why.';

/** What the gateway told this browser a moment ago of why nobody was signed in: a lock's own words. Null: nothing. */
export function refusalText(cookies: string): string | null {
  const told = new RegExp(`(?:^|; )${REFUSED_COOKIE}=([\\w-]+)`).exec(cookies)?.[1];
  if (told === undefined) return null;
  const bytes = Uint8Array.from(atob(told.replace(/-/g, '+').replace(/_/g, '/')), byte => byte.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

/** Names of connectors. Anyone can write a link: nothing longer or odder is repeated on a page of ours. */
const PROVIDER = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,62}$/u;

/** The provider is the one that the link names, if it does. */
export function authenticatedText(provider: string | undefined): string {
  const by = provider !== undefined && PROVIDER.test(provider) ? ` by ${provider}` : '';
  return `You have been authenticated${by}. This window can be closed now.`;
}
