// A client written for the wire alone, as the manual describes it: it shares only the frame codec with the product.
import { once } from 'node:events';
import { decodeFrame, encodeFrame, type Frame, type FrameType } from '../../src/contract/envelope.ts';
import { CSRF_COOKIE, SESSION_COOKIE } from '../../src/contract/session.ts';

export interface WireClient {
  readonly bearer: string;
  readonly cookie: string;
  readonly cluster: string;
  /** JSON call under /v1/webapi/. Throws with status and body when refused. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Opens the terminal socket and waits for its session frame. */
  shell(params: {
    readonly server_id: string;
    readonly login: string;
    readonly sid?: string;
    readonly cols?: number;
    readonly rows?: number;
    /** A leaf cluster; absent: the gateway's own. */
    readonly cluster?: string;
    /** Answers the challenge of a second factor; absent: nothing does. Both are JSON. */
    readonly answer?: (challenge: string) => string;
  }): Promise<WireShell>;
  /** Opens the socket that a console hears of changes by; resolves when it is open. */
  changes(): Promise<{ readonly closed: Promise<unknown> }>;
}

export interface WireShell {
  readonly sid: string;
  /** Bytes of output so far. */
  received(): number;
  onOutput(listener: (bytes: Uint8Array) => void): void;
  onFrame(listener: (frame: Frame) => void): void;
  send(text: string): void;
  frame(type: FrameType, payload: string): void;
  /** Resolves when the output so far holds the text (the last 64 kB of it). */
  until(text: string): Promise<void>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  close(): void;
}

const MADE_UP = 'c'.repeat(64);
const utf8 = new TextEncoder();
const text = new TextDecoder();

/** Cookies of a response, as one request header. */
const cookiesOf = (response: Response, before = ''): string => {
  const jar = new Map(
    before
      .split('; ')
      .filter(Boolean)
      .map(pair => [pair.slice(0, pair.indexOf('=')), pair]),
  );
  for (const line of response.headers.getSetCookie()) {
    const pair = line.split(';')[0] ?? '';
    jar.set(pair.slice(0, pair.indexOf('=')), pair);
  }
  return [...jar.values()].join('; ');
};

async function page(url: string, path: string): Promise<{ cookie: string; csrf: string }> {
  const response = await fetch(`${url}${path}`);
  const html = await response.text();
  const csrf = /<meta name="postern_csrf_token" content="([^"]*)"/.exec(html)?.[1] ?? '';
  // Where the console is not built nobody hands out a pair: header and cookie need only be the same.
  if (csrf === '') return { cookie: `${CSRF_COOKIE}=${MADE_UP}`, csrf: MADE_UP };
  return { cookie: cookiesOf(response), csrf };
}

