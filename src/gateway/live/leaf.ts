// Sockets of a leaf cluster: the upgrade is passed on to it, and the bytes of both ends to each other.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { otherCluster, passedOn, passedPath, passOn } from '../http/leaf.ts';
import type { Who } from '../ports/who.ts';
import { joinStreams } from '../services/trust/joined-streams.ts';
import { type LeafFactorParts, type LeafSocketFrames, proveAndGoOn } from './leaf-factor.ts';
import { FACTOR_ASKED_HEADER } from './session-factor.ts';
import type { Sockets } from './sockets.ts';

/** Of a request for an upgrade, what a leaf is told beside who asks. */
const upgradeHeaders = ['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-protocol'] as const;

export interface LeafSocketParts extends LeafFactorParts {
  readonly config: { readonly clusterName: string };
}

/** Takes a request for a socket of another cluster than this one; false where it is of this one. Throws Failure, ConnectError. */
export async function passSocketOn(
  parts: LeafSocketParts,
  sockets: Pick<Sockets, 'add'>,
  request: FastifyRequest,
  reply: FastifyReply,
  who: Who,
  frames: LeafSocketFrames = {},
): Promise<boolean> {
  const { leaves, config } = parts;
  const name = otherCluster(request, config.clusterName);
  if (name === undefined) return false;
  if (!request.ws) {
    await passOn(null, request, reply, parts, who, name);
    return true;
  }
  const leaf = await leaves.reach(who, name);
  const { raw } = request;
  const path = passedPath(raw.url ?? '/');
  const headers: Record<string, string> = {
    ...passedOn(request, leaf),
    connection: 'Upgrade',
    upgrade: 'websocket',
  };
  for (const one of upgradeHeaders) {
    const value = raw.headers[one];
    if (typeof value === 'string') headers[one] = value;
  }
  const upgraded = await leaf.connection.upgrade({ path, headers });
  reply.hijack();
  const near: Duplex = raw.socket;
  if (upgraded.socket === null) {
    upgraded.answer.resume();
    if (upgraded.answer.headers[FACTOR_ASKED_HEADER] !== undefined) {
      proveAndGoOn(parts, sockets, request, who, { leaf: name, path, headers: passedOn(request, leaf) }, frames);
      return true;
    }
    near.end(`HTTP/1.1 ${statusOf(upgraded.answer)}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    return true;
  }
  near.write(`${head(upgraded.answer)}\r\n`);
  const { socket: far } = upgraded;
  if (upgraded.head.length > 0) near.write(upgraded.head);
  joinStreams(
    near,
    far,
    over => sockets.add(who, over),
    side => side.destroy(),
  );
  return true;
}

const statusOf = ({ statusCode = 502 }: IncomingMessage): string =>
  statusCode >= 400 && statusCode < 600 ? `${statusCode} Refused` : '502 Bad Gateway';
/** What of the leaf's answer makes it the answer to this key. */
function head({ headers }: IncomingMessage): string {
  const lines = ['HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: Upgrade'];
  for (const name of ['sec-websocket-accept', 'sec-websocket-protocol'] as const) {
    const value = headers[name];
    if (typeof value === 'string') lines.push(`${name}: ${value}`);
  }
  return `${lines.join('\r\n')}\r\n`;
}
