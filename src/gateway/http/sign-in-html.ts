// The sign-in form that stands in the page before any script: what the build drew, completed with what this gateway knows.
import type { WebConfig } from '../../contract/config.ts';
import {
  PLACEHOLDER_PROVIDER,
  placeholders,
  providerAddress,
  type SignInForm,
  signInForm,
} from '../../contract/sign-in-form.ts';

/** What the build drew, by form. */
export type PrerenderedForms = Readonly<Partial<Record<SignInForm, string>>>;

/** Undefined where the console has to draw it itself. */
export function completeSignIn(
  drawn: PrerenderedForms,
  { auth, proxyCluster }: WebConfig,
  query: unknown,
): string | undefined {
  const form = signInForm(auth);
  if (form === null) return undefined;
  const { redirect_uri: asked } = query as { readonly redirect_uri?: string | readonly string[] };
  const redirect = [asked ?? ''].flat().at(-1) ?? '';
  return drawn[form]
    ?.replaceAll(placeholders.cluster, () => escapeHtml(proxyCluster))
    .replace(PLACEHOLDER_PROVIDER, one =>
      auth.providers
        .map(provider =>
          one
            .replaceAll(placeholders.provider.url, () => escapeHtml(providerAddress(provider, redirect)))
            .replaceAll(placeholders.provider.displayName, () => escapeHtml(provider.displayName)),
        )
        .join(''),
    );
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
