// The socket of pods as they change, and of one container's log, where roles ask for it behind a second factor. What is allowed is asked at the cluster's own door.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../contract/failure.ts';
import { type PodsMessage, type PodsParams, podsParams, podsPath } from '../../contract/pods.ts';
import { closeCodes } from '../../contract/terminal.ts';
import { ConnectError } from '../ports/reach.ts';
import type { Who } from '../ports/who.ts';
import type { KubernetesDoor } from '../services/protocols/kubernetes/door.ts';
import type { Clusters } from '../services/protocols/kubernetes/entrance.ts';
import { openLog, watchPods } from '../services/protocols/kubernetes/pods.ts';
import { SOCKET_HIGH_BYTES, SOCKET_LOW_BYTES } from '../services/sessions/participant.ts';
import { type LeafSocketParts, passSocketOn } from './leaf.ts';
import { readParams } from './params.ts';
import { askSessionFactor, demandShown } from './session-factor.ts';
import { finish, keepAlive, type Socket } from './socket.ts';
import { type Sockets, wantsUpgrade } from './sockets.ts';

/** Longest `params` that is read, characters. */
const PARAMS_MOST_CHARACTERS = 4096;
/** Sockets of one web session: more pages than anyone has open. */
const SOCKETS_MOST = 50;

export interface PodsSocketParts extends LeafSocketParts {
  readonly clusters: Pick<Clusters, 'open' | 'prove'>;
  readonly config: { readonly clusterName: string; readonly keepAliveMs: number };
}
interface Wanted {
  readonly who: Who;
  readonly params: PodsParams;
  readonly cluster: string;
  readonly door: KubernetesDoor;
}

/** Registers the socket. Its query carries a token, so no line of the log may show its URL. */
export function servePodsLive(app: FastifyInstance, sockets: Sockets, parts: PodsSocketParts): void {
  const { clusters, config, identity } = parts;
  const asked = new WeakMap<FastifyRequest, Wanted>();
  /** Web sessions of the sockets that are open. */
  const open = new Map<Socket, string>();
  app.get<{ Params: { clusterId: string; name: string }; Querystring: Record<string, unknown> }>(
    podsPath,
    {
      websocket: true,
      config: { socket: true },
      preValidation: async (request, reply) => {
        const who = await sockets.authenticate(request);
        if (await passSocketOn(parts, sockets, request, reply, who, { factor: frames, refusal })) return reply;
        const params = readParams(podsParams, request.query.params, PARAMS_MOST_CHARACTERS);
        const others = [...open.values()].filter(id => id === who.webSessionId);
        if (others.length >= SOCKETS_MOST)
          throw new Failure('limited', 'this session looks at too many pods: close a tab');
        const { name: cluster } = request.params;
        const door = await clusters.open(who, cluster);
        asked.set(request, { who, params, cluster, door });
        demandShown(request, reply, who, who.rights.options.sessionFactor && door.device === '');
        if (!request.ws) return wantsUpgrade(reply);
      },
    },
    async (socket: Socket, request) => {
      const wanted = asked.get(request);
      if (!wanted) return socket.terminate();
      open.set(socket, wanted.who.webSessionId);
      const left = new AbortController();
      let close = (): void => undefined;
      const forget = sockets.add(wanted.who, why => over(why));
      socket.on('close', () => {
        forget();
        close();
        open.delete(socket);
        left.abort();
      });
      keepAlive(socket, config.keepAliveMs);
      const tell = (message: PodsMessage): void => {
        if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message), { binary: false });
      };
      function over(why: string): void {
        tell({ over: why });
        finish(socket, why === '' ? closeCodes.normal : closeCodes.denied, why);
      }
      try {
        const { who, cluster } = wanted;
        let { door } = wanted;
        if (who.rights.options.sessionFactor) {
          const device =
            door.device || (await askSessionFactor(socket, identity.factors, who, `pods of ${cluster}`, frames));
          if (left.signal.aborted) return;
          close = clusters.prove(who, cluster, device);
          door = await clusters.open(who, cluster, device);
        }
        const { what } = wanted.params;
        if (what !== 'proof') await (what === 'pods' ? pods : log)(socket, { ...wanted, door }, tell, left.signal);
        over('');
      } catch (error) {
        if (left.signal.aborted) return;
        if (error instanceof Failure || error instanceof ConnectError) return over(error.message);
        request.log.error({ err: error }, 'pods could not be watched');
        over(`The cluster could not be asked any more (request ${request.id}).`);
      }
    },
  );
}

/** The question for a second factor, as one more thing that is said; its answer is the one thing that is heard. */
const frames = {
  write: (challenge: unknown) => JSON.stringify({ challenge }),
  read: (message: Buffer): unknown => JSON.parse(message.toString()),
};
const refusal = (over: string): string => JSON.stringify({ over } satisfies PodsMessage);
type Tell = (message: PodsMessage) => void;
function pods(
  socket: Socket,
  { params: { namespace }, cluster, door }: Wanted,
  tell: Tell,
  signal: AbortSignal,
): Promise<void> {
  const hear: Tell = message => {
    // Whoever has fallen so far behind asks for all again once they are back.
    if (socket.bufferedAmount > SOCKET_HIGH_BYTES) socket.terminate();
    else tell(message);
  };
  return watchPods(door, { cluster, namespace }, hear, signal);
}
async function log(socket: Socket, { params, door }: Wanted, _tell: Tell, signal: AbortSignal): Promise<void> {
  const body = await openLog(door, params, signal);
  for await (const text of body.setEncoding('utf8')) {
    const message: PodsMessage = { text: String(text) };
    await new Promise<void>(taken => {
      socket.send(JSON.stringify(message), { binary: false }, () => taken());
      if (socket.bufferedAmount < SOCKET_LOW_BYTES) taken();
    });
  }
}
