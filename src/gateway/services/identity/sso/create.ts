// Single sign-on over the three kinds of connectors.
import { createGitHub } from './github.ts';
import { createOidc } from './oidc.ts';
import { createSaml } from './saml.ts';
import { createSso, type Sso, type SsoParts } from './sso.ts';

/** `publicUrl`: where providers send browsers back to, unless a connector says another address of the gateway. */
export const openSso = (parts: Omit<SsoParts, 'providers'> & { readonly publicUrl: string }): Sso =>
  createSso({ ...parts, providers: { oidc: createOidc(parts), saml: createSaml(parts), github: createGitHub(parts) } });
