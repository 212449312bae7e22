// Sign-in connectors as people write them in YAML. Secrets are taken and never shown again: a document that was read has none, and one that
// is written without them keeps those that are stored.
import * as z from 'zod/mini';
import { metadata, shortText, words } from './document-parts.ts';
import { parseDuration } from './duration.ts';
import { checkPattern } from './pattern.ts';
import { visible } from './visible-text.ts';

/** Rules of one connector that give roles, at most. */
const RULES_MOST = 1000;

const filled = shortText.check(z.minLength(1, 'not empty'));
const secret = z.optional(z.string().check(z.minLength(1, 'not empty'), z.maxLength(4096, 'at most 4096 characters')));
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
/** Where the provider sends the browser back to: the gateway's own call of this path, under an address of the gateway. */
const ownAddress = (path: string) =>
  z.optional(
    z
      .string()
      .check(
        z.maxLength(2048, 'at most 2048 characters'),
        z.regex(
          new RegExp(`^https?://[^\\s\\p{Cc}/?#@]+${path}$`, 'u'),
          `an address of this gateway that ends in ${path}`,
        ),
      ),
  );
const pem = z.optional(
  z
    .string()
    .check(
      z.maxLength(65_536, 'at most 65536 characters'),
      z.regex(/-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/, 'a PEM certificate'),
    ),
);
const pattern = filled.check(
  z.refine(text => {
    try {
      checkPattern(text);
      return true;
    } catch {
      return false;
    }
  }, 'a text, a pattern with *, or a ^regular expression$'),
);
const roles = words.check(z.minLength(1, 'at least one role'), z.maxLength(100, 'at most 100 roles'));
const rules = <Rule extends z.ZodMiniType>(rule: Rule) =>
  z
    .array(rule)
    .check(z.minLength(1, 'at least one rule: without, nobody could sign in'), z.maxLength(RULES_MOST, 'at most 1000'));
/** What every connector has: its button's text, and the authority that signed the provider's certificate when no public one did. */
const shared = { display: z.optional(filled), ca_cert: pem };

/** GitHub, or GitHub Enterprise at addresses of its own. */
export const github = z.strictObject({
  kind: z.literal('github'),
  version: z.literal('v3'),
  metadata,
  spec: z.strictObject({
    ...shared,
    client_id: filled,
    client_secret: secret,
    redirect_url: ownAddress('/v1/webapi/github/callback'),
    endpoint_url: z.optional(address),
    api_endpoint_url: z.optional(address),
    /** Without a team: everybody in the organization. */
    teams_to_roles: rules(z.strictObject({ organization: filled, team: z.optional(filled), roles })),
  }),
});

export const oidc = z.strictObject({
  kind: z.literal('oidc'),
  version: z.literal('v3'),
  metadata,
  spec: z.strictObject({
    ...shared,
    issuer_url: address,
    client_id: filled,
    client_secret: secret,
    redirect_url: ownAddress('/v1/webapi/oidc/callback'),
    /** Besides `openid`; otherwise `email` and `profile`. */
    scope: z.optional(words),
    prompt: z.optional(shortText),
    acr_values: z.optional(filled),
    /** How long ago the person may have signed in at the provider. */
    max_age: z.optional(
      z.string().check(z.refine(text => parseDuration(text) !== undefined, 'a duration such as 8h or 30m')),
    ),
    /** The claim that becomes the user's name; otherwise `email`. */
    username_claim: z.optional(filled),
    allow_unverified_email: z.optional(z.boolean()),
    claims_to_roles: rules(z.strictObject({ claim: filled, value: pattern, roles })),
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
        z.string().check(z.minLength(1, 'not empty'), z.maxLength(262_144, 'at most 262144 characters')),
      ),
      entity_descriptor_url: z.optional(address),
      issuer: z.optional(shortText),
      sso: z.optional(address),
      cert: pem,
      /** Whom assertions must be for; otherwise the address of `acs`. */
      audience: z.optional(filled),
      /** What the gateway calls itself to the provider; otherwise the address of `acs`. */
      service_provider_issuer: z.optional(filled),
      /** The attribute that becomes the user's name; otherwise the NameID. */
      username_attribute: z.optional(filled),
      /** The whole answer must be signed too, not only the assertion in it. */
      signed_response: z.optional(z.boolean()),
      /** Nothing tells such an answer from a stolen one. */
      allow_idp_initiated: z.optional(z.literal(false)),
      attributes_to_roles: rules(z.strictObject({ name: filled, value: pattern, roles })),
    })
    .check(
      z.refine(
        ({ entity_descriptor, entity_descriptor_url, issuer, sso, cert }) =>
          [entity_descriptor, entity_descriptor_url, issuer && sso && cert].filter(Boolean).length === 1,
        'one of entity_descriptor, entity_descriptor_url, or all of issuer, sso and cert expected',
      ),
    ),
});
