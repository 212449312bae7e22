// Where agents come in: the Model Context Protocol over streamable HTTP, with the agent's token as bearer. Connections, requests and what runs at
// once are bounded; a connection belongs to the agent that opened it.
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AGENTS_PATH } from '../../contract/agents.ts';
import { Failure } from '../../contract/failure.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import type { Services } from '../http/services.ts';
import { peerOf } from '../services/identity/peer.ts';
import type { RequestFacts } from './mcp-server.ts';
import { createOriginCheck } from './origin.ts';

/** Largest request, bytes. */
const BODY_MOST_BYTES = 256 * 1024;
/** Connections of one agent, and of all. */
const OWN_MOST = 8;
const ALL_MOST = 500;
/** A connection that asks nothing for so long is closed, ms. */
const IDLE_MS = 15 * 60_000;
/** Calls of one agent that run at once. */
const RUNNING_MOST = 4;
/** Requests of one agent. */
const REQUESTS = { burst: 120, perMinute: 240 };
const SESSION_HEADER = 'mcp-session-id';
const JSON_TYPE = 'application/json; charset=utf-8';

interface Open {
  readonly agentId: string;
  readonly transport: { handleRequest(request: Request, options: object): Promise<Response> };
  close(): Promise<void>;
  used: number;
  /** Requests that are being answered. */
  busy: number;
}

export function serveMcp(app: FastifyInstance, services: Services): void {
  const { agents, config, clock } = services;
  const isOwn = createOriginCheck([config.publicUrl, ...config.origins], app.server, config.tls !== undefined);
  const strangers = createRateLimit(config.rateLimit, clock);
  const requests = createRateLimit(REQUESTS, clock);
  const open = new Map<string, Open>();
  const running = new Map<string, number>();

  const sweep = setInterval(() => {
    const now = clock().getTime();
    for (const one of [...open.values()])
      if (one.busy === 0 && now - one.used > IDLE_MS) void one.close().catch(() => undefined);
  }, 60_000).unref();
  // Before the app waits for those that are connected.
  app.addHook('preClose', async () => {
    clearInterval(sweep);
    await Promise.all([...open.values()].map(one => one.close()));
  });

  /** The agent that asks. Throws Failure signed_out, limited, denied, bad_request. */
  async function agentOf(request: FastifyRequest): Promise<string> {
    if (!isOwn(request.headers.origin)) throw new Failure('denied', 'access denied: another site has sent this');
    if (Object.keys(request.query as object).length > 0)
      throw new Failure(
        'bad_request',
        'the address takes no query: the token of an agent goes into the Authorization header',
      );
    const [, token = ''] = /^Bearer ([\w.-]{1,200})$/i.exec(request.headers.authorization ?? '') ?? [];
    const { id } = await agents.ofToken(token).catch((error: unknown) => {
      const wait = strangers.take(request.ip);
      if (wait > 0) throw new Failure('limited', `too many requests; try again in ${wait} s`);
      throw error;
    });
    const waitSeconds = requests.take(id);
    if (waitSeconds > 0) throw new Failure('limited', `this agent asks too often; try again in ${waitSeconds} s`);
    return id;
  }
  const take = (agentId: string) => (): (() => void) => {
    const count = running.get(agentId) ?? 0;
    if (count >= RUNNING_MOST)
      throw new Failure('limited', `${RUNNING_MOST} calls of this agent run already: wait for one`);
    running.set(agentId, count + 1);
    return () => {
      const left = (running.get(agentId) ?? 1) - 1;
      if (left === 0) running.delete(agentId);
      else running.set(agentId, left);
    };
  };
  async function begin(agentId: string, log: FastifyRequest['log']): Promise<Open> {
    const own = [...open.values()].filter(one => one.agentId === agentId);
    if (own.length >= OWN_MOST || open.size >= ALL_MOST) {
      // An agent that connects anew each time takes the place of its own oldest.
      const oldest = own.filter(({ busy }) => busy === 0).sort((one, other) => one.used - other.used)[0];
      if (!oldest) throw new Failure('limited', 'too many connections of agents are open');
      await oldest.close();
    }
    const sid = randomUUID();
    const { openConnection } = await import('./mcp-server.ts');
    const connection = await openConnection({
      ...{ services, agentId, sid, take: take(agentId) },
      over: () => void open.delete(sid),
      report: error => log.error({ err: error }, 'a call of an agent failed'),
    });
    const one: Open = { agentId, ...connection, used: clock().getTime(), busy: 0 };
    open.set(sid, one);
    return one;
  }
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    let agentId: string;
    try {
      agentId = await agentOf(request);
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'signed_out')) throw error;
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer')
        .type(JSON_TYPE)
        .send(JSON.stringify({ error: { message: error.message, code: error.code } }));
    }
    const named = request.headers[SESSION_HEADER];
    const known = typeof named === 'string' ? open.get(named) : undefined;
    // A connection of another agent is as good as none.
    if (named !== undefined && known?.agentId !== agentId)
      throw new Failure('not_found', 'this connection is over: begin another');
    if (!known && !isBeginning(request)) throw new Failure('bad_request', 'the first request is "initialize"');
    const one = known ?? (await begin(agentId, request.log));
    const gone = new AbortController();
    one.busy += 1;
    reply.raw.once('close', () => {
      one.busy -= 1;
      one.used = clock().getTime();
      if (!reply.raw.writableFinished) gone.abort();
    });
    const facts: RequestFacts = { gone: gone.signal, remoteAddr: peerOf(request) };
    const said = await one.transport.handleRequest(webRequest(request), {
      parsedBody: request.body,
      authInfo: { token: '', clientId: agentId, scopes: [], extra: facts },
    });
    if (!known && said.status >= 400) await one.close();
    return reply.send(said);
  }
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: AGENTS_PATH,
    bodyLimit: BODY_MOST_BYTES,
    handler: answer,
  });
}

const isBeginning = ({ method, body }: FastifyRequest): boolean =>
  method === 'POST' && typeof body === 'object' && body !== null && 'method' in body && body.method === 'initialize';

/** What the transport reads: the body is parsed already, and the token is nothing that it needs. */
function webRequest({ method, headers }: FastifyRequest): Request {
  const kept = new Headers();
  for (const name of ['accept', 'content-type', SESSION_HEADER, 'mcp-protocol-version', 'last-event-id']) {
    const value = headers[name];
    if (typeof value === 'string') kept.set(name, value);
  }
  return new Request(`http://gateway${AGENTS_PATH}`, { method, headers: kept });
}
