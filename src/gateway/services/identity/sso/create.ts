// Single sign-on over the three kinds of connectors.
import { createSso, type Sso, type SsoParts } from './sso.ts';

/** What speaks to providers takes some 15 MB: a gateway that has none does without. */
function onFirstUse<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** `publicUrl`: where providers send browsers back to, unless a connector says another address of the gateway. */
export const openSso = (parts: Omit<SsoParts, 'providers'> & { readonly publicUrl: string }): Sso =>
  createSso({
    ...parts,
    providers: {
      oidc: onFirstUse(async () => (await import('./oidc.ts')).createOidc(parts)),
      saml: onFirstUse(async () => (await import('./saml.ts')).createSaml(parts)),
      github: onFirstUse(async () => (await import('./github.ts')).createGitHub(parts)),
    },
  });
