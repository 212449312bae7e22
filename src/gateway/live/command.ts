// The socket of one command on many servers: the same envelopes as a terminal's, and nothing but the answer to a challenge comes back.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type CommandRunParams,
  commandRunParams,
  commandRunPath,
  RUN_HOSTS_MOST,
  RUN_HOSTS_PER_FRAME,
  RUN_PIECE_BYTES,
  type RunEnded,
  type RunHosts,
  type RunOutput,
} from '../../contract/command-run.ts';
import { encodeFrame, type FrameType, frameTypes } from '../../contract/envelope.ts';
import { Failure } from '../../contract/failure.ts';
import { closeCodes } from '../../contract/terminal.ts';
import { failureCode } from '../http/answer-failure.ts';
import type { Who } from '../ports/who.ts';
import type { Assistant } from '../services/assistant/assistant.ts';
import type { Identity } from '../services/identity/identity.ts';
import type { Servers } from '../services/servers/manage.ts';
import { parallelOf, type RunHost, type RunListener, runCommand } from '../services/sessions/command-run.ts';
import { SOCKET_HIGH_BYTES, SOCKET_LOW_BYTES } from '../services/sessions/participant.ts';
import { passSocketOn } from './leaf.ts';
import { readParams, wrong } from './params.ts';
import { gatherResults, SUMMARY_MOST_MS } from './run-results.ts';
import { askSessionFactor, demandShown } from './session-factor.ts';
import { finish, keepAlive, type Socket } from './socket.ts';
import { type Sockets, wantsUpgrade } from './sockets.ts';
import type { TerminalServices } from './terminal.ts';

/** Longest `params` that is read, characters: a URL holds no more. */
const PARAMS_MOST_CHARACTERS = 12_000;
/** Runs that one web session has at once. */
const RUNS_MOST = 10;

export interface CommandServices extends Omit<TerminalServices, 'servers' | 'identity'> {
  readonly identity: TerminalServices['identity'] & { readonly sessions: Pick<Identity['sessions'], 'again'> };
  readonly servers: Pick<Servers, 'targets'>;
  readonly assistant: Pick<Assistant, 'about' | 'check' | 'summarizeRun'>;
}
interface Wanted {
  readonly who: Who;
  readonly params: CommandRunParams;
  readonly hosts: readonly RunHost[];
}

