// Owns the sessions that are running: who may start one, who may come in, and what is left of it afterwards.

import { randomUUID } from 'node:crypto';
import { Failure } from '../../../contract/failure.ts';
import type { Mode } from '../../../contract/live-sessions.ts';
import type { OpenApplication } from '../../ports/applications.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { OpenDatabase } from '../../ports/databases.ts';
import type { OpenDesktop } from '../../ports/desktops.ts';
import type { EnteredContainer, KubernetesContainer, OpenContainer } from '../../ports/kubernetes.ts';
import { ConnectError } from '../../ports/reach.ts';
import type { RecordingStore } from '../../ports/recordings.ts';
import type { Connector } from '../../ports/servers.ts';
import type { OutputStream, Shell, ShellExit } from '../../ports/shell.ts';
import type { Who } from '../../ports/who.ts';
import { certExtensionsOf } from '../device-facts.ts';
import { unpreparedDatabase } from '../made-users.ts';
import { createRetries } from '../retries.ts';
import { createApplicationAudit } from './application-audit.ts';
import { openApplicationSession, type RunningApplication } from './application-session.ts';
import { createAwaitedShell } from './awaited-shell.ts';
import { COMMAND_SIZE, openCommandSession } from './command-session.ts';
import {
  CONTAINER_SIZE,
  containerTarget,
  needsOthers,
  openContainerSession,
  type RelayedContainer,
} from './container-session.ts';
import { createDatabaseAudit, databaseRefusalEvent } from './database-audit.ts';
import { type DatabaseSession, openDatabaseSession } from './database-session.ts';
import { createDesktopAudit, desktopRefusalEvent } from './desktop-audit.ts';
import { openDesktopSession, type RunningDesktop } from './desktop-session.ts';
import { hostUserOf } from './host-user.ts';
import { askedOfKernel, createKernelCommands } from './kernel-commands.ts';
import { launch } from './launch.ts';
import type { LifecycleParts } from './lifecycle.ts';
import type { Broker, EndKind, OpenSession, SessionEnd } from './participant.ts';
import { lackOf } from './policy/attendance.ts';
import {
  applicationDoor,
  type Door,
  databaseDoor,
  desktopDoor,
  devicesOf,
  kubernetesDoor,
  type Leave,
  type SessionPolicy,
  serverDoor,
} from './policy/policy.ts';
import { firstMode, modesOf } from './policy/rules.ts';
import { createPromptSession, type PromptSession } from './prompt-session.ts';
import type { StatementReviews } from './reviews.ts';
import { createSessionAudit, type RunCommand, type SessionAudit } from './session-audit.ts';
import type { Running, ShellSession, ShellSessionParts } from './shell-session.ts';
import { openShellSession } from './shell-session.ts';
import { loginNotice, unpreparedFor } from './unprepared.ts';

/** How long a session that nobody is connected to is kept, ms. */
const KEEP_MS = 10 * 60_000;
/** How many ended sessions are remembered for those who come late. */
const ENDED_MOST = 1000;

export interface BrokerPorts {
  /** Asked before a session begins. */
  readonly policy: Pick<SessionPolicy, 'begin' | 'deviceRefusal'>;
  /** By the subKind of the targets that each reaches; `ssh` reaches all others. */
  readonly connectors: Readonly<Record<string, Connector>> & { readonly ssh: Connector };
  readonly recordings: RecordingStore;
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  /** Where statements wait that guards ask about. */
  readonly reviews: Pick<StatementReviews, 'ask'>;
  readonly clusterName: string;
  readonly keepMs?: number;
  readonly now?: () => Date;
  /** Output kept of each session for those who come (back), bytes; default RING_BYTES. */
  readonly ringBytes?: number;
  /** Hears of trouble nobody is waiting for. */
  readonly report?: (problem: string, error: unknown) => void;
}

