// Ports of this machine that lead to TCP applications, and to databases whose protocol the gateway does not speak: bytes, as they are.
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ReplyOf } from '../../contract/call.ts';
import {
  createTunnelCertificate,
  TUNNEL_PROTOCOL,
  type TunnelKind,
  tunnelKeyChallenge,
} from '../../contract/tunnels.ts';
import { complain, plainText } from '../output.ts';
import { SESSION_FLAG } from '../read.ts';
import type { Surface, Typed, Verb } from '../verb.ts';
import { certify } from './certificate.ts';
import { factsOf } from './facts.ts';
import { dial, keptFresh, listenLocally, portOf } from './local-port.ts';
import { sessionOf } from './session-file.ts';
import { resumeSession } from './signed.ts';

/** Longest line that the gateway says before bytes begin, characters. */
const LINE_MOST = 1000;

type Ready = ReplyOf<typeof createTunnelCertificate> & { readonly privateKey: string };

const proxy =
  (kind: TunnelKind) =>
  async (typed: Typed, { print, untilEnded }: Surface): Promise<number> => {
    const [name = ''] = typed.words;
    const port = portOf(typed);
    const session = resumeSession(sessionOf(typed));
    const { clusterId } = await factsOf(session);
    const params = { clusterId, kind, name };
    const ask = (): Promise<Ready> =>
      certify(
        session,
        body => session.call(createTunnelCertificate, { params, body }),
        () => session.call(tunnelKeyChallenge, { params }),
      );
    const fresh = keptFresh(await ask(), ask);
    const listening = await listenLocally({ port, allowHalfOpen: true }, fresh, (local, ready) =>
      join(local, dial(ready, TUNNEL_PROTOCOL)),
    );
    print(`${plainText(name)} is on 127.0.0.1:${listening.port}, for whoever is on this machine, until Ctrl+C.`);
    await untilEnded?.();
    listening.close();
    return 0;
  };

/** The gateway first says a line: an empty one, and bytes follow, or why not. */
function join(local: Socket, remote: TLSSocket): void {
  // A server may answer what has been sent to its end.
  remote.allowHalfOpen = true;
  const refused = (why: string): void => {
    complain(plainText(why));
    local.destroy();
    remote.destroy();
  };
  let said = '';
  let isOpen = false;
  const listen = (bytes: Buffer): void => {
    const end = bytes.indexOf('\n');
    said += bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
    if (end < 0 && said.length < LINE_MOST) return;
    remote.off('data', listen);
    if (said !== '') return void refused(said);
    isOpen = true;
    if (end + 1 < bytes.length) remote.unshift(bytes.subarray(end + 1));
    local.pipe(remote);
    remote.pipe(local);
  };
  remote.on('data', listen);
  remote.on('error', error => refused(error.message));
  remote.once('close', () => {
    if (isOpen || said !== '') local.end();
    else refused('the gateway hung up');
  });
  local.once('close', () => remote.destroy());
}

const PORT = { name: '--port', argument: 'NUMBER', help: 'Which; a free one unless said' };
export const tunnelVerbs: readonly Verb[] = [
  {
    verb: 'proxy app',
    words: ['NAME'],
    help: 'A port of this machine that leads to a TCP application',
    flags: [PORT, SESSION_FLAG],
    run: proxy('app'),
  },
  {
    verb: 'proxy tcp',
    words: ['NAME'],
    help: 'The same for a database whose protocol the gateway does not speak, where your roles let you be anybody in it',
    flags: [PORT, SESSION_FLAG],
    run: proxy('db'),
  },
];
