// Owns the sessions that are running: who may start one, who may come in, and what is left of it afterwards.
import { randomUUID } from 'node:crypto';
import { Failure } from '../../../contract/failure.ts';
import type { Mode } from '../../../contract/live-sessions.ts';
import type {
  AuditLog,
  Connector,
  OpenRequest,
  Recorder,
  RecordingStore,
  Shell,
  ShellExit,
  Size,
  Who,
} from '../../ports.ts';
import { ConnectError } from '../../ports.ts';
import type { Broker, OpenSession, SessionEnd } from './party.ts';
import type { Leave, SessionPolicy } from './policy/policy.ts';
import { firstMode, modesOf } from './policy/rules.ts';
import { createRetries } from './retries.ts';
import type { SessionAudit } from './session-audit.ts';
import { createSessionAudit, refusalEvent } from './session-audit.ts';
import type { Running, ShellSession } from './shell-session.ts';
import { openShellSession } from './shell-session.ts';

/** How long a session that nobody is connected to is kept, ms. */
const KEEP_MS = 10 * 60_000;
/** How many ended sessions are remembered for those who come late. */
const ENDED_MOST = 1000;

export interface BrokerPorts {
  /** Asked before a session begins. */
  readonly policy: Pick<SessionPolicy, 'begin'>;
  /** `local` opens shells on this machine (subKind 'local'), `ssh` on all others. */
  readonly connectors: { readonly local: Connector; readonly ssh: Connector };
  readonly recordings: RecordingStore;
  readonly audit: AuditLog;
  readonly clusterName: string;
  readonly keepMs?: number;
  readonly now?: () => Date;
  /** Output kept of each session for those who come (back), bytes; default RING_BYTES. */
  readonly ringBytes?: number;
  /** Hears of trouble nobody is waiting for. */
  readonly report?: (problem: string, error: unknown) => void;
}

