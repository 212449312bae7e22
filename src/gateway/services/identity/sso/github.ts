// GitHub: OAuth 2 without OpenID. Who a person is and which organizations and teams they are in is asked of its API.
import * as client from 'openid-client';
import { createOutbound } from '../../outbound.ts';
import { type Provider, SignInRefused } from './provider.ts';
import type { Connector } from './stored.ts';

const CALLBACK = '/v1/webapi/github/callback';
const TIMEOUT_SECONDS = 10;
/** Organizations and teams are read in pages of 100, at most this many. */
const PAGES_MOST = 10;
const PER_PAGE = 100;

type GitHub = Connector<'github'>;

export function createGitHub({ publicUrl }: { readonly publicUrl: string }): Provider<'github'> {
  const redirectUri = ({ spec }: GitHub): string => spec.redirect_url ?? publicUrl + CALLBACK;
  const siteOf = ({ spec }: GitHub): string => (spec.endpoint_url ?? 'https://github.com').replace(/\/+$/, '');
  /** GitHub Enterprise has its API below its own address. */
  const apiOf = ({ spec }: GitHub): string =>
    (
      spec.api_endpoint_url ??
      (spec.endpoint_url ? `${spec.endpoint_url.replace(/\/+$/, '')}/api/v3` : 'https://api.github.com')
    ).replace(/\/+$/, '');

  function configurationOf(connector: GitHub): client.Configuration {
    const site = siteOf(connector);
    const { spec, clientSecret = '' } = connector;
    const outbound = createOutbound(spec.ca_cert);
    const configuration = new client.Configuration(
      {
        issuer: site,
        authorization_endpoint: `${site}/login/oauth/authorize`,
        token_endpoint: `${site}/login/oauth/access_token`,
      },
      spec.client_id,
      clientSecret,
      client.ClientSecretPost(clientSecret),
    );
    configuration.timeout = TIMEOUT_SECONDS;
    configuration[client.customFetch] = async (url, { method, headers, body }) => {
      const answer = await outbound(new URL(url), { method, headers, ...(body != null && { body: String(body) }) });
      const text = await answer.text();
      // GitHub says with the status 200 what it refuses; the status of RFC 6749, 5.2, lets the library read why.
      const status = answer.ok && /^\s*\{\s*"error"/.test(text) ? 400 : answer.status;
      return new Response(text, { status, headers: answer.headers });
    };
    return configuration;
  }

  return {
    async begin(connector, state) {
      const verifier = client.randomPKCECodeVerifier();
      const location = client.buildAuthorizationUrl(configurationOf(connector), {
        redirect_uri: redirectUri(connector),
        scope: 'read:org',
        state,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { location: location.href, pending: { verifier } };
    },

    async finish(connector, returned, state, { verifier = '' }) {
      const address = new URL(redirectUri(connector));
      address.search = returned.toString();
      const { access_token: token } = await client.authorizationCodeGrant(configurationOf(connector), address, {
        pkceCodeVerifier: verifier,
        expectedState: state,
      });
      const outbound = createOutbound(connector.spec.ca_cert);
      const ask = async (path: string): Promise<unknown> => {
        const answer = await outbound(new URL(apiOf(connector) + path), {
          headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'user-agent': 'Postern' },
        });
        if (!answer.ok) throw new SignInRefused('callback', `GitHub answers ${answer.status} to ${path.split('?')[0]}`);
        return answer.json();
      };
      const all = async (path: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
        const found: Readonly<Record<string, unknown>>[] = [];
        for (let page = 1; page <= PAGES_MOST; page++) {
          const some = await ask(`${path}?per_page=${PER_PAGE}&page=${page}`);
          if (!Array.isArray(some)) throw new SignInRefused('callback', `GitHub answers no list to ${path}`);
          found.push(...some);
          if (some.length < PER_PAGE) break;
        }
        return found;
      };
      const [person, organizations, teams] = await Promise.all([
        ask('/user') as Promise<{ readonly login?: unknown; readonly id?: unknown }>,
        all('/user/orgs'),
        all('/user/teams'),
      ]);
      if (typeof person?.login !== 'string' || typeof person.id !== 'number')
        throw new SignInRefused('callback', 'GitHub does not say who this is');
      return {
        subject: String(person.id),
        name: person.login,
        attributes: {
          login: [person.login],
          organizations: organizations.map(({ login }) => String(login)),
          teams: teams.map(
            ({ slug, organization }) =>
              `${String((organization as { readonly login?: unknown } | undefined)?.login)}/${String(slug)}`,
          ),
        },
      };
    },

    rules: ({ spec }) =>
      spec.teams_to_roles.map(({ organization, team, roles }) =>
        team === undefined
          ? { attribute: 'organizations', value: organization, roles }
          : { attribute: 'teams', value: `${organization}/${team}`, roles },
      ),
  };
}
