// What we use of the SSH client beyond its public face, all in one place: log-in by certificate, and a timed ping.
// ssh2 writes one algorithm name both as the request's and inside the signature, so it cannot log in with a
// certificate by itself. Its version is pinned; engine.test.ts fails when a field used here is gone.
import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { Duplex, Writable } from 'node:stream';
import type { Client, ClientChannel, Connection, ServerChannel } from 'ssh2';
import { sshString } from '../wire.ts';
import { ED25519, ED25519_CERTIFICATE, publicBlob, signatureBlob } from './certificate.ts';

const USERAUTH_REQUEST = 50;

interface Protocol {
  readonly _kex: { readonly sessionID: Buffer };
  readonly _packetRW: {
    readonly write: { readonly allocStart: number; alloc(bytes: number): Buffer; finalize(packet: Buffer): Buffer };
  };
  readonly _cipher: { encrypt: (packet: Buffer) => void } & Keys;
  readonly _decipher: Keys;
  /** Set while keys are exchanged: nothing else may be sent then. */
  readonly _kexinit: Buffer | undefined;
  readonly _authsQueue: string[];
  authNone(login: string): void;
  ping(): void;
  signal(channel: number, name: string): void;
}
/** Keys of one direction; which of them there are depends on the cipher. */
type Keys = Partial<Record<'_encKey' | '_decipherKey' | '_macKey', Buffer | KeyObject>>;
interface Engine {
  readonly _protocol: Protocol;
  readonly _callbacks: ((problem: unknown) => void)[];
}

/** What a log-in is tried with. */
export interface LogInKey {
  readonly privateKey: KeyObject;
  /** Blob of its certificate; null: the host knows the key itself. */
  readonly certificate: Buffer | null;
}

const isFunction = (value: unknown): boolean => typeof value === 'function';

/** Names of the fields that the log-in needs and this client does not have; empty when all are there. Ask after the handshake. */
export function missingFields(client: Client): readonly string[] {
  const { _protocol: protocol, _callbacks: callbacks } = client as unknown as Partial<Engine>;
  const write = protocol?._packetRW?.write;
  const present: Readonly<Record<string, boolean>> = {
    '_protocol._kex.sessionID': Buffer.isBuffer(protocol?._kex?.sessionID),
    '_protocol._packetRW.write':
      isFunction(write?.alloc) && isFunction(write?.finalize) && typeof write?.allocStart === 'number',
    '_protocol._cipher.encrypt': isFunction(protocol?._cipher?.encrypt),
    '_protocol._kexinit': protocol !== undefined && '_kexinit' in protocol && protocol._kexinit === undefined,
    '_protocol._authsQueue': Array.isArray(protocol?._authsQueue),
    '_protocol.authNone': isFunction(protocol?.authNone),
    '_protocol.ping': isFunction(protocol?.ping),
    '_protocol.signal': isFunction(protocol?.signal),
    _callbacks: Array.isArray(callbacks),
  };
  return Object.keys(present).filter(field => !present[field]);
}

/**
 * Makes this client's one log-in attempt one by a key with its certificate, or by the key alone. Call it when the client emits `handshake`, with `none` as the
 * only method of its authHandler: the request goes out signed at once, which saves the round trip of asking whether the key
 * would do. Throws when the client is not the version we know.
 */
export function logInWithKey(client: Client, { certificate, privateKey }: LogInKey): void {
  const missing = missingFields(client);
  if (missing.length > 0) throw new Error(`the SSH client has no ${missing.join(', ')}`);
  const protocol = (client as unknown as Engine)._protocol;
  const algorithm = certificate ? ED25519_CERTIFICATE : ED25519;
  const shown = certificate ?? publicBlob(createPublicKey(privateKey));
  protocol.authNone = login => {
    const request = Buffer.concat([
      Buffer.of(USERAUTH_REQUEST),
      sshString(login),
      sshString('ssh-connection'),
      sshString('publickey'),
      Buffer.of(1),
      sshString(algorithm),
      sshString(shown),
    ]);
    const signature = signatureBlob(Buffer.concat([sshString(protocol._kex.sessionID), request]), privateKey);
    const payload = Buffer.concat([request, sshString(signature)]);
    const { write } = protocol._packetRW;
    const packet = write.alloc(payload.length);
    packet.set(payload, write.allocStart);
    protocol._authsQueue.push('publickey');
    protocol._cipher.encrypt(write.finalize(packet));
  };
}

/**
 * Bulk output costs a third of the processor time with this. ssh2 hands its key to node:crypto as bytes with every packet, and Node
 * spends some 20 µs on finding out that bytes are not a key object (measured on Node 24: 29 µs a packet, 2 µs with a key object).
 * Call it at every `handshake`: new keys come with each. Where the fields are missing it does nothing.
 */