export function createBroker(ports: BrokerPorts): Broker {
  const { policy, connectors, recordings, audit, clusterName, keepMs = KEEP_MS, now = () => new Date() } = ports;
  const report =
    ports.report ??
    ((problem, error) => process.emitWarning(`${problem}: ${error instanceof Error ? error.message : String(error)}`));
  const running = new Map<string, { readonly live: ShellSession }>();
  const over = new Map<string, SessionEnd>();
  /** All that is half begun or whose end is not in the audit log yet: sealing goes on after a session has left `running`. */
  const unfinished = new Set<Promise<void>>();
  const retries = createRetries(report);
  let closed: string | null = null;

  async function connect({ who, target }: OpenSession, request: OpenRequest): Promise<Shell> {
    try {
      return await (target.subKind === 'local' ? connectors.local : connectors.ssh).open(target, request);
    } catch (error) {
      if (error instanceof ConnectError)
        await audit.emit(refusalEvent({ who, target, login: request.login }, error.message));
      throw error;
    }
  }
  /** Throws Failure unavailable: strict sessions do not run without a recording. */
  async function record(
    sid: string,
    { who, target, login, size }: OpenSession,
    started: Date,
  ): Promise<Recorder | null> {
    const mode = who.rights.options.recordSsh;
    try {
      const { id, hostname, addr } = target;
      return await recordings.open(
        {
          kind: 'terminal',
          sid,
          user: who.user,
          login,
          serverId: id,
          hostname,
          addr,
          clusterName,
          size,
          started,
          proto: 'ssh',
        },
        mode,
      );
    } catch (error) {
      report(`session ${sid}: the recording could not be started`, error);
      if (mode === 'best_effort') return null;
      throw new Failure(
        'unavailable',
        'The session was not started: its recording could not be written, and this server may only be used with a recording.',
      );
    }
  }
  async function begin(sessionAudit: SessionAudit, size: Size, recorder: Recorder | null): Promise<void> {
    try {
      await sessionAudit.start(size, recorder?.key ?? null);
    } catch (error) {
      report('a session was not started: the audit log could not be written', error);
      throw new Failure('unavailable', 'The session was not started: the audit log could not be written.');
    }
  }
  async function start(request: OpenSession, sid: string, leave: Leave): Promise<ShellSession> {
    const { who, target, login, size } = request;
    const shell = await connect(request, { user: who.user, sid, login, size, ttlMs: leave.ttlMs });
    // Nothing that the shell says meanwhile may be lost or shown.
    const early: Uint8Array[] = [];
    let gone: ShellExit | null = null;
    let hear = (bytes: Uint8Array): void => void early.push(bytes);
    let exited = (exit: ShellExit): void => {
      gone = exit;
    };
    shell.onOutput(bytes => hear(bytes));
    shell.onExit(exit => exited(exit));
    shell.pause();
    let recorder: Recorder | null = null;
    const begun = Promise.withResolvers<void>();
    unfinished.add(begun.promise);
    try {
      const started = now();
      recorder = await record(sid, request, started);
      const sessionAudit = createSessionAudit(
        audit,
        { sid, who, login, target, recording: recorder ? 'node' : 'off' },
        report,
      );
      if (closed !== null) throw new Failure('unavailable', closed);
      await begin(sessionAudit, size, recorder);
      const live = openShellSession({
        sid,
        who,
        target,
        login,
        size,
        shell,
        recorder,
        sessionAudit,
        clusterName,
        started,
        keepMs,
        now,
        retries,
        report,
        ringBytes: ports.ringBytes,
        onOver(end) {
          running.delete(sid);
          leave.release();
          over.set(sid, end);
          const oldest = over.keys().next().value;
          if (over.size > ENDED_MOST && oldest !== undefined) over.delete(oldest);
        },
      });
      running.set(sid, { live });
      unfinished.add(live.done);
      void live.done.then(() => unfinished.delete(live.done));
      hear = live.output;
      exited = live.exited;
      for (const bytes of early) live.output(bytes);
      if (gone) live.exited(gone);
      else shell.resume();
      // The gateway stopped meanwhile: the log has the start, so it gets the end.
      if (closed !== null) void live.end('shutdown', closed);
      return live;
    } catch (error) {
      shell.close();
      await recorder?.discard();
      throw error;
    } finally {
      unfinished.delete(begun.promise);
      begun.resolve();
    }
  }
  const modesFor = (who: Who, live: Running): readonly Mode[] => modesOf(who, live);

  return {
    async open(request) {
      if (closed !== null) throw new Failure('unavailable', closed);
      const sid = randomUUID();
      const leave = await policy.begin({ ...request, sid });
      let live: ShellSession;
      try {
        live = await start(request, sid, leave);
      } catch (error) {
        leave.release();
        throw error;
      }
      return {
        sid,
        get session() {
          return live.session;
        },
      };
    },
    attach(sid, { who, mode, size, have, sink }) {
      const found = running.get(sid);
      if (!found) throw new Failure('not_found', over.get(sid)?.text || 'This session has ended.');
      const allowed = modesFor(who, found.live);
      const wanted = mode !== '' ? mode : firstMode(allowed, found.live.ownerId === who.userId);
      if (wanted === null) throw new Failure('denied', 'You may not join this session.');
      if (!allowed.includes(wanted)) throw new Failure('denied', `You may not join this session as ${wanted}.`);
      return found.live.join(who, wanted, size, have, sink);
    },
    get: sid => running.get(sid)?.live ?? null,
    list: () =>
      [...running.values()].map(({ live }) => ({
        session: live.session,
        ownerId: live.ownerId,
        ownerRoles: live.ownerRoles,
      })),
    modesFor(who, sid) {
      const found = running.get(sid);
      return found ? modesFor(who, found.live) : [];
    },
    end(sid, why) {
      const found = running.get(sid);
      void found?.live.end('ended', why);
      return found !== undefined;
    },
    showOut: (sid, partyId, why) => running.get(sid)?.live.showOut(partyId, why),
    follow: (sid, owner) => running.get(sid)?.live.follow(owner),
    ended: sid => over.get(sid) ?? null,
    async close(reason) {
      closed = reason;
      retries.close();
      for (const { live } of running.values()) void live.end('shutdown', reason);
      while (unfinished.size > 0) await Promise.all(unfinished);
    },
  };
}
