// Azure and Google Cloud for tests, where there is none: the metadata services as both document them (Azure, "How to use managed identities to acquire
// an access token", api-version 2018-02-01; Google Cloud, "About VM metadata"), iamcredentials v1 (projects.serviceAccounts.generateAccessToken), and an
// API that says what it was asked.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CloudDouble {
  readonly url: string;
  /** Whom tokens were asked for, in order: identity and audience, or service account. */
  readonly given: string[];
  /** What the API was asked. */
  readonly asked: { readonly method: string; readonly url: string; readonly host: string; readonly token: string }[];
  /** Life of the tokens that are given from now on, seconds. */
  life: number;
  /** Answers that the API holds back. */
  readonly open: Set<unknown>;
  close(): void;
}

export async function openCloudDouble(): Promise<CloudDouble> {
  const given: string[] = [];
  const asked: CloudDouble['asked'] = [];
  const open = new Set<unknown>();
  const state = { life: 3600 };
  const bodyOf = async (request: IncomingMessage): Promise<string> => {
    let body = '';
    for await (const piece of request) body += piece;
    return body;
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://double');
    const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    if (url.pathname.startsWith('/metadata/')) {
      if (request.headers.metadata !== 'true')
        return json(400, { error: 'invalid_request', error_description: 'Required metadata header not specified' });
      if (url.pathname !== '/metadata/identity/oauth2/token') return response.end('AzurePublicCloud');
      const { searchParams: query } = url;
      const identity = query.get('msi_res_id') ?? query.get('client_id') ?? '';
      if (query.get('api-version') !== '2018-02-01' || /unassigned/.test(identity))
        return json(400, { error: 'invalid_request', error_description: 'Identity not found' });
      given.push(`${identity} ${query.get('resource')}`);
      const ends = Math.floor(Date.now() / 1000) + state.life;
      return json(200, {
        ...{ access_token: `azure-${given.length}`, client_id: 'c', expires_in: String(state.life) },
        ...{ expires_on: String(ends), resource: query.get('resource'), token_type: 'Bearer' },
      });
    }
    if (url.pathname.startsWith('/computeMetadata/')) {
      if (request.headers['metadata-flavor'] !== 'Google') return response.writeHead(403).end();
      return json(
        200,
        { access_token: 'machine', expires_in: 3599, token_type: 'Bearer' },
        { 'metadata-flavor': 'Google' },
      );
    }
    const account = /^\/v1\/projects\/-\/serviceAccounts\/([^:]+):generateAccessToken$/.exec(url.pathname)?.[1];
    if (account !== undefined) {
      const mail = decodeURIComponent(account);
      const { scope, lifetime } = JSON.parse(await bodyOf(request)) as { scope: string[]; lifetime: string };
      if (request.headers.authorization !== 'Bearer machine' || scope.length !== 1 || !/^\d+s$/.test(lifetime))
        return json(401, { error: { code: 401, message: 'unauthenticated', status: 'UNAUTHENTICATED' } });
      if (mail.startsWith('foreign'))
        return json(403, { error: { code: 403, message: "Permission 'getAccessToken' denied", status: 'DENIED' } });
      given.push(mail);
      const expireTime = new Date(Date.now() + state.life * 1000).toISOString();
      return json(200, { accessToken: `google-${given.length}`, expireTime });
    }
    asked.push({
      ...{ method: request.method ?? '', url: request.url ?? '', host: request.headers.host ?? '' },
      token: String(request.headers.authorization),
    });
    if (url.pathname === '/moved') {
      const location = url.searchParams.get('to') ?? '';
      return response.writeHead(302, { location, 'set-cookie': 'a=b' }).end();
    }
    if (url.pathname === '/hang') {
      open.add(response);
      response.once('close', () => open.delete(response));
      return response.writeHead(200).write('begun');
    }
    return json(200, { body: await bodyOf(request), headers: request.headers });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    given,
    asked,
    open,
    get life() {
      return state.life;
    },
    set life(seconds) {
      state.life = seconds;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
