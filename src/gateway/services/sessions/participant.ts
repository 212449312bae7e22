// One person's place in a running session, and the socket behind it: the two doors between the broker and live/terminal.ts.
import type { LiveSession, Mode } from '../../../contract/live-sessions.ts';
import type { DesktopProtocol } from '../../../contract/resources.ts';
import type { FileRequest, ProgramEnd, SessionControl, SessionFrame } from '../../../contract/terminal.ts';
import type { ApplicationSession, OpenApplication } from '../../ports/applications.ts';
import type { DatabasePrompt, OpenDatabase, Statements } from '../../ports/databases.ts';
import type { DesktopSession, OpenDesktop } from '../../ports/desktops.ts';
import type { ContainerSession, EnteredContainer, OpenContainer } from '../../ports/kubernetes.ts';
import type { Rights } from '../../ports/rights.ts';
import type { ProgramWish, Target } from '../../ports/servers.ts';
import type { SessionInfo } from '../../ports/sessions.ts';
import type { OutputStream, ProgramInput, Size } from '../../ports/shell.ts';
import type { Who } from '../../ports/who.ts';
import type { DesktopSeat, DesktopWatcher } from './desktop-seats.ts';
import type { ApprovedAct } from './file-requests.ts';
import type { FileAct } from './files/scope.ts';
import type { TakenFile } from './handed-files.ts';
import type { RunCommand } from './session-audit.ts';

/** Above this much unsent output in a peer's socket the shell is paused, bytes. */
export const SOCKET_HIGH_BYTES = 512 * 1024;
/** At or below this much unsent output a held shell goes on, bytes. */
export const SOCKET_LOW_BYTES = 128 * 1024;
/** An observer further behind than this is brought up to date from the ring instead of slowing the shell, bytes. */
export const LAG_MOST_BYTES = 1024 * 1024;
/** Where others watch too, a peer may hold the shell for this long; then it is treated as one that lags, ms. */
export const STALL_MOST_MS = 5000;

/**
 * Why a participant's socket is being closed. `exited`: the program ended by itself. `left`: this participant was shown out or left by
 * Ctrl-C while the session goes on. `forbidden`: the person may not go on, whether the session does or not. The rest end the session:
 * by a person, by idleness, because nobody came back, because the connection to the server broke, because the recording could not be
 * written, because the gateway stops.
 */
export type EndKind =
  | 'exited'
  | 'left'
  | 'forbidden'
  | 'ended'
  | 'idle'
  | 'abandoned'
  | 'lost'
  | 'unrecorded'
  | 'shutdown';
export interface SessionEnd {
  readonly kind: EndKind;
  /** A sentence to show; '' when the program simply exited with 0. */
  readonly text: string;
}

/** The socket of one participant, as the broker drives it. No method may throw; after `ended` none is called. */
export interface Subscriber {
  /**
   * Comes before the first output, synchronously within `attach`, and again when a participant lagged so far that output was skipped:
   * send it as a session frame (`s`). Raw output that follows begins at `frame.output.offset`.
   */
  begin(frame: SessionFrame): void;
  /** Output, at most 64 kB at once. `offset` is the place in the session's output just after these bytes. Copy the bytes: their memory is used again. */
  output(bytes: Uint8Array, offset: number): void;
  /** An audit-like event for an `a` frame: resize {size "W:H"}, session.join, session.leave. */
  event(event: { readonly event: string; readonly [field: string]: unknown }): void;
  /** Last call: tell the person and close the socket. The participant is gone already: call neither `leave` nor `drop`. */
  ended(end: SessionEnd): void;
  /** Output given to the socket and not yet taken by the network, bytes. */
  bufferedBytes(): number;
  /** One listener: call it whenever a send has completed. */
  onDrain(listener: () => void): void;
}

/** What a socket may do for its person. Every method is safe after the end: it then does nothing. */
export interface Participant {
  readonly id: string;
  readonly mode: Mode;
  readonly sid: string;
  /** What a person typed. Observers: only Ctrl-C (leave) counts. Moderators: `t` ends the session, Ctrl-C leaves. */
  input(bytes: Uint8Array): void;
  /** The newest peer's size wins; those of observers and moderators are ignored. */
  resize(size: Size): void;
  /** Takes, returns or hands over the keys; pauses the session or lets it go on. Answers why not, or null. */
  control(asked: SessionControl): string | null;
  /** Asks the others for a file transfer. A refusal comes as an event, like a denial. */
  requestFile(transfer: FileRequest, hostname?: string): void;
  /** Approves or denies one; whoever asked takes it back. Answers why not, or null. */
  decideFile(requestId: string, approves: boolean): string | null;
  /** How far into the session's output this client has shown, bytes (contract/terminal.ts seenMessage). */
  seen(offset: number): void;
  /** The client closed on purpose (code 1000): when nobody else is there, the session ends. */
  leave(): void;
  /** The connection was lost (any other code): the session is kept for `keepMs`. */
  drop(): void;
  /** Round trip from the gateway to the server, ms. */
  roundTrip(): Promise<number>;
}