/** Registers the socket. Its query carries a token, so no line of the log may show its URL. */
export function serveCommand(app: FastifyInstance, sockets: Sockets, services: CommandServices): void {
  const { config, sessions, identity, servers, assistant } = services;
  const asked = new WeakMap<FastifyRequest, Wanted>();
  /** Web sessions of the runs that are open. */
  const open = new Map<Socket, string>();
  /** Without an assistant there is no conversation that it could be of. */
  const isProposed = (params: CommandRunParams): boolean => params.conversation_id !== '' && assistant.about().enabled;

  app.get<{ Params: { clusterId: string }; Querystring: Record<string, unknown> }>(
    commandRunPath,
    {
      websocket: true,
      config: { socket: true },
      preValidation: async (request, reply) => {
        const who = await sockets.authenticate(request);
        if (await passSocketOn(services, sockets, request, reply, who)) return reply;
        const params = readParams(commandRunParams, request.query.params, PARAMS_MOST_CHARACTERS);
        const others = [...open.values()].filter(id => id === who.webSessionId);
        if (others.length >= RUNS_MOST)
          throw new Failure('limited', `you have ${RUNS_MOST} runs open: close one first`);
        if (isProposed(params)) await assistant.check(who, params.conversation_id);
        const targets = await servers.targets(who, params.query, RUN_HOSTS_MOST);
        const hosts = targets.map(target => ({ target, login: loginOf(params, target.id) }));
        if (hosts.every(({ login }) => login === '')) throw wrong('params.login', 'give the login on the servers');
        asked.set(request, { who, params, hosts });
        demandShown(request, reply, who, who.rights.options.sessionFactor);
        if (!request.ws) return wantsUpgrade(reply);
      },
    },
    async (socket: Socket, request) => {
      const wanted = asked.get(request);
      if (!wanted) return socket.terminate();
      const { who, params, hosts } = wanted;
      open.set(socket, who.webSessionId);
      const forget = sockets.add(who, why => finish(socket, closeCodes.denied, why));
      let stop = (): void => undefined;
      socket.on('close', () => {
        forget();
        open.delete(socket);
        stop();
      });
      try {
        const device = who.rights.options.sessionFactor
          ? await askSessionFactor(socket, identity.factors, who, titleOf(hosts))
          : undefined;
        if (socket.readyState !== socket.OPEN) return;
        identity.sessions.active(who.webSessionId);
        tellHosts(socket, hosts, parallelOf({ who, parallel: params.parallel }));
        const command = { line: params.command, executionId: params.execution_id };
        const failed = (error: unknown): void =>
          request.log.error({ err: error }, 'a command could not be started on a server');
        const results = gatherResults(listenerOf(socket, failed, () => run));
        const run = runCommand(
          sessions,
          {
            who,
            again: identity.sessions.again,
            command,
            hosts,
            parallel: params.parallel,
            ...(device !== undefined && { device }),
          },
          results.listener,
        );
        stop = () => run.stop(`${who.user} stopped the run.`);
        keepAlive(socket, config.keepAliveMs);
        await run.done;
        if (isProposed(params)) {
          const told = await summaryOf(await identity.sessions.again(who), params, results.all(), socket);
          if (told) tell<RunOutput>(socket, frameTypes.raw, { node_id: '', ...told });
        }
        finish(socket, closeCodes.normal, '');
      } catch (error) {
        services.refused?.(failureCode(error));
        const text = error instanceof Failure ? error.message : `the run could not go on (request ${request.id})`;
        if (!(error instanceof Failure)) request.log.error({ err: error }, 'a run could not go on');
        send(socket, frameTypes.error, text);
        finish(socket, error instanceof Failure ? closeCodes.denied : closeCodes.failed, text);
      }
    },
  );

  /** What the assistant says of a run that it proposed, or why it says nothing; nothing where that is too much. */
  async function summaryOf(
    who: Who,
    { conversation_id: id, execution_id: executionId, command }: CommandRunParams,
    on: Parameters<Assistant['summarizeRun']>[2]['on'],
    socket: Socket,
  ): Promise<Pick<RunOutput, 'type' | 'payload'> | null> {
    const left = new AbortController();
    socket.on('close', () => left.abort());
    const encoded = (text: string): string => Buffer.from(text).subarray(0, RUN_PIECE_BYTES).toString('base64');
    try {
      const signal = AbortSignal.any([left.signal, AbortSignal.timeout(SUMMARY_MOST_MS)]);
      const summary = await assistant.summarizeRun(who, id, { executionId, command, on }, signal);
      return summary === null ? null : { type: 'summary', payload: encoded(summary) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { type: 'postern-error', payload: encoded(`There is no summary: ${error.message}.`) };
    }
  }
}

const titleOf = ([first, ...others]: readonly RunHost[]): string =>
  others.length === 0
    ? `a command as ${first?.login} on ${first?.target.hostname}`
    : `a command on ${others.length + 1} servers`;

const loginOf = ({ login, logins }: CommandRunParams, id: string): string =>
  (Object.hasOwn(logins, id) ? logins[id] : undefined) ?? login;

function tellHosts(socket: Socket, hosts: readonly RunHost[], parallel: number): void {
  for (let at = 0; at < hosts.length; at += RUN_HOSTS_PER_FRAME)
    tell<RunHosts>(socket, frameTypes.audit, {
      event: 'run.hosts',
      total: hosts.length,
      parallel,
      hosts: hosts
        .slice(at, at + RUN_HOSTS_PER_FRAME)
        .map(({ target, login }) => ({ node_id: target.id, hostname: target.hostname, login })),
    });
}

/** Tells a run to a socket. While the network does not take what it is given, nothing more is read of the servers. */
function listenerOf(
  socket: Socket,
  failed: (error: unknown) => void,
  run: () => { pause(): void; resume(): void },
): RunListener {
  let isHeld = false;
  const drained = (): void => {
    if (!isHeld || socket.bufferedAmount > SOCKET_LOW_BYTES) return;
    isHeld = false;
    run().resume();
  };
  const output = ({ target }: RunHost, type: RunOutput['type'], bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; at += RUN_PIECE_BYTES) {
      const payload = Buffer.from(bytes.subarray(at, at + RUN_PIECE_BYTES)).toString('base64');
      tell<RunOutput>(socket, frameTypes.raw, { node_id: target.id, type, payload }, drained);
    }
    if (isHeld || socket.readyState !== socket.OPEN || socket.bufferedAmount < SOCKET_HIGH_BYTES) return;
    isHeld = true;
    run().pause();
  };
  return {
    began: (_host, session) => tell(socket, frameTypes.session, { session }),
    output: (host, bytes, from) => output(host, from, bytes),
    said: (host, text) => output(host, 'postern-error', Buffer.from(text)),
    ended: ({ target }, how) => tell<RunEnded>(socket, frameTypes.close, { node_id: target.id, ...how }),
    failed,
  };
}

const tell = <Message>(socket: Socket, type: FrameType, message: Message, sent?: () => void): void =>
  send(socket, type, JSON.stringify(message), sent);

function send(socket: Socket, type: FrameType, text: string, sent?: () => void): void {
  if (socket.readyState === socket.OPEN) socket.send(encodeFrame(type, Buffer.from(text)), { binary: true }, sent);
}
