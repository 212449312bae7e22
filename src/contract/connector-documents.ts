// Sign-in connectors as people write them in YAML. Secrets are taken and never shown again: a document that was read has none, and one that
// is written without them keeps those that are stored.
import * as z from 'zod/mini';
import { described, metadata, named, shortText, words } from './document-parts.ts';
import { parseDuration } from './duration.ts';
import { visible } from './visible-text.ts';

/** Rules of one connector that give roles, at most. */
const RULES_MOST = 1000;

const filled = shortText.check(z.minLength(1, 'not empty'));
const client_id = described('What the provider knows this gateway by.', filled);
const client_secret = z.optional(
  described(
    'Kept sealed and never shown. Left out, the one that is kept stays.',
    z.string().check(z.minLength(1, 'not empty'), z.maxLength(4096, 'at most 4096 characters')),
  ),
);
/** Connectors are asked over TLS only. */
const address = z
  .string()
  .check(
    z.maxLength(2048, 'at most 2048 characters'),
    z.regex(
      /^https:\/\/[^\s\p{Cc}/?#@]+([/?][^\s\p{Cc}#]*)?$/u,
      'an https:// address without a user and a password, such as https://login.example.com',
    ),
    visible,
  );
/** The gateway's own call of this path, under an address of the gateway. */
const ownAddress = (path: string) =>
  z.optional(
    described(
      `Where the provider sends the browser back to: an address of this gateway that ends in ${path}.`,
      z
        .string()
        .check(
          z.maxLength(2048, 'at most 2048 characters'),
          z.regex(
            new RegExp(`^https?://[^\\s\\p{Cc}/?#@]+${path}$`, 'u'),
            `an address of this gateway that ends in ${path}`,
          ),
        ),
    ),
  );
const pem = z
  .string()
  .check(
    z.maxLength(65_536, 'at most 65536 characters'),
    z.regex(/-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/, 'a PEM certificate'),
  );
/** A text, a pattern with `*`, or a `^regular expression$`: whether the last can be run is the gateway's to say. */
const pattern = described('A text, a pattern with *, or a ^regular expression$.', filled);
const roles = described(
  'What whoever fits gets.',
  z.array(named('role', filled)).check(z.minLength(1, 'at least one role'), z.maxLength(100, 'at most 100 roles')),
);
const rules = <Rule extends z.ZodMiniType>(rule: Rule) =>
  z
    .array(rule)
    .check(z.minLength(1, 'at least one rule: without, nobody could sign in'), z.maxLength(RULES_MOST, 'at most 1000'));
/** What every connector has. */
const shared = {
  display: z.optional(described('The text of its button on the sign-in form.', filled)),
  ca_cert: z.optional(
    described('The authority that signed the certificate of the provider, when no public one did.', pem),
  ),
};

/** GitHub, or GitHub Enterprise at addresses of its own. */
export const github = z.strictObject({
  kind: z.literal('github'),
  version: z.literal('v3'),
  metadata,
  spec: z.strictObject({
    ...shared,
    client_id,
    client_secret,
    redirect_url: ownAddress('/v1/webapi/github/callback'),
    endpoint_url: z.optional(described('Where GitHub Enterprise is.', address)),
    api_endpoint_url: z.optional(described('Where the API of GitHub Enterprise is.', address)),
    teams_to_roles: described(
      'Which teams get which roles.',
      rules(
        z.strictObject({
          organization: described('The organization, as in its address.', filled),
          team: z.optional(described('Its team; left out: everybody in the organization.', filled)),
          roles,
        }),
      ),
    ),
  }),
});

export const oidc = z.strictObject({
  kind: z.literal('oidc'),
  version: z.literal('v3'),
  metadata,
  spec: z.strictObject({
    ...shared,
    issuer_url: described('The provider: what stands before /.well-known/openid-configuration.', address),
    client_id,
    client_secret,
    redirect_url: ownAddress('/v1/webapi/oidc/callback'),
    scope: z.optional(described('Asked for besides openid; left out: email and profile.', words)),
    prompt: z.optional(described('What the provider asks, such as login or select_account.', shortText)),
    acr_values: z.optional(described('How strongly the provider has to know the person.', filled)),
    max_age: z.optional(
      described(
        'How long ago the person may have signed in at the provider.',
        z.string().check(z.refine(text => parseDuration(text) !== undefined, 'a duration such as 8h or 30m')),
      ),
    ),
    username_claim: z.optional(described('The claim that becomes the name of the user; left out: email.', filled)),
    allow_unverified_email: z.optional(
      described('Whether an address that the provider has not checked will do.', z.boolean()),
    ),
    claims_to_roles: described(
      'Which claims give which roles.',
      rules(z.strictObject({ claim: described('Its name, such as groups.', filled), value: pattern, roles })),
    ),
  }),
});

/** The provider is described by its metadata, by an address of them, or by `issuer`, `sso` and `cert`. */
export const saml = z.strictObject({
  kind: z.literal('saml'),
  version: z.literal('v2'),
  metadata,
  spec: z
    .strictObject({
      ...shared,
      acs: ownAddress('/v1/webapi/saml/acs'),
      entity_descriptor: z.optional(
        described(
          'The metadata of the provider.',
          z.string().check(z.minLength(1, 'not empty'), z.maxLength(262_144, 'at most 262144 characters')),
        ),
      ),
      entity_descriptor_url: z.optional(described('Where the metadata of the provider are.', address)),
      issuer: z.optional(described('The name of the provider, where no metadata say it.', shortText)),
      sso: z.optional(described('Where people sign in, where no metadata say it.', address)),
      cert: z.optional(described('What the provider signs with, where no metadata say it.', pem)),
      audience: z.optional(described('Whom assertions must be for; left out: the address of acs.', filled)),
      service_provider_issuer: z.optional(
        described('What the gateway calls itself to the provider; left out: the address of acs.', filled),
      ),
      username_attribute: z.optional(
        described('The attribute that becomes the name of the user; left out: the NameID.', filled),
      ),
      signed_response: z.optional(
        described('Whether the whole answer must be signed too, not only the assertion in it.', z.boolean()),
      ),
      allow_idp_initiated: z.optional(
        described('Never: nothing tells such an answer from a stolen one.', z.literal(false)),
      ),
      attributes_to_roles: described(
        'Which attributes give which roles.',
        rules(z.strictObject({ name: described('Its name, such as groups.', filled), value: pattern, roles })),
      ),
    })
    .check(
      z.refine(
        ({ entity_descriptor, entity_descriptor_url, issuer, sso, cert }) =>
          [entity_descriptor, entity_descriptor_url, issuer && sso && cert].filter(Boolean).length === 1,
        'one of entity_descriptor, entity_descriptor_url, or all of issuer, sso and cert expected',
      ),
    ),
});
