// The gateway's HTTP side: every call of the contract, the console's pages, the terminal socket. Needs no port: tests inject.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { parse } from 'node:querystring';
import fastifyWebsocket from '@fastify/websocket';
import Fastify, {
  errorCodes,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { Failure } from '../contract/failure.ts';
import { serveAccessLists } from './http/access-lists.ts';
import { serveAccessRequests } from './http/access-requests.ts';
import { serveAgents } from './http/agents.ts';
import { answerBrokenRequest, answerFailure, failureCode } from './http/answer-failure.ts';
import { serveApplications } from './http/applications.ts';
import { serveAssistant } from './http/assistant.ts';
import { serveAudit } from './http/audit.ts';
import { serveAwsOidc } from './http/aws-oidc.ts';
import { serveBilling } from './http/billing.ts';
import { serveBots } from './http/bots.ts';
import { createRequestLogs } from './http/bounded-log.ts';
import { serveCapture } from './http/capture.ts';
import { serveClusters } from './http/clusters.ts';
import { serveCommandLine } from './http/command-line.ts';
import { serveConnectors } from './http/connectors.ts';
import { serveDatabases } from './http/databases.ts';
import { serveDesktops } from './http/desktops.ts';
import { serveDiagnostics } from './http/diagnostics.ts';
import { serveDiscovery } from './http/discovery.ts';
import { serveFiles } from './http/files.ts';
import { commonHeaders } from './http/headers.ts';
import { serveHeadless } from './http/headless.ts';
import { serveHolds } from './http/holds.ts';
import { createHosts, type Hosts } from './http/hosts.ts';
import { serveIntegrations } from './http/integrations.ts';
import { serveJoinTokens } from './http/join-tokens.ts';
import { readJson } from './http/json-body.ts';
import { serveKubernetes } from './http/kubernetes.ts';
import { serveLiveSessions } from './http/live-sessions.ts';
import { serveLocks } from './http/locks.ts';
import { serveLoginRules } from './http/login-rules.ts';
import { serveMfa } from './http/mfa.ts';
import { serveNodes } from './http/nodes.ts';
import { serveNotBuilt } from './http/not-built.ts';
import { serveNotifications } from './http/notifications.ts';
import { servePages } from './http/page.ts';
import { servePods } from './http/pods.ts';
import { servePreferences } from './http/preferences.ts';
import { serveRecordings } from './http/recordings.ts';
import { serveResources } from './http/resources.ts';
import { serveReviews } from './http/reviews.ts';
import { serveRights } from './http/rights.ts';
import { serveRoles } from './http/roles.ts';
import { serveSamlIdp } from './http/saml-idp.ts';
import { serveScripts } from './http/scripts.ts';
import { serveSearch } from './http/search.ts';
import { createServe, FORM_TYPE } from './http/serve.ts';
import type { Services } from './http/services.ts';
import { serveSessions } from './http/sessions.ts';
import { serveSnippets } from './http/snippets.ts';
import { serveSshClients } from './http/ssh-clients.ts';
import { serveSso } from './http/sso.ts';
import { serveSupport } from './http/support.ts';
import { traceIdOf } from './http/trace-id.ts';
import { serveTrustedClusters } from './http/trusted-clusters.ts';
import { serveTrustedDevices } from './http/trusted-devices.ts';
import { serveTunnels } from './http/tunnels.ts';
import { serveUsage } from './http/usage.ts';
import { serveUsers } from './http/users.ts';
import { serveWorkspaces } from './http/workspaces.ts';
import { serveLive } from './live/live.ts';
import { serveMcp } from './live/mcp.ts';
import { noSchemas } from './no-schemas.ts';
import { textOfName } from './services/protocols/sftp/names.ts';

export type { Services } from './http/services.ts';

/** Largest JSON body unless a call says otherwise, bytes. */
const BODY_MOST_BYTES = 1024 * 1024;
/** Largest body of a form, bytes. */
const FORM_MOST_BYTES = 16 * 1024;
/** Largest frame that a socket may send, bytes. */
const FRAME_MOST_BYTES = 1024 * 1024;
/** Most fields that a query has. */
const QUERY_MOST = 200;
/** Longest path parameter: a one-time token or a name, characters. */
const PARAMETER_MOST_CHARACTERS = 1024;
/** Used unless the configuration says otherwise, ms. */
const BODY_MS = 60_000;
/** Sockets have this long to answer the close frame when the gateway stops, ms. */
const FAREWELL_MS = 1000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is a WebSocket. */
    socket?: true;
    /** It takes forms too. */
    form?: true;
    /** The body may take as long as it moves. */
    streamed?: true;
  }
}

