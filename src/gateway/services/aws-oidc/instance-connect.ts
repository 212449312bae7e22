// Machines of EC2 whose address the gateway cannot dial: a WebSocket to an instance connect endpoint of their network leads there, and EC2 Instance
// Connect hands them the key of one session for a minute (AWS, EC2 user guide, "Connect using EC2 Instance Connect Endpoint").
import type { Duplex } from 'node:stream';
import { SignatureV4 } from '@smithy/signature-v4';
import { createWebSocketStream, WebSocket } from 'ws';
import { readAddress } from '../../../contract/address.ts';
import { Failure } from '../../../contract/failure.ts';
import type { AwsPlace } from '../../../contract/nodes.ts';
import { ConnectError } from '../../ports/reach.ts';
import type { Answered } from './ec2.ts';
import { Sha256 } from './sha256.ts';
import { type AwsCredentials, signedQuery } from './signed-post.ts';

/** The address of a tunnel is good for so long, s. */
const ADDRESS_SECONDS = 60;
/** AWS ends a tunnel after so long, s: what it gives at most (EC2 user guide, "maxTunnelDuration"). */
const TUNNEL_SECONDS = 3600;
const ANSWER_MS = 10_000;
/** Largest message that is taken, bytes. */
const MESSAGE_MOST_BYTES = 1024 * 1024;
const READY = 'create-complete';

/** An endpoint that leads into the network of a machine, one of its own subnet before others. Throws ConnectError with a sentence. */
export function endpointFor(
  answer: Answered,
  { vpcId, subnetId, region }: AwsPlace,
): { readonly id: string; readonly host: string } {
  const all = answer.items('instanceConnectEndpointSet');
  const ready = all.filter(one => one.text('state') === READY);
  const found = ready.find(one => one.text('subnetId') === subnetId) ?? ready[0];
  if (found) return { id: found.text('instanceConnectEndpointId'), host: found.text('dnsName') };
  const [other] = all;
  throw new ConnectError(
    'unreachable',
    other
      ? `the instance connect endpoint of network ${vpcId} in ${region} is not ready: ${other.text('state')}`
      : `network ${vpcId} in ${region} has no instance connect endpoint`,
  );
}

/** Throws Failure bad_request unless the machine that EC2 tells of is where that says, and has the address. */
export function checkPlace(
  answer: Answered,
  { accountId, instanceId, region, vpcId, subnetId }: AwsPlace,
  addr: string,
): void {
  const wrong = (field: string, why: string): Failure =>
    new Failure('bad_request', `${field}: ${why}`, { [field]: why });
  const [reservation] = answer.items('reservationSet');
  const [machine] = reservation?.items('instancesSet') ?? [];
  if (!reservation || !machine) throw wrong('aws.instanceId', `there is no ${instanceId} in ${region}`);
  const said = {
    accountId: reservation.text('ownerId'),
    vpcId: machine.text('vpcId'),
    subnetId: machine.text('subnetId'),
  };
  for (const [name, given] of Object.entries({ accountId, vpcId, subnetId })) {
    const is = said[name as keyof typeof said];
    if (is !== given) throw wrong(`aws.${name}`, `${instanceId} is in ${is}, not in ${given}`);
  }
  const address = machine.text('privateIpAddress');
  if (readAddress(addr)?.host !== address) throw wrong('addr', `the private address of ${instanceId} is ${address}`);
}

/** A stream to host:port through an endpoint. Throws ConnectError with a sentence that has no signature in it. */
export async function openTunnel(
  through: { readonly id: string; readonly host: string },
  by: {
    readonly credentials: AwsCredentials;
    readonly region: string;
    readonly arn: string;
    readonly clock: () => Date;
  },
  { host, port }: { readonly host: string; readonly port: number },
  /** In place of AWS. */
  instead?: string,
): Promise<Duplex> {
  const { id } = through;
  if (instead === undefined && !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(through.host))
    throw new ConnectError('unreachable', `the instance connect endpoint ${id} has no address yet`);
  const url = new URL('/openTunnel', instead?.replace(/^http/, 'ws') ?? `wss://${through.host}`);
  const signer = new SignatureV4({
    ...{ credentials: by.credentials, region: by.region, service: 'ec2-instance-connect', sha256: Sha256 },
  });
  const { query = {} } = await signer.presign(
    {
      method: 'GET',
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: {
        instanceConnectEndpointId: id,
        maxTunnelDuration: String(TUNNEL_SECONDS),
        privateIpAddress: host,
        remotePort: String(port),
      },
      headers: { host: url.host },
    },
    { expiresIn: ADDRESS_SECONDS, signingDate: by.clock() },
  );
  url.search = signedQuery(query);
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    followRedirects: false,
    handshakeTimeout: ANSWER_MS,
    maxPayload: MESSAGE_MOST_BYTES,
  });
  // Listens before the socket is open: what the machine says first may come with the answer.
  const stream = createWebSocketStream(socket);
  try {
    await new Promise<void>((done, fail) => {
      socket.once('open', done);
      stream.once('error', fail);
    });
    return stream;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConnectError(
      'unreachable',
      /response: 40[13]$/.test(why)
        ? `AWS does not let ${by.arn} open a tunnel to ${host}:${port} through ${id} (ec2-instance-connect:OpenTunnel)`
        : `the instance connect endpoint ${id} does not answer: ${why.slice(0, 200)}`,
    );
  }
}
