// Opens shells, runs commands and reaches files on OpenSSH servers: host key pinned, log-in by a certificate made for this one session.
import { generateKeyPairSync } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Client, ClientChannel, PseudoTtyOptions, ShellOptions } from 'ssh2';
import { Failure } from '../../../../contract/failure.ts';
import type { HostKey } from '../../../../contract/host-keys.ts';
import type { AwsPlace } from '../../../../contract/nodes.ts';
import type { AuditLog } from '../../../ports/audit.ts';
import type { FilesConnector } from '../../../ports/files.ts';
import { ConnectError, type Reach, type ReachedStream } from '../../../ports/reach.ts';
import type { Connector, Forwarder, Instances, OpenRequest, Target } from '../../../ports/servers.ts';
import { tunnelWay } from '../../tunnel-way.ts';
import { openSftp } from '../sftp/client.ts';
import { type Address, parseAddress, showAddress } from './address.ts';
import type { Authority } from './authority.ts';
import { ED25519, publicBlob } from './certificate.ts';
import { passDisplay } from './display.ts';
import { createForwarder } from './forwarder.ts';
import { algorithmsFor, fingerprintOfBlob, hostKeyOf, type PublicKey, parsePublicKey } from './host-key.ts';
import { hostKeyChanged, refused, unreachable, wordsOf } from './reasons.ts';
import { createShell } from './shell.ts';
import { type LogInKey, logInWithKey } from './ssh2-private.ts';

/** From the first packet to an open shell. */
const CONNECT_MS = 10_000;
const LOGIN_MOST_CHARACTERS = 255;
/** Encoded terminal modes (RFC 4254 section 8): IUTF8 on, so that erasing a character in a cooked line erases all its bytes. */
const TERMINAL_MODES = Buffer.of(42, 0, 0, 0, 1, 0);

/** The SSH client takes some 10 MB: it comes with the first connection. */
const loadConnection = () => import('./connection.ts');

export interface SshConnector extends Connector, FilesConnector {
  /**
   * Connects and answers the host key that is shown, without logging in: of the kind of one of the `pinned` keys (one-line) where the
   * host has one. `aws`: through AWS. Throws ConnectError, or Failure bad_request for the address.
   */
  probe(addr: string, pinned?: readonly string[], aws?: AwsPlace): Promise<HostKey>;
  readonly forwarder: NonNullable<Connector['forwarder']>;
}