/** Does not repeat the path: it may hold the token of an invitation. */
const nothingHere = (): Failure => new Failure('not_found', 'not found: the gateway has no such call or file');

/** Builds the app over its services. The caller listens and closes. */
export function createApp(services: Services): FastifyInstance {
  const { log, config } = services;
  const hosts = createHosts(services.applications.front, config);
  const app = createServer(services, hosts);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
    readJson(body),
  );
  app.addContentTypeParser(
    FORM_TYPE,
    { parseAs: 'string', bodyLimit: FORM_MOST_BYTES },
    async (request: FastifyRequest, body: string) => {
      if (!request.routeOptions.config.form) throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE();
      return Object.fromEntries(new URLSearchParams(body));
    },
  );
  const expectBody = (raw: IncomingMessage): void => {
    const late = setTimeout(() => raw.destroy(), config.bodyMs ?? BODY_MS);
    for (const over of ['end', 'close']) raw.once(over, () => clearTimeout(late));
  };
  // First of all, also for what is refused before its body is read.
  app.addHook('onRequest', async ({ raw, headers, routeOptions }) => {
    // Without a body there is nothing to wait for, however long the answer takes.
    const hasBody = Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined;
    if (hasBody && !routeOptions.config.streamed) expectBody(raw);
  });
  // What is streamed may take its time, but not once it was refused.
  app.addHook('onResponse', async ({ raw, routeOptions }) => {
    if (routeOptions.config.streamed && !raw.readableEnded && !raw.destroyed) expectBody(raw);
  });
  app.setErrorHandler((error, request, reply) => {
    services.refused?.(failureCode(error));
    return answerFailure(error, request, reply);
  });
  app.setNotFoundHandler(() => {
    throw nothingHere();
  });

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...commonHeaders(request), 'x-request-id': request.id, 'cache-control': 'no-store' });
    // Before the body is read: whatever it is, there is nobody to take it. Upgrades have none, and hooks to come free their socket.
    if (request.is404 && request.headers.upgrade === undefined) throw nothingHere();
  });
  // What was asked is told by its route, not its path: paths of invitations and queries of sockets hold secrets.
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    if (reply.statusCode >= 500) request.log.warn(line, 'answered');
    else request.log.debug(line, 'answered');
  });

  app.register(fastifyWebsocket, {
    // What it listens to is all that it is given.
    options: { maxPayload: FRAME_MOST_BYTES, perMessageDeflate: false, server: hosts.upgrades as Server },
    // The socket closes itself with the code that fits; other connections lose nothing.
    errorHandler: error => log.debug({ err: error }, 'a socket failed'),
    preClose(done) {
      for (const client of app.websocketServer.clients) {
        client.close(1001, 'the gateway is stopping');
        setTimeout(() => client.terminate(), FAREWELL_MS).unref();
      }
      done();
    },
  });
  app.register(async room => {
    // An upgrade may only go where a socket is: elsewhere its URL, with the token in it, would reach the log.
    room.addHook('onRequest', async request => {
      if (request.ws && !request.routeOptions.config.socket)
        throw new Failure('not_found', 'there is no socket at this address');
    });
    const serve = createServe(room, services);
    serveSessions(serve, services);
    serveCapture(serve, services);
    serveUsage(serve, services);
    serveBilling(serve, services);
    serveClusters(serve, services);
    serveUsers(serve, services);
    serveMfa(serve, services);
    serveHeadless(room, serve, services);
    serveRights(serve, services);
    serveRoles(serve, services);
    serveConnectors(serve, services);
    serveLoginRules(serve, services);
    serveNodes(serve, services);
    serveResources(serve, services);
    serveDatabases(serve, services);
    serveDesktops(serve, services);
    serveDiagnostics(serve, services);
    serveTrustedClusters(serve, services);
    serveTrustedDevices(serve, services);
    serveSupport(serve, services);
    serveTunnels(serve, services);
    serveSamlIdp(room, serve, services);
    serveApplications(room, serve, services);
    serveKubernetes(serve, services);
    servePods(serve, services);
    serveLiveSessions(serve, services);
    serveSshClients(serve, services);
    serveHolds(serve, services);
    serveAccessLists(serve, services);
    serveAccessRequests(serve, services);
    serveAgents(serve, services);
    serveReviews(serve, services);
    serveSnippets(serve, services);
    serveFiles(room, serve, services);
    serveLocks(serve, services);
    serveIntegrations(serve, services);
    serveNotifications(serve, services);
    serveJoinTokens(serve, services);
    serveBots(serve, services);
    serveAwsOidc(room, serve, services);
    serveAudit(serve, services);
    serveRecordings(serve, services);
    servePreferences(serve, services);
    serveAssistant(serve, services);
    serveWorkspaces(serve, services);
    serveSearch(serve, services);
    serveDiscovery(room, services);
    serveCommandLine(room, serve, services);
    serveMcp(room, services);
    serveScripts(room, services);
    serveSso(room, services);
    serveNotBuilt(room);
    serveLive(room, services);
    await servePages(room, services);
  });
  services.reception.openApplications(services.applications.visitors);
  services.reception.open(
    (asked, answer) => app.routing(asked, answer),
    (asked, socket, head) => hosts.upgrades.emit('upgrade', asked, socket, head),
  );
  return app;
}

