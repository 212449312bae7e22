// A session's events for the audit log: codes of the catalogue and their fields, in the order they happened.

import type { Mode } from '../../../contract/live-sessions.ts';
import { endText, type ProgramEnd } from '../../../contract/terminal.ts';
import type { AuditEntry, AuditLog } from '../../ports/audit.ts';
import type { KubernetesContainer } from '../../ports/kubernetes.ts';
import type { RecordingSeal } from '../../ports/recordings.ts';
import type { Target } from '../../ports/servers.ts';
import type { Size } from '../../ports/shell.ts';
import type { Who } from '../../ports/who.ts';
import { deviceField } from '../device-facts.ts';
import { agentFields } from './agent-facts.ts';
import type { DatabaseAudit } from './database-audit.ts';
import type { KernelCommand, KernelConnection, KernelFile, KernelRecord } from './kernel-record.ts';
import { containerFields } from './kubernetes-audit.ts';

/** Somebody's wish for a session, as events name it. */
interface Wish {
  readonly who: Who;
  readonly target: Target;
  readonly login: string;
}

const wishFields = ({ who, target, login }: Wish): Record<string, unknown> => ({
  user: who.user,
  ...deviceField(who),
  user_id: who.userId,
  ...agentFields(who),
  login,
  ...serverFields(target),
  'addr.remote': who.remoteAddr,
  proto: 'ssh',
});
/** A session did not begin: not permitted, or the server could not be reached. */
export const refusalEvent = (wish: Wish, error: string): AuditEntry => ({
  code: 'T3007W',
  ...wishFields(wish),
  success: false,
  error,
});
/** A session did not begin: the person has `max` already. */
export const limitEvent = (wish: Wish, max: number): AuditEntry => ({
  code: 'T1006W',
  ...wishFields(wish),
  reason: 'max_sessions limit reached',
  max,
});

/** What all events of one session share. */
export interface AuditedSession {
  readonly sid: string;
  readonly who: Who;
  readonly login: string;
  readonly target: Target;
  /** 'node' = recorded here; 'off' = not recorded. */
  readonly recording: 'node' | 'off';
  /** Id of the device that the session was proven with. */
  readonly device?: string | undefined;
  /** What it runs, where it shows no terminal. */
  readonly command?: RunCommand | undefined;
  /** The command has a terminal all the same. */
  readonly hasTerminal?: boolean;
  /** A container of a cluster, in place of a server. */
  readonly container?: KubernetesContainer | undefined;
  /** A database's prompt: its start and end are events of databases. */
  readonly database?: DatabaseAudit | undefined;
  /** What roles ask of the server that it was not prepared for. */
  readonly unprepared?: readonly string[] | undefined;
  /** Asks the server's kernel what ran, where it is prepared for that. Rejects with a sentence. */
  readonly kernel?: (() => Promise<KernelRecord>) | undefined;
}
/** A command, and the run that it belongs to: '' where the client named none. */
export interface RunCommand {
  readonly line: string;
  readonly executionId: string;
}
export interface SessionAudit {
  /** Resolves when the log has it; the session may only be shown after that. */
  start(size: Size, key: string | null): Promise<void>;
  join(who: Who, mode: Mode): void;
  leave(who: Who, mode: Mode): void;
  resize(by: Who, size: Size): void;
  /**
   * Writes session.data and session.end, before them what became of a command, and resolves when the log has them, and all before them.
   * Called again after it failed, it goes on with what is missing.
   */
  end(facts: EndFacts): Promise<void>;
}
/** How any session ended. */
export interface SessionEndFacts {
  /** Names by id. */
  readonly participants: ReadonlyMap<string, string>;
  readonly started: Date;
  readonly stopped: Date;
  readonly seal: RecordingSeal | null;
  /** Why it ended, where it was not the program's own exit. */
  readonly message: string;
  readonly error: string;
}
interface EndFacts extends SessionEndFacts {
  readonly size: Size;
  /** Bytes of output and of input. */
  readonly tx: number;
  readonly rx: number;
  /** How the command ended; null where it did not come to its end. */
  readonly exit?: ProgramEnd | null;
}

export const sizeText = (size: Size): string => `${size.cols}:${size.rows}`;

/** Fields of the server. */
export const serverFields = (target: Target): Record<string, unknown> => ({
  namespace: 'default',
  server_id: target.id,
  server_hostname: target.hostname,
  server_addr: target.addr,
  server_labels: target.labels,
  server_sub_kind: target.subKind,
});

