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
import { cloudLines } from '../../features/cloud-clients.ts';
import { complain, plainText } from '../output.ts';
import { CLUSTER_FLAG, SESSION_FLAG } from '../read.ts';
import { type Surface, type Typed, UsageError, type Verb } from '../verb.ts';
import { certify } from './certificate.ts';
import { dial, keptFresh, listenLocally, portOf } from './local-port.ts';
import { open } from './opened.ts';

/** Longest line that the gateway says before bytes begin, characters. */
const LINE_MOST = 1000;

type Ready = ReplyOf<typeof createTunnelCertificate> & { readonly privateKey: string };

/** As whom, in the API of a cloud. Throws UsageError. */
function chosenIn(typed: Typed): { azureIdentity?: string; gcpServiceAccount?: string } {
  const azureIdentity = typed.one('--azure-identity');
  const gcpServiceAccount = typed.one('--gcp-service-account');
  if (azureIdentity !== undefined && gcpServiceAccount !== undefined)
    throw new UsageError('--azure-identity and --gcp-service-account: one of both');
  return {
    ...(azureIdentity !== undefined && { azureIdentity }),
    ...(gcpServiceAccount !== undefined && { gcpServiceAccount }),
  };
}

const proxy =
  (kind: TunnelKind) =>
  async (typed: Typed, { print, untilEnded }: Surface): Promise<number> => {
    const [name = ''] = typed.words;
    const port = portOf(typed);
    const chosen = kind === 'app' ? chosenIn(typed) : {};
    const { session, clusterId } = await open(typed);
    const params = { clusterId, kind, name };
    const ask = (): Promise<Ready> =>
      certify(
        session,
        body => session.call(createTunnelCertificate, { params, body: { ...body, ...chosen } }),
        () => session.call(tunnelKeyChallenge, { params }),
      );
    const first = await ask();
    const fresh = keptFresh(first, ask);
    const listening = await listenLocally({ port, allowHalfOpen: true }, fresh, (local, ready) =>
      join(local, dial(ready, TUNNEL_PROTOCOL)),
    );
    const as = first.cloud ? ` as ${plainText(first.cloud.identity)}` : '';
    const lines = first.cloud ? cloudLines(first.cloud.provider, `http://127.0.0.1:${listening.port}`) : [];
    print(
      [
        `${plainText(name)} is on 127.0.0.1:${listening.port}${as}, for whoever is on this machine, until Ctrl+C.`,
        ...lines.map(({ text }) => `  ${text}`),
      ].join('\n'),
    );
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
    help: 'A port of this machine that leads to a TCP application, or to the API of a cloud',
    flags: [
      PORT,
      {
        name: '--azure-identity',
        argument: 'ID',
        help: 'In Azure: the managed identity, by its resource ID or client ID',
      },
      { name: '--gcp-service-account', argument: 'MAIL', help: 'In Google Cloud: the service account' },
      CLUSTER_FLAG,
      SESSION_FLAG,
    ],
    run: proxy('app'),
  },
  {
    verb: 'proxy tcp',
    words: ['NAME'],
    help: 'The same for a database whose protocol the gateway does not speak, where your roles let you be anybody in it',
    flags: [PORT, CLUSTER_FLAG, SESSION_FLAG],
    run: proxy('db'),
  },
];
