// The terminal socket: binary envelopes between a browser and the broker.
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { encodeFrame, FRAME_HEAD_MOST_BYTES, type FrameType, frameTypes } from '../../contract/envelope.ts';
import { Failure, type FailureCode } from '../../contract/failure.ts';
import { closeCodes, type LatencyFrame, RAW_MOST_BYTES, terminalPath } from '../../contract/terminal.ts';
import { failureCode } from '../http/answer-failure.ts';
import type { After } from '../ports/after.ts';
import type { AuditLog } from '../ports/audit.ts';
import { ConnectError } from '../ports/reach.ts';
import { FACTOR_ELSEWHERE, isOfVisitor, type Who } from '../ports/who.ts';
import type { Identity } from '../services/identity/identity.ts';
import type { Broker, Participant, SessionEnd, Subscriber } from '../services/sessions/participant.ts';
import { createFrameMemory } from './frame-memory.ts';
import { type LeafSocketParts, passSocketOn } from './leaf.ts';
import { askSessionFactor, checkPresence, demandShown } from './session-factor.ts';
import { finish, keepAlive, type Socket } from './socket.ts';
import { type Sockets, wantsUpgrade } from './sockets.ts';
import { createReader } from './terminal-frames.ts';
import {
  type RequestParts,
  readTerminalParams,
  readTerminalRequest,
  type TerminalRequest,
} from './terminal-request.ts';

/** Latency is measured and told this often. */
const LATENCY_EVERY_MS = 5000;

export interface TerminalServices extends RequestParts, LeafSocketParts {
  readonly identity: {
    readonly factors: Pick<Identity['factors'], 'challenge' | 'prove'>;
    readonly sessions: Pick<Identity['sessions'], 'active' | 'again'>;
  };
  readonly audit: AuditLog;
  readonly sessions: Broker;
  /** The clock of presence checks; the default is the machine's. */
  readonly after?: After;
  /** Hears the code of every failure that a terminal is answered with. */
  readonly refused?: (code: FailureCode) => void;
  readonly config: {
    readonly clusterName: string;
    /** A peer that was silent for two of these is dropped, ms. */
    readonly keepAliveMs: number;
  };
}

