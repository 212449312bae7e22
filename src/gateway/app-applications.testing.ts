// Applications for tests: a small server that says what it was told, and a browser that comes to it through a gateway. Names of hosts are
// resolved here: the system's resolver knows none of them.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Browser, Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

/** What the application was told. */
export interface Told {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: readonly string[];
  readonly body: string;
}
/** What came back. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
export interface EchoApp {
  readonly uri: string;
  /** Requests that are open. */
  readonly open: Set<ServerResponse>;
  close(): void;
}

/** Says what it was told; `/events` streams, `/cookies` sets some, `/to?URL` redirects, `/ws` upgrades and echoes. */
export async function openEchoApp(): Promise<EchoApp> {
  const open = new Set<ServerResponse>();
  const server = createServer(async (asked: IncomingMessage, answer) => {
    const url = asked.url ?? '';
    open.add(answer);
    answer.once('close', () => open.delete(answer));
    if (url === '/events') {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write('data: one\n\n');
      return;
    }
    if (url === '/hang') return;
    if (url === '/cookies')
      answer.setHeader('set-cookie', [
        'sid=1; Path=/',
        'wide=1; Domain=console.example.com; Path=/',
        'bare=1; domain ; Path=/',
        '__Host-postern-app-session=stolen; Path=/; Secure',
        'postern-x=1',
      ]);
    if (url === '/quiet') answer.setHeader('clear-site-data', '"cookies"');
    if (url.startsWith('/to?')) return void answer.writeHead(302, { location: decodeURIComponent(url.slice(4)) }).end();
    let body = '';
    try {
      for await (const piece of asked) body += piece;
    } catch {
      return;
    }
    const told: Told = {
      method: asked.method ?? '',
      url,
      headers: asked.headers,
      raw: asked.rawHeaders,
      body,
    };
    answer.end(JSON.stringify(told));
  });
  server.on('upgrade', (asked, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Origin: ${asked.headers.origin ?? 'none'}\r\n\r\n`,
    );
    if (head.length > 0) socket.write(head);
    socket.on('data', chunk => socket.write(chunk));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A role that reaches applications with a label on this machine. */
export const appRole = (name: string, team: string, options = ''): ReturnType<typeof roleResource> =>
  roleResource(
    `kind: role\nversion: v7\nmetadata: { name: ${name} }\nspec:\n  options: { reach_loopback: true${options} }\n  allow:\n    app_labels: { team: ${team} }\n`,
  );

export const appYaml = (name: string, uri: string, team: string, more = ''): string =>
  `kind: app\nversion: v3\nmetadata: { name: ${name}, labels: { team: ${team} } }\nspec:\n  uri: ${uri}\n${more}`;

/** Applies YAML; throws its problems. */
export async function apply(rig: Rig, content: string): Promise<void> {
  const { problems } = await rig.declared.apply([{ name: 'apps.yaml', content }], { by: 'root' });
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}
/** Asks the gateway's port for a page of a host. */
export function askHost(port: number, host: string, path: string, asked: Asked = {}): Promise<Answered> {
  return new Promise((done, fail) => {
    const { method = 'GET', headers = {}, body } = asked;
    const one = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { host, ...(headers as Record<string, string>) },
        agent: false,
        setHost: false,
      },
      async answer => {
        let text = '';
        try {
          for await (const piece of answer) text += piece;
          done({ status: answer.statusCode ?? 0, headers: answer.headers, body: text });
        } catch (error) {
          fail(error);
        }
      },
    );
    one.on('error', fail);
    one.end(body);
  });
}

/** Events of applications that the audit log has since. */
export async function appTrail({ store }: Pick<Rig, 'store'>, from: Date) {
  const to = new Date(Date.now() + 60_000);
  const found = await store.events.search({ from, to, limit: 1000, types: [], descending: false });
  return found.events
    .map(({ raw, code }) => ({ ...raw, code }) as { code: string; user?: string; sid?: string })
    .filter(({ code }) => /^T(20|AP)/.test(code));
}

const cookiesOf = ({ headers }: Answered): string =>
  (headers['set-cookie'] ?? []).map(line => line.split(';', 1)[0]).join('; ');

/** Goes to an application as a browser does: sent to the console, and back with a code. Answers its cookies. */
export async function enterApp(rig: Rig, port: number, who: Browser, host: string, path = '/'): Promise<string> {
  const away = await askHost(port, host, path);
  const to = new URL(String(away.headers.location));
  const launched = await who.call('POST', '/v1/webapi/sessions/app', { fqdn: host });
  if (launched.status !== 200) throw new Error(`${launched.status} ${launched.body}`);
  const query = new URLSearchParams({
    code: (launched.json as { code: string }).code,
    state: to.searchParams.get('state') ?? '',
    path: to.searchParams.get('path') ?? '',
  });
  const back = await askHost(port, host, `/x-postern-auth?${query}`, { headers: { cookie: cookiesOf(away) } });
  if (back.status !== 303) throw new Error(`${back.status} ${back.body}`);
  void rig;
  return cookiesOf(back);
}