export function createBroker(ports: BrokerPorts): Broker {
  const {
    policy,
    connectors,
    recordings,
    audit,
    reviews,
    clusterName,
    keepMs = KEEP_MS,
    now = () => new Date(),
  } = ports;
  const report =
    ports.report ??
    ((problem, error) => process.emitWarning(`${problem}: ${error instanceof Error ? error.message : String(error)}`));
  const running = new Map<string, Running>();
  const over = new Map<string, SessionEnd>();
  /** Sealing goes on after a session has left `running`. */
  const unfinished = new Set<Promise<void>>();
  const retries = createRetries(report);
  const kernel = createKernelCommands(connectors.ssh, now);
  let closed: string | null = null;
  const launching = { recordings, keepMs, now, retries, report, closed: () => closed, unfinished };

  /** What could not be reached is in the audit log. */
  async function noted(door: Door, connecting: Promise<Shell>): Promise<Shell> {
    try {
      return await connecting;
    } catch (error) {
      if (error instanceof ConnectError) await audit.emit(door.refused(error.message));
      throw error;
    }
  }
  /** Begins a session of the kind that `open` makes of a shell. Throws ConnectError, and Failure unavailable. */
  async function reach<Live extends Running & Doors>(
    request: Beginning,
    door: Door,
    sid: string,
    leave: Leave,
    open: (life: Life) => Live,
  ): Promise<Live> {
    const { who, target, login, size, command, container, wish, line } = request;
    const prompt =
      request.prompt && createPromptSession({ ...request, prompt: request.prompt, sid, audit, report, reviews });
    const lacking = lackOf(who.rights.joinDemands(container ? 'k8s' : 'ssh'), who.userId, []);
    if (lacking && command) {
      const refusal = `Your sessions on ${target.hostname} begin when others have joined, and nobody can join a command.`;
      await audit.emit(door.refused(refusal));
      throw new Failure('denied', refusal);
    }
    const runs = command ?? (line === undefined ? undefined : { line, executionId: '' });
    const opening = {
      ...{ user: who.user, sid, login, size, certExtensions: certExtensionsOf(who) },
      ...hostUserOf(who.rights, target),
      ...(runs && { command: request.runs ?? runs.line }),
      ...(wish && { wish }),
    };
    const connector = connectors[target.subKind] ?? connectors.ssh;
    const begin = () =>
      noted(
        door,
        prompt?.open(size, leave) ??
          container?.open(size) ??
          connector.open(target, { ...opening, ttlMs: leave.ttlMs() }),
      );
    const kernelKinds = prompt || container ? [] : askedOfKernel(target, who.rights.options);
    const isAsked = kernelKinds.length > 0;
    if (isAsked && who.rights.options.recordSsh === 'strict') await kernel.check(target, sid);
    const awaited = lacking ? createAwaitedShell(begin) : null;
    const shell = awaited ?? (await begin());
    const openDoors = closeDoors(shell);
    const { id: serverId, hostname, addr } = target;
    return launch(launching, {
      sid,
      who,
      reached: shell,
      head: {
        kind: 'terminal',
        sid,
        user: who.user,
        login,
        serverId,
        hostname,
        addr,
        clusterName,
        size,
        proto: prompt ? 'db' : container ? 'kube' : 'ssh',
      },
      onOver: end => noteOver(sid, leave, end),
      prepare(recorder) {
        const recording = recorder ? 'node' : 'off';
        const sessionAudit = createSessionAudit(
          audit,
          {
            sid,
            who,
            login,
            target,
            recording,
            device: request.device,
            command: runs,
            hasTerminal: command === undefined,
            container,
            database: prompt?.databaseAudit,
            unprepared: prompt || container ? [] : unpreparedFor(who.rights, target),
            kernel: isAsked ? () => kernel.read(target, sid, kernelKinds) : undefined,
          },
          report,
        );
        return {
          noteStart: () => sessionAudit.start(size, recorder?.key ?? null),
          run(life) {
            const live = open({
              ...life,
              mfaDevices: devicesOf(request),
              target,
              login,
              shell,
              begin: awaited && (() => awaited.begin()),
              sessionAudit,
              notice: prompt
                ? unpreparedDatabase(who.rights, prompt.access.database)
                : container || command !== undefined
                  ? null
                  : loginNotice(who.rights, target),
              prompt,
              container,
              clusterName,
              changed: () => changed(sid),
            });
            running.set(sid, live);
            openDoors(live, awaited !== null);
            changed(sid);
            return live;
          },
        };
      },
    });
  }
  const changed = (sid: string): void => ports.changes.emit({ kind: 'sessionChanged', sid });
  function noteOver(sid: string, leave: Leave, end: SessionEnd): void {
    changed(sid);
    running.delete(sid);
    leave.release();
    over.set(sid, end);
    const oldest = over.keys().next().value;
    if (over.size > ENDED_MOST && oldest !== undefined) over.delete(oldest);
  }

  function endAs(kind: EndKind, sid: string, why: string): boolean {
    const live = running.get(sid);
    void live?.end(kind, why);
    return live !== undefined;
  }

  /** Begins a session once policy has given leave: `start` reaches what is wanted, and launches it. */
  async function permitted<Live extends Running>(
    asked: Pick<OpenSession, 'who' | 'device'>,
    door: Door,
    start: (sid: string, leave: Leave) => Promise<Live>,
  ): Promise<Live> {
    if (closed !== null) throw new Failure('unavailable', closed);
    const sid = randomUUID();
    const leave = await policy.begin({ ...asked, sid }, door);
    try {
      const live = await start(sid, leave);
      void live.done.then(() => ports.changes.emit({ kind: 'sessionEnded', sid }));
      return live;
    } catch (error) {
      leave.release();
      throw error;
    }
  }

  function begin<Live extends Running & Doors>(request: Beginning, open: (life: Life) => Live): Promise<Live> {
    const { prompt, container } = request;
    const door = prompt
      ? databaseDoor({ ...request, ...prompt })
      : container
        ? containerDoor({ ...request, ...container })
        : serverDoor(request);
    return permitted(request, door, (sid, leave) => reach(request, door, sid, leave, open));
  }

  async function relay(request: OpenDatabase, sid: string, leave: Leave): Promise<DatabaseSession> {
    const { who, database, dbUser } = request;
    const databaseAudit = createDatabaseAudit(audit, { ...request, sid });
    const reached = await request.reach(leave.ttlMs(), databaseAudit.noteMade).catch(async (error: unknown) => {
      if (error instanceof ConnectError) await audit.emit(databaseRefusalEvent(request, error.message));
      throw error;
    });
    return launch(launching, {
      sid,
      who,
      reached,
      head: request.isUnread
        ? null
        : { kind: 'terminal', sid, user: who.user, login: dbUser, ...listHead(database), clusterName, proto: 'db' },
      onOver: end => noteOver(sid, leave, end),
      prepare: recorder => ({
        noteStart: () =>
          databaseAudit.start({
            session_recording: recorder ? 'node' : 'off',
            ...(recorder && { recording_key: recorder.key }),
          }),
        run(life) {
          const live = openDatabaseSession({
            ...life,
            ...request,
            mfaDevices: devicesOf(request),
            reached,
            databaseAudit,
            reviews,
            clusterName,
          });
          running.set(sid, live);
          changed(sid);
          return live;
        },
      }),
    });
  }

  function passOn(request: OpenApplication, sid: string, leave: Leave): Promise<RunningApplication> {
    const { who, application } = request;
    const applicationAudit = createApplicationAudit(audit, { ...request, sid });
    return launch(launching, {
      sid,
      who,
      reached: { close: request.hangUp },
      head: request.isUnread
        ? null
        : { kind: 'terminal', sid, user: who.user, login: '', ...listHead(application), clusterName, proto: 'app' },
      onOver: end => noteOver(sid, leave, end),
      prepare: recorder => ({
        noteStart: () =>
          applicationAudit.start({
            session_recording: recorder ? 'node' : 'off',
            ...(recorder && { recording_key: recorder.key }),
          }),
        run(life) {
          const live = openApplicationSession({
            ...life,
            ...request,
            mfaDevices: devicesOf(request),
            applicationAudit,
            clusterName,
          });
          running.set(sid, live);
          changed(sid);
          return live;
        },
      }),
    });
  }

  async function openDesktop(request: OpenDesktop, sid: string, leave: Leave): Promise<RunningDesktop> {
    const { who, desktop, login, size } = request;
    const reached = await request.reach().catch(async (error: unknown) => {
      if (error instanceof ConnectError) await audit.emit(desktopRefusalEvent(request, error.message));
      throw error;
    });
    const desktopAudit = createDesktopAudit(audit, { ...request, sid });
    const { name, address: addr, protocol: proto } = desktop;
    return launch(launching, {
      sid,
      who,
      reached,
      head: who.rights.acl.desktopSessionRecording
        ? { kind: 'desktop', sid, user: who.user, login, serverId: '', hostname: name, addr, clusterName, size, proto }
        : null,
      onOver: end => noteOver(sid, leave, end),
      prepare: recorder => ({
        noteStart: () =>
          desktopAudit.start({
            session_recording: recorder ? 'node' : 'off',
            ...(recorder && { recording_key: recorder.key }),
          }),
        run(life) {
          const mfaDevices = devicesOf(request);
          const live = openDesktopSession({
            ...{ ...life, ...request, mfaDevices, reached, desktopAudit, clusterName },
            changed: () => changed(sid),
          });
          running.set(sid, live);
          changed(sid);
          return live;
        },
      }),
    });
  }

  async function relayContainer(request: OpenContainer, sid: string, leave: Leave): Promise<RelayedContainer> {
    const { who, cluster, kubeUser, command, device, terminal } = request;
    const target = containerTarget(request);
    const client = await request.reach();
    return launch(launching, {
      sid,
      who,
      reached: client,
      head: {
        kind: 'terminal',
        sid,
        user: who.user,
        login: kubeUser,
        serverId: '',
        hostname: cluster.name,
        addr: target.addr,
        clusterName,
        size: CONTAINER_SIZE,
        proto: 'kube',
      },
      onOver: end => noteOver(sid, leave, end),
      prepare(recorder) {
        const sessionAudit = createSessionAudit(
          audit,
          {
            ...{ sid, who, login: kubeUser, target, device, container: request, hasTerminal: terminal },
            recording: recorder ? 'node' : 'off',
            ...(command !== '' && { command: { line: command, executionId: '' } }),
          },
          report,
        );
        return {
          noteStart: () => sessionAudit.start(CONTAINER_SIZE, recorder?.key ?? null),
          run(life) {
            const mfaDevices = devicesOf(request);
            const live = openContainerSession({ ...request, ...life, client, mfaDevices, sessionAudit, clusterName });
            running.set(sid, live);
            changed(sid);
            return live;
          },
        };
      },
    });
  }

  /** Throws Failure not_found (the text says how it ended, when that is known) or denied. */
  function admit(sid: string, who: Who, mode: Mode | ''): { readonly live: Running; readonly wanted: Mode } {
    const live = running.get(sid);
    if (!live) throw new Failure('not_found', over.get(sid)?.text || 'This session has ended.');
    const untrusted = policy.deviceRefusal(who);
    if (untrusted !== null) throw new Failure('denied', untrusted);
    const allowed = modesOf(who, live);
    const wanted = mode !== '' ? mode : firstMode(allowed, live.ownerId === who.userId);
    if (wanted === null) throw new Failure('denied', 'You may not join this session.');
    if (!allowed.includes(wanted)) throw new Failure('denied', `You may not join this session as ${wanted}.`);
    return { live, wanted };
  }

  return {
    passOn: async request =>
      (await permitted(request, applicationDoor(request), (sid, leave) => passOn(request, sid, leave))).requests,
    openDesktop: async request =>
      (await permitted(request, desktopDoor(request), (sid, leave) => openDesktop(request, sid, leave))).drawing,
    async relayContainer(request) {
      const { who, cluster, reached } = request;
      const door = containerDoor(request, rights =>
        lackOf(rights.joinDemands('k8s'), who.userId, [])
          ? needsOthers(cluster.name)
          : reached.refusal(rights, cluster.labels),
      );
      return (await permitted(request, door, (sid, leave) => relayContainer(request, sid, leave))).relayed;
    },
    relay: async request =>
      (await permitted(request, databaseDoor(request), (sid, leave) => relay(request, sid, leave))).statements,
    async open(request) {
      const { size } = request;
      const live = await begin(request, life => openShellSession({ ...life, size, ringBytes: ports.ringBytes }));
      return {
        sid: live.session.id,
        get session() {
          return live.session;
        },
      };
    },
    run: request => begin({ ...request, size: COMMAND_SIZE }, life => openCommandSession({ ...life, ...request })),
    attach(sid, { who, mode, size, have, subscriber }) {
      const { live, wanted } = admit(sid, who, mode);
      if (!isShell(live)) throw new Failure('bad_request', 'This session shows no terminal: it cannot be joined.');
      return live.join(who, wanted, size, have, subscriber);
    },
    watch(sid, who, watcher) {
      const { live } = admit(sid, who, 'observer');
      if (!isDesktop(live)) throw new Failure('bad_request', 'This session is on no desktop.');
      return { session: live.session, protocol: live.protocol, ...live.watch(who, watcher) };
    },
    get: sid => running.get(sid) ?? null,
    list: () => [...running.values()],
    modesFor(who, sid) {
      const live = running.get(sid);
      return live ? modesOf(who, live) : [];
    },
    end: (sid, why) => endAs('ended', sid, why),
    forbid: (sid, why) => endAs('forbidden', sid, why),
    showOut(sid, participantId, why) {
      const live = running.get(sid);
      if (live && (isShell(live) || isDesktop(live))) live.showOut(participantId, why);
    },
    follow: (sid, owner) => running.get(sid)?.follow(owner),
    takeApproved(sid, requestId, userId, act) {
      const live = running.get(sid);
      return live && isShell(live) ? live.takeApproved(userId, requestId, act) : null;
    },
    takeFile({ webSessionId }, sid, id) {
      const live = running.get(sid);
      const file = live && isShell(live) ? live.takeFile(webSessionId, id) : null;
      if (!file) throw new Failure('not_found', 'there is no such file, or it was fetched already');
      return file;
    },
    ended: sid => over.get(sid) ?? null,
    async close(reason) {
      closed = reason;
      retries.close();
      for (const live of running.values()) void live.end('shutdown', reason);
      while (unfinished.size > 0) await Promise.all(unfinished);
    },
  };
}

