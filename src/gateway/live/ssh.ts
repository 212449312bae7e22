// The socket of people's own SSH clients: it leads to the gateway's SSH server, also where nothing but the console's port can be reached.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../contract/failure.ts';
import { SSH_READY, type SshSocketParams, sshSocketParams, sshSocketPath } from '../../contract/ssh-clients.ts';
import { closeCodes } from '../../contract/terminal.ts';
import type { SshDoor } from '../ports/ssh-door.ts';
import type { Who } from '../ports/who.ts';
import { type LeafSocketParts, passSocketOn } from './leaf.ts';
import { readParams } from './params.ts';
import { askSessionFactor, demandShown } from './session-factor.ts';
import { finish, keepAlive, type Socket } from './socket.ts';
import { streamOf } from './socket-stream.ts';
import { type Sockets, wantsUpgrade } from './sockets.ts';

/** Longest `params` that is read, characters. */
const PARAMS_MOST_CHARACTERS = 1024;
/** Sockets of one web session: as many as one copies files to at once. */
const SOCKETS_MOST = 200;

export interface SshSocketServices extends LeafSocketParts {
  readonly sshDoor: Pick<SshDoor, 'take'>;
  readonly config: { readonly clusterName: string; readonly keepAliveMs: number };
}

/** Registers the socket. Its query carries a token, so no line of the log may show its URL. */
export function serveSshSocket(app: FastifyInstance, sockets: Sockets, services: SshSocketServices): void {
  const { config, identity, sshDoor } = services;
  const asked = new WeakMap<FastifyRequest, SshSocketParams & { readonly who: Who }>();
  const open = new Map<Socket, string>();
  app.get<{ Params: { clusterId: string }; Querystring: Record<string, unknown> }>(
    sshSocketPath,
    {
      websocket: true,
      config: { socket: true },
      preValidation: async (request, reply) => {
        const who = await sockets.authenticate(request);
        if (await passSocketOn(services, sockets, request, reply, who)) return reply;
        const params = readParams(sshSocketParams, request.query.params, PARAMS_MOST_CHARACTERS);
        if ([...open.values()].filter(id => id === who.webSessionId).length >= SOCKETS_MOST)
          throw new Failure('limited', `you have ${SOCKETS_MOST} connections open: close one first`);
        asked.set(request, { ...params, who });
        demandShown(request, reply, who, who.rights.options.sessionFactor);
        if (!request.ws) return wantsUpgrade(reply);
      },
    },
    async (socket: Socket, request) => {
      const wanted = asked.get(request);
      if (!wanted) return socket.terminate();
      const { who, server } = wanted;
      open.set(socket, who.webSessionId);
      const forget = sockets.add(who, why => finish(socket, closeCodes.denied, why));
      socket.on('close', () => {
        forget();
        open.delete(socket);
      });
      try {
        const device = who.rights.options.sessionFactor
          ? await askSessionFactor(socket, identity.factors, who, `ssh to ${server}`)
          : undefined;
        if (socket.readyState !== socket.OPEN) return;
        keepAlive(socket, config.keepAliveMs);
        const stream = streamOf(socket);
        sshDoor.take(stream, { who, server, ...(device !== undefined && { device }) });
        socket.send(SSH_READY, { binary: false });
      } catch (error) {
        if (!(error instanceof Failure)) request.log.error({ err: error }, 'an SSH client could not be taken');
        const why =
          error instanceof Failure ? error.message : `the connection could not be made (request ${request.id})`;
        finish(socket, closeCodes.denied, why);
      }
    },
  );
}
