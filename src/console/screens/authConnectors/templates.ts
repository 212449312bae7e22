// What a new connector begins with: valid but for what only its owner knows.
import type { ConnectorKind } from '../../../contract/connectors.ts';

/** By kind; the first line of each says which. `origin`: where this gateway is, for the provider's own settings. */
export const templates: Readonly<Record<ConnectorKind, (origin: string) => string>> = {
  oidc: origin => `kind: oidc
version: v3
metadata:
  name: corp
spec:
  display: Our company
  # Any provider of OpenID Connect: what stands before /.well-known/openid-configuration.
  issuer_url: https://login.example.com
  client_id: postern
  client_secret: ''
  # Tell the provider to send people back to this address.
  redirect_url: ${origin}/v1/webapi/oidc/callback
  scope: [email, profile, groups]
  claims_to_roles:
    - claim: groups
      value: developers
      roles: [access]
`,
  saml: origin => `kind: saml
version: v2
metadata:
  name: idp
spec:
  display: Our company
  entity_descriptor_url: https://idp.example.com/metadata
  # The provider finds what it has to know of us at
  # ${origin}/v1/webapi/saml/metadata?connector_id=idp
  acs: ${origin}/v1/webapi/saml/acs
  attributes_to_roles:
    - name: groups
      value: developers
      roles: [access]
`,
  github: origin => `kind: github
version: v3
metadata:
  name: github
spec:
  display: GitHub
  client_id: ''
  client_secret: ''
  # The callback of the OAuth app.
  redirect_url: ${origin}/v1/webapi/github/callback
  teams_to_roles:
    - organization: our-organization
      team: developers
      roles: [access]
`,
};