export function prepareKeys(client: Client | Connection): void {
  const { _protocol: protocol } = client as unknown as Partial<Engine>;
  for (const keys of [protocol?._cipher, protocol?._decipher]) {
    if (!keys) continue;
    for (const name of ['_encKey', '_decipherKey', '_macKey'] as const) {
      const key = keys[name];
      if (Buffer.isBuffer(key)) keys[name] = createSecretKey(key);
    }
  }
}

/**
 * A packet leaves the engine in three writes, each a call of the system and a segment of the network. This holds them together until the turn
 * is over, so that all that was sent in it leaves at once. Call it at every `handshake`: a new cipher comes with each.
 */
export function gatherPackets(client: Client | Connection, socket: Writable): void {
  const cipher = (client as unknown as Partial<Engine>)._protocol?._cipher;
  if (!cipher || !isFunction(cipher.encrypt)) return;
  const encrypt = cipher.encrypt.bind(cipher);
  let held = false;
  cipher.encrypt = packet => {
    if (!held) {
      held = true;
      socket.cork();
      process.nextTick(() => {
        held = false;
        socket.uncork();
      });
    }
    encrypt(packet);
  };
}

/** Time of one `keepalive@openssh.com` request and its answer, ms. Rejects when the connection ends first. */
export function ping(client: Client): Promise<number> {
  const { _protocol: protocol, _callbacks: callbacks } = client as unknown as Engine;
  return new Promise((done, fail) => {
    const sent = performance.now();
    // A refusal (`true`) is an answer too: what counts is that the host answered.
    callbacks.push(problem => (problem instanceof Error ? fail(problem) : done(performance.now() - sent)));
    protocol.ping();
  });
}

/**
 * Ends what else the connection runs: a channel's program is the child of the connection's own sshd and leads a process group. `exec`
 * puts it in place of whatever shell the login has, so that it is such a child itself.
 */
const END_OTHERS =
  'exec sh -c \'ps -A -o pid= -o ppid= | while read -r pid parent; do [ "$parent" != $PPID ] || [ $pid = $$ ] || kill -TERM -$pid; done\'';

/**
 * Tells the program of a channel to end, then calls `done`. The client's own way of sending a signal refuses once the channel's input
 * has ended, which for a command is at once; the host takes one for as long as the channel is open. An sshd passes none on to what
 * root runs, so root's own hand does it there.
 */
export function terminateAll(client: Client, channel: ClientChannel, done: () => void): void {
  sendSignal(client, channel, 'TERM');
  try {
    client.exec(END_OTHERS, (error, other) => (error ? done() : other.on('close', done).resume()));
  } catch {
    // The client throws where the connection is gone already.
    done();
  }
}

/** Sends the program of a channel a signal, for as long as the channel is open, whether its input has ended or not. */
export function sendSignal(client: Client, channel: ClientChannel, name: string): void {
  const { outgoing } = channel as unknown as { readonly outgoing: { readonly id: number; readonly state: string } };
  if (outgoing.state === 'open' || outgoing.state === 'eof')
    (client as unknown as Engine)._protocol.signal(outgoing.id, name);
}

/** Names of the fields that make output fast and Ctrl-C felt, and that are not there: without them it works, only worse. */
export function missingTuning(client: Client, channel: ClientChannel): readonly string[] {
  const { _protocol: protocol } = client as unknown as Partial<Engine>;
  const { incoming, _readableState: readable } = channel as unknown as Partial<Inner>;
  const hasKeys = (keys: Keys | undefined): boolean =>
    (['_encKey', '_decipherKey', '_macKey'] as const).some(name => keys?.[name] !== undefined);
  const present: Readonly<Record<string, boolean>> = {
    '_protocol._cipher': hasKeys(protocol?._cipher),
    '_protocol._decipher': hasKeys(protocol?._decipher),
    'channel.incoming.window': incoming?.window === WINDOW_BYTES,
    'channel._readableState.highWaterMark': readable?.highWaterMark === WINDOW_BYTES,
  };
  return Object.keys(present).filter(field => !present[field]);
}

interface Inner {
  readonly incoming: { window: number };
  readonly _readableState: { highWaterMark: number };
}
/** The window that the client opens a channel with, and the part of it at which it opens it anew, bytes (ssh2, lib/Channel.js). */
const WINDOW_BYTES = 2 * 1024 * 1024;
/** What a host may send at most beyond what was read, and what is left of that when more is allowed, bytes. */
const AHEAD_MOST_BYTES = 1280 * 1024;
/** What a channel that is paused keeps before it stops to allow more, bytes. */
const HELD_BYTES = 64 * 1024;

/**
 * A program that floods the terminal is some megabytes ahead of it: the host fills the channel's window, and the client allows two
 * more megabytes before it minds that nobody reads. All of that still comes after Ctrl-C. This keeps it to AHEAD_MOST_BYTES.
 * The client counts the window down from what it allowed and refills it at a half: counting from a higher figure, it refills later
 * and by less. Where the fields are missing it does nothing.
 */
