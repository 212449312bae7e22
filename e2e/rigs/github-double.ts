// GitHub as far as a sign-in sees it, after its documentation: "Authorizing OAuth apps" and the REST API's pages on organizations and teams.
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request } from 'node:https';
import { openHttpsServer } from './https-server.ts';

interface Person {
  login: string;
  id: number;
  orgs: readonly string[];
  /** As `organization/team`. */
  teams: readonly string[];
}

export interface GitHubDouble {
  readonly origin: string;
  readonly ca: string;
  /** Whoever agrees from now on; null: they cancel. */
  person: Person | null;
  close(): void;
}

const CLIENT_SECRET = 'the-secret-of-the-application';

/** A connector to a double, as the gateway's documents are written (JSON is YAML): the team acme/ops gives editor, acme gives access. */
export const githubConnector = ({ origin, ca }: GitHubDouble, name: string, spec = {}): string =>
  JSON.stringify({
    kind: 'github',
    version: 'v3',
    metadata: { name },
    spec: {
      endpoint_url: origin,
      ca_cert: ca,
      client_id: 'postern',
      client_secret: CLIENT_SECRET,
      teams_to_roles: [
        { organization: 'acme', team: 'ops', roles: ['editor'] },
        { organization: 'acme', roles: ['access'] },
      ],
      ...spec,
    },
  });

/** Where a double sends the browser that comes to this address: it asks nothing. */
export const passGitHub = ({ ca }: GitHubDouble, address: string): Promise<URL> =>
  new Promise((done, fail) => {
    request(new URL(address), { ca }, answer => {
      answer.resume();
      done(new URL(answer.headers.location ?? 'about:blank'));
    })
      .on('error', fail)
      .end();
  });

export async function openGitHubDouble(): Promise<GitHubDouble> {
  const { server, origin, ca, close } = await openHttpsServer();
  const codes = new Map<string, { readonly challenge: string; readonly person: Person }>();
  const tokens = new Map<string, Person>();
  const double: GitHubDouble = { origin, ca, person: null, close };

  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));

  function authorize({ searchParams }: URL, response: ServerResponse) {
    const back = new URL(searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('state', searchParams.get('state') ?? '');
    if (double.person === null) {
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('error_description', 'The user has denied your application access.');
    } else {
      const code = randomBytes(10).toString('hex');
      codes.set(code, { challenge: searchParams.get('code_challenge') ?? '', person: double.person });
      back.searchParams.set('code', code);
    }
    return response.writeHead(302, { location: back.href }).end();
  }

  function exchange(form: URLSearchParams, response: ServerResponse) {
    const code = form.get('code') ?? '';
    const known = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    // Errors have the status 200 here.
    if (form.get('client_secret') !== CLIENT_SECRET)
      return json(response, 200, {
        error: 'incorrect_client_credentials',
        error_description: 'The client_id and/or client_secret passed are incorrect.',
      });
    if (known === undefined || known.challenge !== challenge)
      return json(response, 200, {
        error: 'bad_verification_code',
        error_description: 'The code passed is incorrect or expired.',
      });
    const token = `gho_${randomBytes(18).toString('hex')}`;
    tokens.set(token, known.person);
    return json(response, 200, { access_token: token, scope: 'read:org', token_type: 'bearer' });
  }

  function answer(url: URL, request: IncomingMessage, response: ServerResponse) {
    const person = tokens.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
    if (person === undefined) return json(response, 401, { message: 'Bad credentials' });
    if (!request.headers['user-agent'])
      return json(response, 403, { message: 'Request forbidden by administrative rules.' });
    const page = Number(url.searchParams.get('page') ?? 1);
    const size = Math.min(Number(url.searchParams.get('per_page') ?? 30), 100);
    const part = <Item>(items: readonly Item[]) => items.slice((page - 1) * size, page * size);
    switch (url.pathname) {
      case '/api/v3/user':
        return json(response, 200, { login: person.login, id: person.id });
      case '/api/v3/user/orgs':
        return json(response, 200, part(person.orgs.map(login => ({ login }))));
      case '/api/v3/user/teams':
        return json(
          response,
          200,
          part(
            person.teams.map(team => {
              const [login, slug] = team.split('/');
              return { slug, organization: { login } };
            }),
          ),
        );
      default:
        return json(response, 404, { message: 'Not Found' });
    }
  }

  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', origin);
    let body = '';
    for await (const chunk of request) body += chunk;
    if (url.pathname === '/login/oauth/authorize') authorize(url, response);
    else if (url.pathname === '/login/oauth/access_token') exchange(new URLSearchParams(body), response);
    else answer(url, request, response);
  });
  return double;
}
