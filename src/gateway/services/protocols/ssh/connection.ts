// One SSH connection up to the point where someone may log in: TCP, key exchange, and the host key checked.
import type { Duplex } from 'node:stream';
import { BaseAgent, Client, type ConnectConfig } from 'ssh2';
import type { AwsPlace } from '../../../../contract/nodes.ts';
import type { Reach, ReachedStream, TunnelWay } from '../../../ports/reach.ts';
import type { Address } from './address.ts';
import type { HostKeyAlgorithm } from './host-key.ts';
import { gatherPackets, prepareKeys } from './ssh2-private.ts';

/** A dead host is noticed after three of these without an answer. */
const KEEPALIVE_MS = 30_000;
const KEEPALIVE_TRIES = 3;

/** Listed, because the client's own defaults still hold SHA-1. Each is in OpenSSH since 6.5 (2014) or 7.2. */
const kex = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
  'diffie-hellman-group-exchange-sha256',
  'diffie-hellman-group16-sha512',
  'diffie-hellman-group14-sha256',
] as const;
const cipher = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'chacha20-poly1305@openssh.com',
  'aes128-ctr',
  'aes192-ctr',
  'aes256-ctr',
] as const;
const hmac = [
  'hmac-sha2-256-etm@openssh.com',
  'hmac-sha2-512-etm@openssh.com',
  'hmac-sha2-256',
  'hmac-sha2-512',
] as const;

export interface ConnectionOptions {
  readonly reach: Reach;
  /** Id of the server, '' for an address that is only looked at. */
  readonly target: string;
  readonly way?: TunnelWay | null;
  /** A machine of EC2 that is reached through AWS. */
  readonly aws?: AwsPlace;
  readonly address: Address;
  readonly login: string;
  /** Best first. */
  readonly hostKeyAlgorithms: readonly HostKeyAlgorithm[];
  /** Sees the blob of the key that the host shows, also when keys are exchanged anew. False ends the connection. */
  readonly accept: (hostKey: Buffer) => boolean;
  /** Opens a way to the agent that programs there may use; absent: they have none. */
  readonly agent?: () => Promise<Duplex>;
  /** May try to log in; otherwise the connection is good for looking at the host key only. */
  readonly mayLogIn: boolean;
}

export interface Connection {
  readonly client: Client;
  readonly socket: ReachedStream;
}

/** Whoever asks this agent is handed on to the person's own: nothing is known of its keys here. */
class LentAgent extends BaseAgent {
  readonly #open: () => Promise<Duplex>;
  constructor(open: () => Promise<Duplex>) {
    super();
    this.#open = open;
  }
  override getIdentities(done: (error: Error) => void): void {
    done(new Error('log-ins here use no agent'));
  }
  override sign(_key: unknown, _data: unknown, ...rest: readonly unknown[]): void {
    const done = rest.at(-1);
    if (typeof done === 'function') done(new Error('log-ins here use no agent'));
  }
  override getStream(done: (error: Error | undefined, stream?: Duplex) => void): void {
    this.#open().then(
      stream => done(undefined, stream),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  }
}

/** Starts connecting. Attach listeners at once: everything, failures too, comes as events of the client. You must end the client. */
export function openConnection({
  reach,
  target,
  way,
  aws,
  address,
  login,
  hostKeyAlgorithms,
  accept,
  mayLogIn,
  agent,
}: ConnectionOptions): Connection {
  const client = new Client();
  let encrypted = false;
  const socket = reach.open({ target, ...address, ...(way && { way }), ...(aws && { aws }) }, bytes => {
    // The client keeps parts of what comes in the clear. Of what is encrypted it keeps the decrypted copy only.
    socket.emit('data', encrypted ? bytes : Buffer.from(bytes));
  });
  // Read nothing before the client listens; it resumes the socket then.
  socket.pause();
  let tried = false;
  const config: ConnectConfig = {
    sock: socket,
    username: login,
    readyTimeout: 0,
    keepaliveInterval: KEEPALIVE_MS,
    keepaliveCountMax: KEEPALIVE_TRIES,
    algorithms: {
      kex: [...kex],
      cipher: [...cipher],
      hmac: [...hmac],
      serverHostKey: [...hostKeyAlgorithms],
      compress: ['none'],
    },
    hostVerifier: (key: Buffer) => accept(key),
    // One attempt, whose request ssh2-private.ts writes; then no more.
    authHandler: (_left, _partial, next) => {
      if (tried || !mayLogIn) return next(false as never);
      tried = true;
      next({ type: 'none', username: login });
    },
    ident: 'Postern',
    ...(agent && { agent: new LentAgent(agent), agentForward: true }),
  };
  client.on('handshake', () => {
    encrypted = true;
    prepareKeys(client);
    gatherPackets(client, socket);
  });
  client.connect(config);
  return { client, socket };
}
