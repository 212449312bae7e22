// OpenID Connect: discovery, PKCE, nonce. What a person is comes from the ID token and from userinfo.
import * as client from 'openid-client';
import { parseDuration } from '../../../../contract/duration.ts';
import { createOutbound } from '../../outbound.ts';
import { attributesOf } from './profile.ts';
import { type Provider, SignInRefused, UNUSABLE_NAME } from './provider.ts';
import type { Connector } from './stored.ts';

/** What a provider says about itself is asked again after this, ms. */
const DISCOVERED_MOST_MS = 24 * 3_600_000;
const TIMEOUT_SECONDS = 10;
const CALLBACK = '/v1/webapi/oidc/callback';

type Oidc = Connector<'oidc'>;

export function createOidc({
  publicUrl,
  clock,
}: {
  readonly publicUrl: string;
  readonly clock: () => Date;
}): Provider<'oidc'> {
  const discovered = new Map<
    string,
    { readonly revision: number; readonly until: number; readonly found: Promise<client.Configuration> }
  >();
  const redirectUri = ({ spec }: Oidc): string => spec.redirect_url ?? publicUrl + CALLBACK;

  function discover(connector: Oidc): Promise<client.Configuration> {
    const { name, revision, spec, clientSecret = '' } = connector;
    const known = discovered.get(name);
    const now = clock().getTime();
    if (known && known.revision === revision && known.until > now) return known.found;
    const outbound = createOutbound(spec.ca_cert);
    const found = client.discovery(
      new URL(spec.issuer_url),
      spec.client_id,
      // Without a word of its own an ID token counts that is signed by a key of the provider, never one that is not signed.
      {},
      client.ClientSecretBasic(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        [client.customFetch]: (url, { method, headers, body }) =>
          outbound(new URL(url), { method, headers, ...(body != null && { body: String(body) }) }),
      },
    );
    discovered.set(name, { revision, until: now + DISCOVERED_MOST_MS, found });
    found.catch(() => discovered.delete(name));
    return found;
  }

  const maxAge = ({ spec }: Oidc): number | undefined => {
    const ms = spec.max_age === undefined ? undefined : parseDuration(spec.max_age);
    return ms === undefined ? undefined : Math.floor(ms / 1000);
  };

  return {
    async begin(connector, state) {
      const { spec } = connector;
      const configuration = await discover(connector);
      const verifier = client.randomPKCECodeVerifier();
      const nonce = client.randomNonce();
      const age = maxAge(connector);
      const location = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri(connector),
        scope: [...new Set(['openid', ...(spec.scope ?? ['email', 'profile'])])].join(' '),
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(spec.prompt && { prompt: spec.prompt }),
        ...(spec.acr_values && { acr_values: spec.acr_values }),
        ...(age !== undefined && { max_age: String(age) }),
      });
      return { location: location.href, pending: { verifier, nonce } };
    },

    async finish(connector, returned, state, { verifier = '', nonce = '' }) {
      const { spec } = connector;
      const configuration = await discover(connector);
      // Our own address as it is configured, whatever the request said it came to.
      const address = new URL(redirectUri(connector));
      address.search = returned.toString();
      const age = maxAge(connector);
      const tokens = await client.authorizationCodeGrant(configuration, address, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
        ...(age !== undefined && { maxAge: age }),
      });
      const token = tokens.claims();
      if (!token) throw new SignInRefused('callback', 'the provider sent no ID token');
      const more = configuration.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(configuration, tokens.access_token, token.sub)
        : {};
      const claims: Readonly<Record<string, unknown>> = { ...more, ...token };
      const claim = spec.username_claim ?? 'email';
      const name = claims[claim];
      if (typeof name !== 'string' || name === '')
        throw new SignInRefused(
          'auth',
          `the provider says no claim "${claim}", which the user's name comes from`,
          UNUSABLE_NAME,
        );
      if (claim === 'email' && claims.email_verified === false && spec.allow_unverified_email !== true)
        throw new SignInRefused('auth', `the provider has not verified the address ${name}`, UNUSABLE_NAME);
      return { subject: token.sub, name, attributes: attributesOf(claims) };
    },

    rules: ({ spec }) => spec.claims_to_roles.map(({ claim, value, roles }) => ({ attribute: claim, value, roles })),
  };
}