async function answered(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`);
  return body;
}

/** Completes an invite link with a password; afterwards signIn works. */
export async function acceptInvite(url: string, invite: string, password: string): Promise<string> {
  const token = invite.split('/').at(-1) ?? '';
  const seen = (await answered(await fetch(`${url}/v1/webapi/users/password/token/${token}`))) as { user: string };
  const { cookie, csrf } = await page(url, '/web');
  await answered(
    await fetch(`${url}/v1/webapi/users/password/token`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', cookie, 'x-csrf-token': csrf },
      body: JSON.stringify({ token, password: Buffer.from(password).toString('base64') }),
    }),
  );
  return seen.user;
}

/** Signs in with a password. */
export async function signIn(url: string, user: string, password: string): Promise<WireClient> {
  const first = await page(url, '/web/login');
  const response = await fetch(`${url}/v1/webapi/sessions/web`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: first.cookie, 'x-csrf-token': first.csrf },
    body: JSON.stringify({ user, pass: password }),
  });
  const cookie = cookiesOf(response, first.cookie);
  const { token } = (await answered(response)) as { token: string };
  return clientOf(url, { cookie, csrf: first.csrf, token });
}

/** Whoever a session was given for without a browser: acting as another user. `cookie`: the value alone. */
export const actingClient = (url: string, { token, cookie }: { token: string; cookie: string }): Promise<WireClient> =>
  clientOf(url, { cookie: `${CSRF_COOKIE}=${MADE_UP}; ${SESSION_COOKIE}=${cookie}`, csrf: MADE_UP, token });

async function clientOf(
  url: string,
  { cookie, csrf, token }: { readonly cookie: string; readonly csrf: string; readonly token: string },
): Promise<WireClient> {
  const headers = { cookie, authorization: `Bearer ${token}`, 'x-csrf-token': csrf };
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> =>
    answered(
      await fetch(`${url}/v1/webapi/${path}`, {
        method,
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const clusters = (await call('GET', 'sites')) as { name: string }[];
  const cluster = clusters[0]?.name ?? '';
  return {
    bearer: token,
    cookie,
    cluster,
    call,
    shell: params => openShell(url, params.cluster ?? cluster, token, cookie, params),
    changes: () => openChanges(url, token, cookie),
  };
}

type Params = Parameters<WireClient['shell']>[0];

function openSocket(address: string, cookie: string): WebSocket {
  // Node's own WebSocket takes headers, which the browser's type does not know.
  const Socket = WebSocket as unknown as new (
    address: string,
    options: { headers: Record<string, string> },
  ) => WebSocket;
  return new Socket(address.replace(/^http/, 'ws'), { headers: { cookie } });
}

async function openChanges(url: string, bearer: string, cookie: string) {
  const socket = openSocket(`${url}/v1/webapi/changes?access_token=${encodeURIComponent(bearer)}`, cookie);
  const closed = once(socket, 'close');
  await once(socket, 'open');
  return { closed };
}

function openShell(url: string, cluster: string, bearer: string, cookie: string, params: Params): Promise<WireShell> {
  const wire = {
    server_id: params.server_id,
    login: params.login,
    sid: params.sid ?? '',
    mode: '',
    term: { h: params.rows ?? 24, w: params.cols ?? 80 },
  };
  const asked = `access_token=${bearer}&params=${encodeURIComponent(JSON.stringify(wire))}&traceparent=`;
  const socket = openSocket(`${url}/v1/webapi/sites/${cluster}/connect?${asked}`, cookie);
  socket.binaryType = 'arraybuffer';
  let received = 0;
  let tail = '';
  const outputs: ((bytes: Uint8Array) => void)[] = [];
  const frames: ((frame: Frame) => void)[] = [];
  const waits: { text: string; done: () => void }[] = [];
  const closed = new Promise<{ code: number; reason: string }>(done => {
    socket.addEventListener('close', event => done({ code: event.code, reason: event.reason }));
  });
  return new Promise((ready, fail) => {
    closed.then(({ code, reason }) => fail(new Error(`the socket closed with ${code} ${reason} ${tail}`)));
    socket.addEventListener('error', () => fail(new Error('the socket was refused')));
    socket.addEventListener('message', event => {
      const frame = decodeFrame(new Uint8Array(event.data as ArrayBuffer));
      for (const listener of frames) listener(frame);
      if (frame.type === 'n' && params.answer)
        socket.send(
          encodeFrame('n', utf8.encode(params.answer(text.decode(frame.payload)))) as Uint8Array<ArrayBuffer>,
        );
      if (frame.type === 'e') tail += text.decode(frame.payload);
      if (frame.type === 's') {
        const { session } = JSON.parse(text.decode(frame.payload)) as { session: { id: string } };
        ready({
          sid: session.id,
          received: () => received,
          onOutput: listener => void outputs.push(listener),
          onFrame: listener => void frames.push(listener),
          send: typed => socket.send(encodeFrame('r', utf8.encode(typed)) as Uint8Array<ArrayBuffer>),
          frame: (type, payload) => socket.send(encodeFrame(type, utf8.encode(payload)) as Uint8Array<ArrayBuffer>),
          until: wanted =>
            new Promise(done => {
              if (tail.includes(wanted)) return done();
              waits.push({ text: wanted, done });
            }),
          closed,
          close: () => socket.close(1000),
        });
      }
      if (frame.type === 'r') {
        received += frame.payload.length;
        for (const listener of outputs) listener(frame.payload);
        if (waits.length > 0 || frame.payload.length < 4096) tail = (tail + text.decode(frame.payload)).slice(-65_536);
        for (const wait of waits.filter(entry => tail.includes(entry.text))) {
          waits.splice(waits.indexOf(wait), 1);
          wait.done();
        }
      }
    });
  });
}