/** The door of a container. */
function containerDoor(
  request: Pick<OpenContainer, 'who' | 'device' | 'reached' | keyof KubernetesContainer>,
  refusal: Door['refusal'] = rights => request.reached.refusal(rights, request.cluster.labels),
): Door {
  const { who, namespace, pod, device } = request;
  const asked = { method: 'GET', path: `pods/${pod}/exec`, group: '', namespace, kind: 'pods', name: pod };
  return kubernetesDoor({ who, access: request, request: asked, ...(device !== undefined && { device }) }, refusal);
}
/** What a recording of statements or requests says of where it was: they are shown on a screen of this size. */
const listHead = ({ name, uri }: Pick<OpenDatabase['database'], 'name' | 'uri'>) => ({
  serverId: '',
  hostname: name,
  addr: uri,
  size: { cols: 120, rows: 40 },
});

/** A session that is to begin: a shell, or a command in its place. */
interface Beginning extends OpenSession {
  readonly command?: RunCommand;
  readonly runs?: string;
}
/** What sessions of both kinds are made of. */
interface Life extends Omit<LifecycleParts, 'body'> {
  readonly mfaDevices: readonly string[];
  readonly target: OpenSession['target'];
  readonly login: string;
  readonly shell: Shell;
  readonly begin: ShellSessionParts['begin'];
  readonly sessionAudit: SessionAudit;
  readonly prompt: PromptSession | undefined;
  readonly container: EnteredContainer | undefined;
  readonly clusterName: string;
  readonly changed: () => void;
  readonly notice: string | null;
}
/** Where a session hears what was reached. */
interface Doors {
  output(bytes: Uint8Array, from: OutputStream): void;
  exited(exit: ShellExit): void;
}
/** Nothing that a shell says before there is a session for it may be lost or shown: the answer hands it over. */
function closeDoors(shell: Shell): (doors: Doors, isAwaited: boolean) => void {
  const early: [Uint8Array, OutputStream][] = [];
  let gone: ShellExit | null = null;
  let doors: Doors = {
    output: (bytes, from) => void early.push([bytes, from]),
    exited(exit) {
      gone = exit;
    },
  };
  shell.onOutput((bytes, from) => doors.output(bytes, from));
  shell.onExit(exit => doors.exited(exit));
  shell.pause();
  return (session, isAwaited) => {
    doors = session;
    for (const [bytes, from] of early) session.output(bytes, from);
    if (gone) session.exited(gone);
    else if (!isAwaited) shell.resume();
  };
}

const isDesktop = (live: Running): live is RunningDesktop => 'watch' in live;
const isShell = (live: Running): live is ShellSession => 'join' in live;