/** Registers the socket. Its query carries a token, so no line of the log may show its URL. */
export function serveTerminal(app: FastifyInstance, sockets: Sockets, services: TerminalServices): void {
  const { config, sessions } = services;
  const asked = new WeakMap<FastifyRequest, TerminalRequest>();
  /** Sessions that a web session has proven its factor for: coming back to one asks nothing. */
  const proven = new Set<string>();
  const isAsked = ({ who, ...wanted }: TerminalRequest): boolean => {
    if (!who.rights.options.sessionFactor) return false;
    for (const one of proven) if (sessions.get(one.split(' ')[1] ?? '') === null) proven.delete(one);
    return wanted.kind === 'open' || !proven.has(`${who.webSessionId} ${wanted.sid}`);
  };

  app.get<{ Params: { clusterId: string }; Querystring: Record<string, unknown> }>(
    terminalPath,
    {
      websocket: true,
      config: { socket: true },
      preValidation: async (request, reply) => {
        const who = await sockets.authenticate(request);
        const { params } = request.query;
        if (await passSocketOn(services, sockets, request, reply, who, { refusal })) return reply;
        try {
          asked.set(request, await readTerminalRequest(services, who, params));
        } catch (error) {
          if (request.ws) await noteRefusal(services.audit, who, params, error);
          throw error;
        }
        const wanted = asked.get(request);
        if (wanted && moderatesFromElsewhere(sessions, wanted)) throw new Failure('denied', FACTOR_ELSEWHERE);
        if (wanted) demandShown(request, reply, who, isAsked(wanted));
        // A browser does not say why a socket was refused: the console asks here without an upgrade, and nothing was wrong.
        if (!request.ws) return wantsUpgrade(reply);
      },
    },
    async (socket: Socket, request) => {
      const wanted = asked.get(request);
      if (!wanted) return socket.terminate();
      // Frames that come early wait in the network until there is a session to give them to.
      socket.pause();
      const forget = sockets.add(wanted.who, why => finish(socket, closeCodes.denied, why));
      let participant: Participant | undefined;

      socket.on('close', code => {
        forget();
        if (code === closeCodes.normal) participant?.leave();
        else participant?.drop();
      });

      try {
        const { who } = wanted;
        const prove = () => askSessionFactor(socket, services.identity.factors, who, titleOf(sessions, wanted));
        socket.resume();
        const device = isAsked(wanted) ? await prove() : undefined;
        socket.pause();
        if (socket.readyState !== socket.OPEN) return;
        const { w: cols, h: rows } = wanted.params.term;
        const size = { cols, rows };
        const container = wanted.kind === 'open' ? await wanted.enter?.(device ?? '') : undefined;
        const sid =
          wanted.kind === 'join'
            ? wanted.sid
            : (
                await sessions.open({
                  who,
                  target: wanted.target,
                  login: container?.kubeUser ?? wanted.login,
                  size,
                  ...(container && { container }),
                  ...(wanted.prompt && { prompt: wanted.prompt }),
                  ...(device && { device }),
                })
              ).sid;
        if (device) proven.add(`${who.webSessionId} ${sid}`);
        const { have } = wanted.params;
        const joined = sessions.attach(sid, {
          who: wanted.who,
          mode: wanted.kind === 'join' ? wanted.mode : '',
          size,
          ...(have === undefined ? {} : { have }),
          subscriber: subscriberOf(socket),
        });
        participant = joined;
        // Typing is activity; what a terminal prints is none.
        const typing: Participant = {
          ...joined,
          input(bytes) {
            services.identity.sessions.active(who.webSessionId);
            joined.input(bytes);
          },
          // Those who are asked read the name of the server that it would go to, as the gateway knows it.
          async requestFile({ to, ...transfer }) {
            if (!to) return joined.requestFile(transfer);
            try {
              const { id, hostname } = await services.servers.target(who, to.nodeId);
              joined.requestFile({ ...transfer, to: { ...to, nodeId: id } }, hostname);
            } catch (error) {
              send(socket, frameTypes.error, error instanceof Failure ? error.message : 'the server was not found');
            }
          },
        };
        // It may have gone while the server was being reached: then its close was heard before there was anyone to drop.
        if (socket.readyState !== socket.OPEN) return joined.drop();
        socket.on(
          'message',
          createReader(typing, {
            error: text => send(socket, frameTypes.error, text),
            close: (code, why) => finish(socket, code, why),
            failed: error => request.log.error({ err: error }, 'a terminal frame could not be handled'),
          }),
        );
        measure(socket, joined, config.keepAliveMs);
        if (joined.mode === 'moderator' && who.rights.options.sessionFactor)
          checkPresence(socket, prove, why => sessions.showOut(sid, joined.id, why), services.after ?? afterTimeout);
        socket.resume();
      } catch (error) {
        services.refused?.(failureCode(error));
        refuse(socket, error, request);
      }
    },
  );
}

/** Moderators show again and again that they are there, which somebody from a root cluster cannot. */
function moderatesFromElsewhere(sessions: Broker, wanted: TerminalRequest): boolean {
  const { who } = wanted;
  if (wanted.kind !== 'join' || !isOfVisitor(who.userId) || !who.rights.options.sessionFactor) return false;
  if (wanted.mode !== '') return wanted.mode === 'moderator';
  return sessions.modesFor(who, wanted.sid).every(mode => mode === 'moderator');
}

const refusal = (why: string) => encodeFrame(frameTypes.error, Buffer.from(why));
/** What is opened or joined: `root@db-3`. */
function titleOf(sessions: Broker, wanted: TerminalRequest): string {
  if (wanted.kind === 'open') return `${wanted.login}@${wanted.target.hostname}`;
  const joined = sessions.get(wanted.sid)?.session;
  return joined ? `${joined.login}@${joined.server_hostname}` : '';
}

