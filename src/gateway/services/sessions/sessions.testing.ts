// Parts for this folder's tests: a person, a server, a shell that does as it is told, a socket that remembers.
import type { Acl } from '../../../contract/acl.ts';
import type { Mode } from '../../../contract/live-sessions.ts';
import type { SessionFrame } from '../../../contract/terminal.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { JoinDemand, Rights } from '../../ports/rights.ts';
import type { Connector, Target } from '../../ports/servers.ts';
import type { OutputStream, Shell, ShellExit, Size } from '../../ports/shell.ts';
import type { Who } from '../../ports/who.ts';
import { type BrokerPorts, createBroker } from './broker.ts';
import type { Broker, SessionEnd, Subscriber } from './participant.ts';
import { createSessionPolicy, type SessionPolicy } from './policy/policy.ts';
import { createStatementReviews } from './reviews.ts';

export interface Person {
  readonly modes?: readonly Mode[];
  readonly roles?: readonly string[];
  readonly demands?: readonly JoinDemand[];
  readonly options?: Partial<Rights['options']>;
  readonly expires?: Date;
}
/** Someone who may log in as root and as app, and join as `modes` say. */
export function person(
  user: string,
  {
    modes = [],
    roles = ['access'],
    demands = [],
    options = {},
    expires = new Date(Date.now() + 3_600_000),
  }: Person = {},
): Who {
  const selection = { allow: [], deny: [], user: { name: user, roles: [], traits: {} } };
  const rights: Rights = {
    acl: {} as Acl,
    may: () => false,
    selection: () => selection,
    listing: () => selection,
    isFree: () => false,
    participants: () => null,
    selects: () => true,
    logins: () => ['root', 'app'],
    principals: () => [],
    ownDatabaseUser: () => false,
    kubernetes: () => ({ permits: () => false, reach: () => 'none' }),
    joinModes: () => modes,
    joinDemands: () => demands,
    guards: () => [],
    reviews: { any: false, permits: () => false, previewAsRoles: [] },
    impersonation: { any: false, permits: () => false },
    requests: {
      terms: () => null,
      strategy: { type: 'optional', prompt: '' },
      roles: () => [],
      anyRoles: false,
      suggestedReviewers: [],
      searchAsRoles: [],
    },
    options: {
      maxSessionTtlMs: 3_600_000,
      recordSsh: 'strict',
      recordOthers: 'strict',
      recordKernel: [],
      maxSessions: 0,
      maxKubernetesConnections: 0,
      portForwarding: false,
      sshFileCopy: false,
      pinSourceIp: false,
      deviceTrust: 'off',
      certExtensions: {},
      samlIdp: true,
      forwardAgent: false,
      x11Forwarding: false,
      createHostUser: 'off',
      createDbUser: false,
      reachLoopback: false,
      clientIdleTimeoutMs: 0,
      sessionFactor: false,
      keyPolicy: 'none',
      agents: 'off',
      disconnectExpired: false,
      locking: 'best_effort',
      ...options,
    },
  };
  return {
    user,
    userId: `id of ${user}`,
    since: new Date(0),
    roles,
    traits: {},
    authType: 'local',
    webSessionId: 'w',
    mfaDevice: '',
    grants: [],
    expires,
    remoteAddr: '10.1.1.1:5000',
    rights,
  };
}

export const server: Target = {
  id: 'server-1',
  hostname: 'db-3',
  subKind: 'openssh',
  addr: '10.0.0.3:22',
  hostKeys: [],
  labels: { env: 'test' },
};
export const size: Size = { cols: 80, rows: 24 };

/** A policy over places in memory; `gatewayId` g. */
export function policyFor(audit: AuditLog, now?: () => Date): SessionPolicy {
  const taken = new Map<string, string>();
  return createSessionPolicy({
    audit,
    barring: async () => null,
    deviceTrust: 'optional',
    places: {
      async take({ sid, userId }, most) {
        const others = [...taken.values()].filter(one => one === userId).length;
        if (others < most) taken.set(sid, userId);
        return { taken: others < most, others };
      },
      release: async sid => void taken.delete(sid),
    },
    gatewayId: 'g',
    ...(now && { now }),
    report: problem => process.emitWarning(problem),
  });
}