/** A query whose bytes may be no UTF-8, as names of files are: read as those are. */
const readQuery = (text: string): Record<string, unknown> =>
  parse(text, '&', '=', { decodeURIComponent: encoded => textOfName(bytesOfPercent(encoded)), maxKeys: QUERY_MOST });
const bytesOfPercent = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** A URL as the routes know it. */
function routable(url: string): string {
  // The API is also reachable without its version.
  if (url.startsWith('/webapi/')) return `/v1${url}`;
  if (!url.startsWith('/web/')) return url;
  const [pathname = ''] = url.split('?', 1);
  try {
    decodeURI(pathname);
    return url;
  } catch {
    // An unknown path gets the console's page like any other, also one whose percent signs encode nothing.
    return pathname.replaceAll('%', '%25') + url.slice(pathname.length);
  }
}

function createServer({ config, log, clock }: Services, hosts: Hosts): FastifyInstance {
  const requestLog = createRequestLogs(config.rateLimit, clock, config.trustProxy);
  const options = {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    childLoggerFactory: (parent, bindings, childOptions, raw) => {
      const request = raw as IncomingMessage;
      const trace = traceIdOf(request);
      return requestLog(parent.child({ ...bindings, ...(trace !== undefined && { trace }) }, childOptions), request);
    },
    bodyLimit: BODY_MOST_BYTES,
    routerOptions: { maxParamLength: PARAMETER_MOST_CHARACTERS, querystringParser: readQuery },
    // The proxy beside us is believed, not what its client claims: only the last hop of X-Forwarded-For counts.
    trustProxy: config.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    rewriteUrl: ({ url = '/' }: { url?: string | undefined }) => routable(url),
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers({ ...commonHeaders(request), 'x-request-id': request.id });
      // No hook runs here, so nobody else frees the socket of an upgrade, which the server has already let go of.
      if (request.headers.upgrade !== undefined) reply.raw.once('finish', () => request.raw.socket.destroySoon());
      answerFailure(error, request, reply);
    },
    clientErrorHandler: answerBrokenRequest,
  } satisfies FastifyServerOptions;
  return Fastify({ ...options, ...noSchemas, serverFactory: hosts.server });
}