/** A server that is not there for this person, or a login or session that no role gives, leaves a trace (code T3007W). */
async function noteRefusal(audit: AuditLog, who: Who, params: unknown, error: unknown): Promise<void> {
  if (!(error instanceof Failure) || (error.code !== 'denied' && error.code !== 'not_found')) return;
  const { login, server_id, sid } = readTerminalParams(params);
  await audit.emit({
    code: 'T3007W',
    user: who.user,
    login,
    server_id,
    sid,
    success: false,
    error: error.message,
    'addr.remote': who.remoteAddr,
  });
}

/** The broker's view of the socket. */
function subscriberOf(socket: Socket): Subscriber {
  let drained: () => void = () => undefined;
  const frames = createFrameMemory();
  return {
    begin: frame => send(socket, frameTypes.session, JSON.stringify(frame)),
    output: bytes => {
      for (let at = 0; at < bytes.length && socket.readyState === socket.OPEN; at += RAW_MOST_BYTES) {
        const piece = bytes.subarray(at, at + RAW_MOST_BYTES);
        const memory = frames.take(piece.length + FRAME_HEAD_MOST_BYTES);
        socket.send(encodeFrame(frameTypes.raw, piece, memory), { binary: true }, error => {
          if (!error) frames.giveBack(memory);
          drained();
        });
      }
    },
    event: event => send(socket, frameTypes.audit, JSON.stringify(event)),
    ended: end => tellEnd(socket, end),
    bufferedBytes: () => socket.bufferedAmount,
    onDrain: listener => {
      drained = listener;
    },
  };
}

/** How each kind of end is told: with `c` when the session is over in good order, else as an abnormal close. */
const endings = {
  exited: { over: true, code: closeCodes.normal },
  ended: { over: true, code: closeCodes.normal },
  idle: { over: true, code: closeCodes.normal },
  abandoned: { over: true, code: closeCodes.normal },
  left: { over: true, code: closeCodes.normal },
  // The same code as where the web session ends, which is often found at the same time.
  forbidden: { over: true, code: closeCodes.denied },
  lost: { over: false, code: closeCodes.failed },
  unrecorded: { over: false, code: closeCodes.failed },
  shutdown: { over: false, code: closeCodes.goingAway },
} as const satisfies Record<SessionEnd['kind'], { over: boolean; code: number }>;

function tellEnd(socket: Socket, { kind, text }: SessionEnd): void {
  const { over, code } = endings[kind];
  // The wire leaves the payload of `c` empty; ours says what there is to say, which others need not read.
  if (over) send(socket, frameTypes.close, text);
  else send(socket, frameTypes.error, text);
  finish(socket, code, text);
}

/** Why no session came about: a sentence in the terminal, and the socket's end. */
function refuse(socket: Socket, error: unknown, request: FastifyRequest): void {
  const known = error instanceof ConnectError || (error instanceof Failure && error.code !== 'internal');
  if (!known) request.log.error({ err: error }, 'a terminal could not be opened');
  const text =
    error instanceof ConnectError || error instanceof Failure
      ? error.message
      : `the session could not be started (request ${request.id})`;
  const denied =
    (error instanceof Failure && (error.code === 'denied' || error.code === 'limited')) ||
    (error instanceof ConnectError && error.reason === 'not_permitted');
  send(socket, frameTypes.error, text);
  socket.resume();
  finish(socket, denied ? closeCodes.denied : closeCodes.failed, text);
}

const afterTimeout: After = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

/** Pings, drops a peer that stays silent, and tells both halves of the way to the server. */
function measure(socket: Socket, participant: Participant, keepAliveMs: number): void {
  let measuring = false;
  keepAlive(socket, keepAliveMs, Math.min(LATENCY_EVERY_MS, keepAliveMs), async ms => {
    if (measuring) return;
    measuring = true;
    try {
      const latency: LatencyFrame = { ws: Math.round(ms), ssh: Math.round(await participant.roundTrip()) };
      send(socket, frameTypes.latency, JSON.stringify(latency));
    } catch {
      // The host does not answer: whether the session goes on is the connector's to say, there is just nothing to tell.
    } finally {
      measuring = false;
    }
  });
}

function send(socket: Socket, type: FrameType, text: string): void {
  if (socket.readyState === socket.OPEN) socket.send(encodeFrame(type, Buffer.from(text)), { binary: true });
}