export interface ScriptedShell extends Shell {
  readonly typed: () => string;
  readonly sizes: readonly Size[];
  readonly paused: () => boolean;
  readonly closed: () => boolean;
  print(bytes: Uint8Array | string, from?: OutputStream): void;
  /** The program ends while output waits to be read: `exit` follows. */
  vanish(): void;
  exit(exit?: Partial<ShellExit>): void;
}
/** Closing it makes it exit, as a hang-up does. */
export function createShell(): ScriptedShell {
  let output: (bytes: Uint8Array, from: OutputStream) => void = () => {};
  let exited: (exit: ShellExit) => void = () => {};
  let gone = (): void => {};
  let isPaused = false;
  let isClosed = false;
  let typed = '';
  const sizes: Size[] = [];
  function exit(how: Partial<ShellExit> = {}): void {
    if (isClosed) return;
    isClosed = true;
    exited({ code: 0, signal: null, error: null, ...how });
  }
  return {
    typed: () => typed,
    sizes,
    paused: () => isPaused,
    closed: () => isClosed,
    print: (bytes, from = 'stdout') => output(Buffer.from(bytes), from),
    vanish: () => gone(),
    exit,
    write(bytes) {
      typed += Buffer.from(bytes).toString('utf8');
    },
    resize: to => void sizes.push(to),
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
    },
    onOutput(listener) {
      output = listener;
    },
    onExit(listener) {
      exited = listener;
    },
    onGone(listener) {
      gone = listener;
    },
    roundTrip: async () => 1,
    close: () => exit({ code: null, signal: 'SIGHUP' }),
  };
}
/** Answers the shells in turn; keeps what it was asked. */
export function connectorOf(...shells: Shell[]): Connector & { readonly asked: Parameters<Connector['open']>[] } {
  const asked: Parameters<Connector['open']>[] = [];
  return {
    asked,
    async open(...request) {
      asked.push(request);
      const shell = shells.shift();
      if (!shell) throw new Error('no more shells');
      return shell;
    },
  };
}

export interface TestSubscriber extends Subscriber {
  readonly frames: readonly SessionFrame[];
  readonly events: readonly { readonly event: string; readonly [field: string]: unknown }[];
  /** All output since the last fresh frame. */
  readonly bytes: () => Buffer;
  readonly text: () => string;
  /** Where the last output ended. */
  readonly offset: () => number;
  readonly end: () => SessionEnd | null;
  /** What the network has not taken yet; with a callback it behaves as if a send completed. */
  setBuffered(bytes: number): void;
}
export function createSubscriber(): TestSubscriber {
  const frames: SessionFrame[] = [];
  const events: { event: string }[] = [];
  let parts: Uint8Array[] = [];
  let offset = 0;
  let end: SessionEnd | null = null;
  let buffered = 0;
  let drained = (): void => {};
  return {
    frames,
    events,
    bytes: () => Buffer.concat(parts),
    text: () => Buffer.concat(parts).toString('utf8'),
    offset: () => offset,
    end: () => end,
    setBuffered(bytes) {
      buffered = bytes;
      drained();
    },
    begin(frame) {
      frames.push(frame);
      if (frame.output?.fresh) parts = [];
      if (frame.output) offset = frame.output.offset;
    },
    output(bytes, to) {
      if (end) throw new Error('output after the end');
      if (offset + bytes.length !== to)
        throw new Error(`output ends at ${to}, but ${offset} + ${bytes.length} were sent`);
      offset = to;
      parts.push(Uint8Array.from(bytes));
    },
    event: event => void events.push(event),
    ended(how) {
      if (end) throw new Error('ended twice');
      end = how;
    },
    bufferedBytes: () => buffered,
    onDrain(listener) {
      drained = listener;
    },
  };
}

/** A broker that reaches every server by one connector. `more` takes the place of what is filled in. */
export const brokerOver = (
  connector: Connector,
  more: Pick<BrokerPorts, 'recordings' | 'audit'> & Partial<BrokerPorts>,
): Broker =>
  createBroker({
    policy: policyFor(more.audit, more.now),
    connectors: { ssh: connector },
    changes: { emit: () => undefined },
    reviews: createStatementReviews({ changes: { emit: () => undefined } }),
    clusterName: 'main',
    ...more,
  });