export function createSessionAudit(
  audit: AuditLog,
  subject: AuditedSession,
  report: (problem: string, error: unknown) => void,
): SessionAudit {
  const { sid, who, login, target, recording, device, command, container, database, kernel } = subject;
  let written: Promise<unknown> = Promise.resolve();
  /** Of the entries about the end, so many are in the log. */
  let ends = 0;
  let seen: Promise<KernelRecord | null> | undefined;
  let unseen = '';
  const initial = command && { initial_command: [command.line] };
  const fields = (by: Who): Record<string, unknown> => ({
    user: by.user,
    ...deviceField(by),
    user_id: by.userId,
    ...agentFields(by),
    login,
    sid,
    'addr.remote': by.remoteAddr,
    ...(container ? containerFields(container) : { ...serverFields(target), proto: database ? 'db' : 'ssh' }),
  });

  /** What the kernel saw; null where it is not asked, or does not tell. */
  const askKernel = (): Promise<KernelRecord | null> =>
    (kernel?.() ?? Promise.resolve(null)).catch((error: unknown) => {
      report(`session ${sid}: what the kernel saw could not be read`, error);
      unseen = `The commands that the kernel saw could not be read: ${error instanceof Error ? error.message : String(error)}.`;
      return null;
    });

  function note(entry: AuditEntry): void {
    written = written
      .then(() => audit.emit(entry))
      .catch((error: unknown) => report(`session ${sid}: event ${entry.code} is not in the audit log`, error));
  }
  return {
    start: (size, key) =>
      database?.start({ session_recording: recording, ...(key !== null && { recording_key: key }) }) ??
      audit.emit({
        code: 'T2000I',
        ...fields(who),
        size: sizeText(size),
        session_recording: recording,
        ...(device !== undefined && { with_mfa: device }),
        ...initial,
        ...(subject.unprepared?.length && { unprepared: subject.unprepared }),
        ...(key === null ? {} : { recording_key: key }),
      }),
    join: (joined, mode) => note({ code: 'T2001I', ...fields(joined), mode }),
    leave: (left, mode) => note({ code: 'T2003I', ...fields(left), mode }),
    resize: (by, size) => note({ code: 'T2002I', ...fields(by), size: sizeText(size) }),
    async end(facts) {
      await written;
      if (database) return database.end(facts);
      seen ??= askKernel();
      const record = await seen;
      const error = facts.error || unseen;
      const end: AuditEntry = {
        code: 'T2004I',
        ...fields(who),
        ...initial,
        size: sizeText(facts.size),
        interactive: command === undefined || subject.hasTerminal === true,
        enhanced_recording: record !== null,
        ...(record?.isPart && { enhanced_recording_cut: true }),
        session_recording: recording,
        participants: [...facts.participants.values()],
        participant_ids: [...facts.participants.keys()],
        session_start: facts.started.toISOString(),
        session_stop: facts.stopped.toISOString(),
        ...facts.seal,
        ...(facts.message === '' ? {} : { message: facts.message }),
        ...(error === '' ? {} : { error }),
      };
      const data: AuditEntry = { code: 'T2006I', ...fields(who), tx: facts.tx, rx: facts.rx };
      const ran = command ? [{ ...fields(who), ...execution(command, facts) }] : [];
      const seenByKernel = record ? kernelEvents(record).map(event => ({ ...fields(who), ...event })) : [];
      for (const entry of [...ran, ...seenByKernel, data, end].slice(ends)) {
        await audit.emit(entry);
        ends += 1;
      }
    },
  };
}

/** What the kernel saw, in the order of time. */
const kernelEvents = ({ commands, files, connections }: KernelRecord): readonly AuditEntry[] =>
  [
    ...commands.map(one => ({ time: one.time, event: programEvent(one) })),
    ...files.map(one => ({ time: one.time, event: fileEvent(one) })),
    ...connections.map(one => ({ time: one.time, event: connectionEvent(one) })),
  ]
    .sort((one, other) => one.time.getTime() - other.time.getTime())
    .map(({ event }) => event);

const fileEvent = ({ time, pid, ppid, program, path, flags, returnCode }: KernelFile): AuditEntry => ({
  code: 'T4001I',
  happened: time.toISOString(),
  ...{ pid, ppid, program, path, flags, return_code: returnCode },
});
/** EPERM and EACCES: the kernel did not let it. */
const isDenied = (returnCode: number): boolean => returnCode === -1 || returnCode === -13;
const connectionEvent = ({ time, pid, program, address, port, version, returnCode }: KernelConnection): AuditEntry => ({
  code: 'T4002I',
  happened: time.toISOString(),
  ...{ pid, program, dst_addr: address, dst_port: port, version, operation: 0, action: isDenied(returnCode) ? 1 : 0 },
});
/** A program that the kernel saw start. `process_start` is when; the event itself is written when the session ends. */
const programEvent = ({ time, pid, ppid, program, path, argv, returnCode }: KernelCommand): AuditEntry => ({
  code: 'T4000I',
  process_start: time.toISOString(),
  pid,
  ppid,
  program,
  path,
  argv,
  return_code: returnCode,
});

/** What became of a command: code T3002I when it ended with 0, else T3002E. */
function execution({ line, executionId }: RunCommand, { exit, error, message }: EndFacts): AuditEntry {
  const exitError = exit ? endText(exit) : error || message;
  return {
    code: exitError === '' ? 'T3002I' : 'T3002E',
    command: line,
    ...(executionId !== '' && { execution_id: executionId }),
    // Text on this wire.
    ...(exit?.code != null && { exitCode: String(exit.code) }),
    ...(exitError !== '' && { exitError }),
  };
}
