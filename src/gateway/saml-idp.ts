// The SAML identity provider over what the rest of the gateway is made of: loaded at its first use.
import type { SamlIdp, SamlIdpParts } from './services/identity/saml-idp/provider.ts';
import { type SessionPolicy, serviceProviderDoor } from './services/sessions/policy/policy.ts';

/** The answer loads it once. */
export function openSamlIdp(
  parts: Omit<SamlIdpParts, 'permit'> & { readonly policy: Pick<SessionPolicy, 'permit'> },
): () => Promise<SamlIdp> {
  let made: Promise<SamlIdp> | undefined;
  const load = async (): Promise<SamlIdp> => {
    const { createSamlIdp, samlEvent } = await import('./services/identity/saml-idp/provider.ts');
    return createSamlIdp({
      ...parts,
      permit: wish =>
        parts.policy.permit(
          wish,
          serviceProviderDoor(wish, why => samlEvent(wish, why)),
        ),
    });
  };
  return () => {
    made ??= load();
    return made;
  };
}