export interface OpenSession {
  readonly who: Who;
  readonly target: Target;
  readonly login: string;
  readonly size: Size;
  /** Id of the device that this very session was proven with, where roles ask for that. */
  readonly device?: string;
  /** A database's prompt in place of a server's shell: `target` and `login` are the database and its user. */
  readonly prompt?: DatabasePrompt;
  /** What a person's own client wants of it; absent: a shell in a terminal as the console has it. */
  readonly wish?: ProgramWish;
  /** What it runs in its terminal in place of the login's shell. */
  readonly line?: string;
  /** A container of a cluster in place of a server: `target` and `login` are the cluster and whom it takes the person for. */
  readonly container?: EnteredContainer;
}
/** A command in place of a shell. It cannot be joined: whoever runs it is told all there is. */
interface OpenCommand extends Omit<OpenSession, 'size'> {
  readonly command: RunCommand;
  readonly listener: CommandListener;
  /** What is really run where `command` only names it: '' is the login's shell. */
  readonly runs?: string;
  /** What it prints is the content of files, which recordings do not hold. */
  readonly isTransfer?: boolean;
}
/** Whoever runs a command. No method may throw; after `ended` none is called. */
export interface CommandListener {
  /** Comes first. */
  began(live: LiveCommand): void;
  /** Copy the bytes: their memory is used again. */
  output(bytes: Uint8Array, from: OutputStream): void;
  /** `exit` is null where the command did not come to its end, and `end` then says why. */
  ended(end: SessionEnd, exit: ProgramEnd | null): void;
}
interface Attach {
  readonly who: Who;
  /** '' = the owner as peer, others as the first of observer, moderator, peer that they may. */
  readonly mode: Mode | '';
  readonly size: Size;
  /** Bytes of output that this client still holds; what follows is sent when the ring still has it. */
  readonly have?: number;
  readonly subscriber: Subscriber;
}

/** What the people of a session have now. */
export interface PresentRoles {
  readonly roles: readonly string[];
  readonly rights: Rights;
  /** Of another who takes part, by name; undefined: as when they came. */
  rolesOf(user: string): readonly string[] | undefined;
}
/** A command that is running. */
export interface LiveCommand {
  readonly session: LiveSession;
  /** Stop and resume reading what it prints. */
  pause(): void;
  resume(): void;
  /** What it reads; absent: nothing. */
  readonly input?: ProgramInput;
  signal(name: string): void;
}
/** A session that is running. */
interface Live {
  readonly sid: string;
  readonly session: LiveSession;
}

export interface Broker {
  /**
   * Starts a shell, its recording and its audit trail. Throws Failure denied (login not allowed, too many sessions, web session
   * over), ConnectError, or Failure internal / unavailable when the recording or the audit log cannot be kept.
   */
  open(request: OpenSession): Promise<Live>;
  /**
   * Runs a command as a session of its own: recorded, limited and in the audit log as any. `done` resolves when its recording is sealed and
   * the log has its end. Throws as `open` does.
   */
  run(request: OpenCommand): Promise<{ readonly done: Promise<void> }>;
  /** Begins a session in a database, limited and in the audit log as any. Throws as `open` does. */
  relay(request: OpenDatabase): Promise<Statements>;
  /** Begins a session in an application, limited, recorded and in the audit log as any. Throws Failure as `open` does. */
  passOn(request: OpenApplication): Promise<ApplicationSession>;
  /** Begins a session on a desktop, limited, recorded and in the audit log as any. Throws as `open` does, and what `reach` throws. */
  openDesktop(request: OpenDesktop): Promise<DesktopSession>;
  /** Begins a session in a container, for a client that is relayed. Throws as `open` does, and what `reach` throws. */
  relayContainer(request: OpenContainer): Promise<ContainerSession>;
  /** Throws Failure not_found (no such session: the text says how it ended, when that is known) or denied. */
  attach(sid: string, request: Attach): Participant;
  /** Somebody watches a session on a desktop from now on. Throws as `attach` does, and Failure bad_request for what cannot be watched. */
  watch(
    sid: string,
    who: Who,
    watcher: DesktopWatcher,
  ): DesktopSeat & { readonly session: LiveSession; readonly protocol: DesktopProtocol };
  get(sid: string): SessionInfo | null;
  list(): readonly SessionInfo[];
  /** How this person may take part; empty when not at all. */
  modesFor(who: Who, sid: string): readonly Mode[];
  /** Hangs up. False when there is no such session. `why` is the sentence that all are told. Rights are the caller's to check. */
  end(sid: string, why: string): boolean;
  /** As `end`, because its owner may not go on: those who are there are closed as whoever may not is. */
  forbid(sid: string, why: string): boolean;
  /** Shows out one participant who may not go on; the session does. Nothing happens when there is no such participant (any more). */
  showOut(sid: string, participantId: string, why: string): void;
  /** What the owner's roles are now, and those of the others: limits, ways to join and who must be there follow them. */
  follow(sid: string, now: PresentRoles): void;
  /**
   * What was approved in a session, for this person, of something that is about to be done with files: a transfer once, asked again it is
   * not (null). Whose roles demand others in their sessions (Rights.joinDemands) does nothing with files without.
   */
  takeApproved(sid: string, requestId: string, userId: string, act: FileAct): ApprovedAct | null;
  /** What the prompt hands to this web session, once. Throws Failure not_found. */
  takeFile(who: Who, sid: string, id: string): TakenFile;
  /** How a session that is no longer running ended; null when it is not known (any more). */
  ended(sid: string): SessionEnd | null;
  /** Tells all participants, seals all recordings, and resolves when the audit log has it all. New sessions are refused from then on. */
  close(reason: string): Promise<void>;
}