export function limitAhead(channel: ClientChannel): void {
  const { incoming, _readableState: readable } = channel as unknown as Partial<Inner>;
  if (incoming?.window !== WINDOW_BYTES || readable?.highWaterMark !== WINDOW_BYTES) return;
  incoming.window += WINDOW_BYTES - AHEAD_MOST_BYTES;
  readable.highWaterMark = HELD_BYTES;
}

/** Names of the fields that the server's side needs and this engine does not have; empty when all are there. */
export function missingServerFields(connection: Connection): readonly string[] {
  const { _protocol: protocol, _chanMgr: channels } = connection as unknown as Partial<Engine & ServerEngine>;
  const present: Readonly<Record<string, boolean>> = {
    '_protocol.ping': isFunction(protocol?.ping),
    '_protocol.channelOpenFail': isFunction(protocol?.channelOpenFail),
    '_protocol.openssh_authAgent': isFunction(protocol?.openssh_authAgent),
    '_chanMgr.add': isFunction(channels?.add),
  };
  return Object.keys(present).filter(field => !present[field]);
}

/** Asks a client of ours for a sign of life: whatever comes is one. */
export const pingClient = (connection: Connection): void => (connection as unknown as Engine)._protocol.ping();

interface ServerEngine {
  readonly _protocol: {
    channelOpenFail(recipient: number, reason: number, text?: string): void;
    openssh_authAgent(channel: number, windowBytes: number, packetBytes: number): void;
  };
  readonly _chanMgr: { add(opened: OpenedChannel): number };
}
type OpenedChannel = ((error: unknown, channel?: Duplex) => void) & { type?: string };
/** The largest packet that the engine opens channels with, bytes (ssh2, lib/Channel.js). */
const PACKET_BYTES = 32 * 1024;
const AGENT_CHANNEL = 'auth-agent@openssh.com';

/** Opens a channel to the agent of a client that has lent it. Rejects when the client opens none. */
export function openAgent(connection: Connection): Promise<Duplex> {
  const { _protocol: protocol, _chanMgr: channels } = connection as unknown as ServerEngine;
  return new Promise((done, fail) => {
    const opened: OpenedChannel = (error, channel) =>
      channel
        ? done(channel)
        : fail(error instanceof Error ? error : new Error('the client opens no way to its agent'));
    opened.type = AGENT_CHANNEL;
    const id = channels.add(opened);
    if (id === -1) fail(new Error('the client has too many channels open'));
    else protocol.openssh_authAgent(id, WINDOW_BYTES, PACKET_BYTES);
  });
}

/** Opens a channel to the display of a client that has lent it. Rejects when the client opens none. */
export const openDisplay = (connection: Connection): Promise<Duplex> =>
  new Promise((done, fail) => {
    // Which program of the server it is, and of which of its addresses, is nothing that the client needs to know.
    connection.x11('127.0.0.1', 0, (error: Error | undefined, channel: Duplex) =>
      error ? fail(new Error('the client opens no way to its display')) : done(channel),
    );
  });

/** Refuses a channel with a reason in words, which the engine's own way of refusing has none for. */
export function refuseOpening(connection: Connection, reject: () => void, reason: number, text: string): void {
  const { _protocol: protocol } = connection as unknown as ServerEngine;
  const before = protocol.channelOpenFail;
  protocol.channelOpenFail = recipient => before.call(protocol, recipient, reason, text);
  try {
    reject();
  } finally {
    protocol.channelOpenFail = before;
  }
}

/**
 * The engine remembers the last piece that had to wait for the client, output and errors apart, also once it has gone; what waits next of the
 * other kind would send it again. Call it before each piece, with no other on its way.
 */
export function forgetWritten(channel: ServerChannel): void {
  const waiting = channel as unknown as Record<'_chunk' | '_chunkcb' | '_chunkErr' | '_chunkcbErr', unknown>;
  for (const name of ['_chunk', '_chunkcb', '_chunkErr', '_chunkcbErr'] as const) waiting[name] = undefined;
}

/**
 * How much the client takes of a channel at once, bytes: that much is encrypted before a write returns. 0 where something waits already, and
 * where the fields are missing: then every piece waits for the one before it.
 */
export function windowOf(channel: ServerChannel): number {
  const { outgoing, _waitWindow: isFull } = channel as unknown as {
    readonly outgoing?: { readonly window?: unknown; readonly state?: unknown };
    readonly _waitWindow?: unknown;
  };
  const isOpen = outgoing?.state === 'open' && isFull !== true && channel.writableLength === 0;
  return isOpen && typeof outgoing.window === 'number' ? outgoing.window : 0;
}