/** What the connector may say to the log; never anything secret. */
interface Log {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface SshOptions {
  readonly authority: Authority;
  readonly reach: Reach;
  /** Has each certificate that a log-in is tried with. */
  readonly audit: AuditLog;
  /** Machines of EC2 that are reached through AWS trust the keys that it hands them; absent: there are none. */
  readonly instances?: Pick<Instances, 'introduce'>;
  readonly log?: Log;
  /** Longest wait for a host, ms. */
  readonly connectTimeoutMs?: number;
}

export function createSshConnector(options: SshOptions): SshConnector {
  const { authority, reach, audit, instances, log, connectTimeoutMs = CONNECT_MS } = options;
  /** A key that AWS hands the machine for a minute. Throws ConnectError. */
  async function introduced(aws: AwsPlace, { hostname }: Target, login: string): Promise<LogInKey> {
    if (!instances) throw new ConnectError('failed', `${hostname} is reached through AWS, and nothing here asks AWS.`);
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    await instances.introduce(aws, login, `${ED25519} ${publicBlob(publicKey).toString('base64')}`);
    return { privateKey, certificate: null };
  }
  const logIn = async <Result, Channel = ClientChannel>(
    target: Target,
    request: LogIn,
    way: Way<Result, Channel>,
  ): Promise<Result> => {
    const { address, pinned } = prepare(target, request);
    const { user, sid, login, ttlMs, certExtensions } = request;
    const lends = 'wish' in request ? request.wish?.agent : undefined;
    const shows = 'wish' in request && request.wish?.display;
    const extensions = [...(lends ? [AGENT] : []), ...(shows ? [DISPLAY] : []), ...(way.extensions ?? [])];
    const certified = async (): Promise<LogInKey> => {
      const issued = authority.issue({ user, sid, login, ttlMs, certExtensions, extensions });
      const identity = { user, logins: [login], expires: issued.expires.toISOString() };
      await audit.emit({ code: 'TC000I', cert_type: 'ssh', user, identity });
      return issued;
    };
    const credential = target.aws ? await introduced(target.aws, target, login) : await certified();
    const timeoutMs = connectTimeoutMs;
    const agent = lends && { agent: lends };
    return connectAndLogIn({ reach, address, pinned, credential, target, login, way, timeoutMs, ...agent });
  };
  return {
    async open(target, request) {
      const { size, command, wish } = request;
      const env = { LANG: languageOf(process.env), ...wish?.env };
      const hasTerminal = wish ? wish.term !== null : command === undefined;
      const shell = await logIn(target, request, {
        missed: hasTerminal ? 'opened no shell' : 'did not start the command',
        open(client, opened) {
          const term = wish?.term || 'xterm-256color';
          const pty: PseudoTtyOptions = { term, ...size, width: 0, height: 0, modes: TERMINAL_MODES as object };
          const options = { env, ...(wish?.agent && { agentForward: true }) };
          const begin = (display: Pick<ShellOptions, 'x11'>, done: typeof opened): void => {
            if (wish?.subsystem) client.subsys(wish.subsystem, done);
            else if (command) client.exec(command, { ...options, ...display, ...(hasTerminal && { pty }) }, done);
            else client.shell(hasTerminal ? pty : false, { ...options, ...display }, done);
          };
          const display = wish?.display;
          if (!display) return begin({}, opened);
          begin({ x11: passDisplay(client, display) }, (error, channel) => {
            const isRefused = error?.message === NO_DISPLAY;
            if (isRefused || !error)
              display.answered(
                isRefused
                  ? `${target.hostname} lets no programs show windows elsewhere (its sshd needs X11Forwarding, and xauth).`
                  : null,
              );
            if (isRefused) begin({}, opened);
            else opened(error, channel);
          });
        },
        take(reached) {
          if (!hasTerminal && !wish) reached.channel.end();
          return createShell({ ...reached, hasTerminal });
        },
      });
      log?.debug({ server: target.id, sid: request.sid, login: request.login }, 'shell opened over SSH');
      return shell;
    },
    async files(target, request) {
      const host = await logIn(target, request, {
        missed: 'opened no channel for files',
        open: (client, opened) => client.subsys('sftp', opened),
        take({ client, socket, channel }) {
          channel.stderr.on('error', () => undefined).resume();
          channel.once('close', () => {
            client.end();
            socket.destroySoon();
          });
          client.once('close', () => channel.destroy());
          return {
            opening: openSftp({ input: channel, output: channel }, { hostname: target.hostname, login: request.login }),
          };
        },
      });
      return host.opening;
    },
    forwarder: (target, request) =>
      logIn<Forwarder, null>(target, request, {
        missed: 'forwards nothing',
        extensions: [FORWARDING],
        open: (_client, opened) => opened(undefined, null),
        take: ({ client, socket }) => createForwarder(client, socket),
      }),
    async probe(addr, pinned = [], aws) {
      return probe(reach, parseAddress(addr), pinned.map(parsePublicKey), connectTimeoutMs, aws);
    },
  };
}

/** What certificates of people's sessions say beyond a terminal. */
const AGENT = 'permit-agent-forwarding';
const DISPLAY = 'permit-X11-forwarding';
/** The SSH client's words where a host does not let its programs show windows elsewhere. */
const NO_DISPLAY = 'Unable to request X11';
const FORWARDING = 'permit-port-forwarding';

type LogIn = Omit<OpenRequest, 'size'>;
interface Attempt {
  readonly agent?: () => Promise<Duplex>;
  readonly reach: Reach;
  readonly address: Address;
  readonly pinned: readonly PublicKey[];
  readonly credential: LogInKey;
  readonly target: Target;
  readonly login: string;
  readonly timeoutMs: number;
}
/** What is opened once the login is in. */
interface Way<Result, Channel> {
  /** What the host did not do, where nothing comes of it. */
  readonly missed: string;
  /** What the certificate says beyond a terminal. */
  readonly extensions?: readonly string[];
  open(client: Client, opened: (error: Error | undefined, channel: Channel) => void): void;
  /** Takes the channel over at once: what the host has sent already comes before anything else can run. */
  take(reached: OpenChannel<Channel>): Result;
}
/** The connection ends with its channel, which whoever takes it closes. */
interface OpenChannel<Channel> {
  readonly client: Client;
  readonly socket: ReachedStream;
  /** Null where the way opens none. */
  readonly channel: Channel;
  /** Name and address of the host. */
  readonly where: string;
}

/** All that can be wrong before anything is sent. Throws ConnectError. */
function prepare(target: Target, request: LogIn): Pick<Attempt, 'address' | 'pinned'> {
  const { login } = request;
  if (login === '' || login.length > LOGIN_MOST_CHARACTERS || /[\p{Cc}]/u.test(login)) {
    throw new ConnectError('not_permitted', `${JSON.stringify(login.slice(0, 40))} is not a login name.`);
  }
  let address: Address;
  let pinned: readonly PublicKey[];
  try {
    address = parseAddress(target.addr);
    pinned = target.hostKeys.map(parsePublicKey);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new ConnectError('failed', `The entry of ${target.hostname} cannot be used. ${error.message}.`);
  }
  if (pinned.length === 0) {
    throw new ConnectError(
      'not_permitted',
      `No host key of ${target.hostname} has been confirmed yet: an administrator adds the server with its key first.`,
    );
  }
  if (!(request.ttlMs > 0)) throw new ConnectError('not_permitted', 'This sign-in has no time left: sign in again.');
  return { address, pinned };
}

async function connectAndLogIn<Result, Channel>(
  parts: Attempt & { readonly way: Way<Result, Channel> },
): Promise<Result> {
  const { reach, address, pinned, credential, target, login, way, timeoutMs, agent } = parts;
  const { openConnection } = await loadConnection();
  const { hostname } = target;
  const where = `${hostname} (${showAddress(address)})`;
  let refusal: ConnectError | undefined;
  let stage: 'connecting' | 'greeting' | 'login' | 'opening' = 'connecting';
  const { client, socket } = openConnection({
    reach,
    target: target.id,
    way: tunnelWay('node', target.id, target.labels),
    ...(target.aws && { aws: target.aws }),
    address,
    login,
    hostKeyAlgorithms: algorithmsFor(pinned),
    mayLogIn: true,
    ...(agent && { agent }),
    accept: shown => {
      if (pinned.some(key => key.blob.equals(shown))) return true;
      refusal = hostKeyChanged(
        hostname,
        address,
        pinned.map(key => fingerprintOfBlob(key.blob)),
        fingerprintOfBlob(shown),
      );
      return false;
    },
  });
  return attempt(client, socket, timeoutMs, {
    timeout: () =>
      stage === 'opening'
        ? new ConnectError('failed', `${where} accepted the login but ${way.missed} within ${timeoutMs / 1000} s.`)
        : unreachable(
            hostname,
            address,
            `no ${stage === 'connecting' ? 'answer' : 'SSH answer'} within ${timeoutMs / 1000} s`,
          ),
    failure: error => {
      if (refusal) return refusal;
      if (error.level === 'client-authentication') return refused(hostname, address, login, target.aws !== undefined);
      if (stage === 'connecting' || stage === 'greeting') return unreachable(hostname, address, lostWords(error));
      if (stage === 'login')
        return new ConnectError('failed', `${where} broke off during the log-in: ${wordsOf(error)}.`);
      return new ConnectError('failed', `${where} ${way.missed}: ${wordsOf(error)}.`);
    },
    start: (done, fail) => {
      client.once('connect', () => {
        stage = 'greeting';
      });
      client.once('handshake', () => {
        stage = 'login';
        trying(fail, () => logInWithKey(client, credential));
      });
      client.once('ready', () => {
        stage = 'opening';
        const opened = (error: Error | undefined, channel: Channel): void => {
          if (error) fail(error);
          else done(way.take({ client, socket, channel, where }));
        };
        trying(fail, () => way.open(client, opened));
      });
    },
  });
}

/** What is thrown inside an event would end the process: it fails the attempt instead. */
function trying(fail: (error: Error) => void, act: () => void): void {
  try {
    act();
  } catch (error) {
    fail(error instanceof Error ? error : new Error(String(error)));
  }
}

async function probe(
  reach: Reach,
  address: Address,
  pinned: readonly PublicKey[],
  timeoutMs: number,
  aws: AwsPlace | undefined,
): Promise<HostKey> {
  const name = address.host;
  const { openConnection } = await loadConnection();
  let shown: Buffer | undefined;
  const { client, socket } = openConnection({
    reach,
    target: '',
    ...(aws && { aws }),
    address,
    login: 'postern',
    hostKeyAlgorithms: algorithmsFor(pinned),
    mayLogIn: false,
    accept: key => {
      shown = Buffer.from(key);
      return true;
    },
  });
  return attempt<HostKey>(client, socket, timeoutMs, {
    timeout: () => unreachable(name, address, `no SSH answer within ${timeoutMs / 1000} s`),
    failure: error => unreachable(name, address, lostWords(error)),
    start: (done, fail) => {
      // Only now has the host proved that it holds the key.
      client.once('handshake', () => {
        trying(fail, () => {
          if (!shown) throw new Error('the host showed no key');
          done(hostKeyOf(shown));
        });
        socket.destroy();
      });
    },
  });
}

type EngineError = Error & { readonly level?: string };

interface Steps<Result> {
  readonly start: (done: (result: Result) => void, fail: (error: EngineError) => void) => void;
  readonly timeout: () => Error;
  readonly failure: (error: EngineError) => Error;
}

/** Settles once: with the result, the first error, the connection's end, or the clock. Whatever fails drops the connection. */
function attempt<Result>(
  client: Client,
  socket: ReachedStream,
  timeoutMs: number,
  steps: Steps<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let settled = false;
    const settle = (): boolean => {
      if (settled) return false;
      settled = true;
      clearTimeout(clock);
      return true;
    };
    const drop = (error: Error): void => {
      if (!settle()) return;
      // The client's goodbye may still be on its way; the socket must not outlive this attempt.
      client.end();
      socket.destroySoon();
      reject(error);
    };
    const clock = setTimeout(() => {
      drop(steps.timeout());
      socket.destroy();
    }, timeoutMs);
    const fail = (error: EngineError): void => drop(steps.failure(error));
    // Stays for the connection's whole life: an `error` event without a listener would end the process.
    client.on('error', fail);
    client.once('close', () => fail(new Error('Connection lost')));
    steps.start(result => {
      if (settle()) resolve(result);
    }, fail);
  });
}

/** The SSH client's own words for a connection that ended before it had begun. */
function lostWords(error: EngineError): string {
  if (/^Connection lost/.test(error.message)) return 'the connection was closed before SSH had begun';
  if (/no matching/i.test(error.message))
    return `it offers no way of connecting that is considered safe (${wordsOf(error)})`;
  return wordsOf(error);
}

/** A UTF-8 language: the gateway's own, else the one that every system has. */
export function languageOf(environment: Readonly<Record<string, string | undefined>>): string {
  const own = environment.LC_ALL || environment.LC_CTYPE || environment.LANG || '';
  return /^[A-Za-z0-9_@.-]{1,64}$/.test(own) && /utf-?8/i.test(own) ? own : 'C.UTF-8';
}
