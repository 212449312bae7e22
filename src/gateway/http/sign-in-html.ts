// The sign-in form that stands in the page before any script: what the build drew, completed with what this gateway knows.
import type { WebConfig } from '../../contract/config.ts';
import {
  lostThings,
  PLACEHOLDER_BRAND,
  PLACEHOLDER_PROVIDER,
  PRERENDERED_DEVICE_RECOVERY,
  PRERENDERED_RECOVERY,
  placeholders,
  providerAddress,
  providerBrand,
  type SignInForm,
  signInForm,
} from '../../contract/sign-in-form.ts';

/** What the build drew, by form. */
export type PrerenderedForms = Readonly<Partial<Record<SignInForm, string>>>;

/** Undefined where the console has to draw it itself. */
export function completeSignIn(drawn: PrerenderedForms, config: WebConfig, query: unknown): string | undefined {
  const { auth, proxyCluster } = config;
  const form = signInForm(auth);
  if (form === null) return undefined;
  const { redirect_uri: asked } = query as { readonly redirect_uri?: string | readonly string[] };
  const redirect = [asked ?? ''].flat().at(-1) ?? '';
  const lost = lostThings(config);
  return drawn[form]
    ?.replace(PRERENDERED_RECOVERY, links => (lost.length === 0 ? '' : links))
    .replace(PRERENDERED_DEVICE_RECOVERY, link => (lost.includes('device') ? link : ''))
    .replaceAll(placeholders.cluster, () => escapeHtml(proxyCluster))
    .replace(PLACEHOLDER_PROVIDER, one =>
      auth.providers
        .map(provider =>
          one
            .replace(PLACEHOLDER_BRAND, providerBrand(provider))
            .replaceAll(placeholders.provider.url, () => escapeHtml(providerAddress(provider, redirect)))
            .replaceAll(placeholders.provider.displayName, () => escapeHtml(provider.displayName)),
        )
        .join(''),
    );
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
