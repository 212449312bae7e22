// A running session that shows a terminal: a shell, and the participants who see it. Its life is `lifecycle.ts`'s.

import { randomUUID } from 'node:crypto';
import type { LiveSession, Mode } from '../../../contract/live-sessions.ts';
import type { Present, SessionControl, SessionState } from '../../../contract/terminal.ts';
import { endText } from '../../../contract/terminal.ts';
import { plainText } from '../../../contract/visible-text.ts';
import type { EnteredContainer } from '../../ports/kubernetes.ts';
import type { Target } from '../../ports/servers.ts';
import type { SessionInfo } from '../../ports/sessions.ts';
import type { Shell, ShellExit, Size } from '../../ports/shell.ts';
import type { Who } from '../../ports/who.ts';
import { createLastCommand } from '../command-marks.ts';
import { createBatches } from './batches.ts';
import { describe } from './describe.ts';
import type { Flow } from './fan-out.ts';
import { createFanOut } from './fan-out.ts';
import { createFileRequests, type FileRequests } from './file-requests.ts';
import { createGathering } from './gathering.ts';
import { createHandedFiles, type HandedFiles } from './handed-files.ts';
import type { LifecycleParts, SessionBody } from './lifecycle.ts';
import { openLifecycle } from './lifecycle.ts';
import type { EndKind, Participant, PresentRoles, Subscriber } from './participant.ts';
import type { Attendee } from './policy/attendance.ts';
import { reachedDatabase } from './policy/rules.ts';
import type { PromptSession } from './prompt-session.ts';
import type { SessionAudit } from './session-audit.ts';
import { sizeText } from './session-audit.ts';

/** Sizes follow each other no faster than this: each is an audit event, ms. */
const RESIZE_EVERY_MS = 100;
/** After a line was typed, what was run is looked for so much later, once however many lines there were, ms. */
const COMMAND_AFTER_MS = 1000;
const CTRL_C = 0x03;
const CARRIAGE_RETURN = 0x0d;
const LETTER_T = 0x74;

export interface ShellSessionParts extends Omit<LifecycleParts, 'body'> {
  readonly mfaDevices: readonly string[];
  readonly target: Target;
  readonly login: string;
  readonly size: Size;
  readonly shell: Shell;
  /** Opens the shell, once everybody is there who must be; null: it is open. */
  readonly begin: (() => void) | null;
  readonly sessionAudit: SessionAudit;
  /** The database's prompt that is its shell; undefined: a server's. */
  readonly prompt: PromptSession | undefined;
  /** The container whose shell it is; undefined: a server's. */
  readonly container: EnteredContainer | undefined;
  /** Said before anything of the server's; null: nothing. */
  readonly notice: string | null;
  readonly clusterName: string;
  readonly ringBytes: number | undefined;
  /** Told whenever it is another to whoever lists sessions. */
  readonly changed: () => void;
}
/** Any session that runs, as the broker holds it. */
export interface Running extends SessionInfo {
  readonly session: LiveSession;
  follow(now: PresentRoles): void;
  /** Hangs up; resolves as `done`. */
  end(kind: EndKind, text: string): Promise<void>;
  /** Resolves when the recording is sealed and the audit log has the end, or both are left to the next start. */
  readonly done: Promise<void>;
}
/** One that people can watch and type into. */
export interface ShellSession extends Running {
  join(who: Who, mode: Mode, size: Size, have: number | undefined, subscriber: Subscriber): Participant;
  readonly takeApproved: FileRequests['take'];
  readonly takeFile: HandedFiles['take'];
  /** Makes one participant leave, with a sentence why. */
  showOut(participantId: string, why: string): void;
  /** The shell's doors: call `output` and `exited` for what it said while it was being opened, too. */
  output(bytes: Uint8Array): void;
  exited(exit: ShellExit): void;
}

interface Seat {
  readonly participant: Participant;
  readonly who: Who;
  /** Of now. */
  roles: readonly string[];
  readonly mode: Mode;
  readonly subscriber: Subscriber;
  flow: Flow | null;
  lastActive: Date;
}

export function openShellSession(parts: ShellSessionParts): ShellSession {
  const { sid, who: owner, target, login, shell, recorder, sessionAudit, prompt, container, now } = parts;
  const seats = new Map<string, Seat>();
  const kind = container ? 'k8s' : 'ssh';
  let ownerRoles = owner.roles;
  let demands = owner.rights.joinDemands(kind);
  let size = parts.size;
  let rx = 0;
  let joined = false;
  let resizing: NodeJS.Timeout | null = null;
  let lookingForCommand: NodeJS.Timeout | null = null;
  let toldCommand = '';
  let nextSize: { readonly size: Size; readonly by: Seat } | null = null;
  /** Whose keys alone count; null: those of all peers. */
  let writer: Who | null = null;
  /** Output that came while the session stands still. The shell is paused: it is little. */
  const held: Uint8Array[] = [];
  /** How the program ended; null while it runs, and where it was hung up on. */
  let ran: ShellExit | null = null;
  let flows = parts.begin === null;
  let isCrowded = false;

  const body: SessionBody = {
    hangUp() {
      shell.close();
      handed.end();
    },
    flush() {
      for (const bytes of held.splice(0)) batches.push(bytes);
      batches.flush();
    },
    tell(end) {
      if (resizing) clearTimeout(resizing);
      if (lookingForCommand) clearTimeout(lookingForCommand);
      batches.stop();
      fanOut.close();
      const told = [...seats.values()];
      seats.clear();
      if (end.kind !== 'exited' && end.kind !== 'lost') files.end(end.text);
      for (const seat of told) {
        sessionAudit.leave(seat.who, seat.mode);
        seat.subscriber.ended(end);
      }
    },
    noteEnd: facts => sessionAudit.end({ ...facts, size, tx: fanOut.total, rx, exit: ran }),
  };
  const life = openLifecycle({ ...parts, body });
  // Whose session it is gets them, where that person typed last.
  const handed = createHandedFiles(event => {
    const [seat] = [...seats.values()]
      .filter(({ who, mode }) => mode === 'peer' && who.userId === owner.userId)
      .sort((one, other) => Number(other.lastActive) - Number(one.lastActive));
    seat?.subscriber.event({ ...event });
    return seat?.who.webSessionId ?? null;
  });
  prompt?.begun(life, handed.hand);

  const session = (): LiveSession =>
    describe({
      ...(prompt && { databaseName: target.hostname }),
      ...(container && { kubernetesCluster: container.cluster.name }),
      sid,
      owner: owner.user,
      login,
      target,
      size,
      started: parts.started,
      lastInput: life.lastActive,
      clusterName: parts.clusterName,
      moderated: demands.length > 0,
      state: gathering.sessionState.state,
      lastCommand: prompt?.last ?? lastCommand.text(),
      seats: [...seats.values()],
    });
  const present = (): Present[] =>
    [...seats.values()].map(({ participant, who, mode }) => ({ id: participant.id, user: who.user, mode }));
  const sessionState = (): SessionState => ({ ...gathering.sessionState, writer: writer?.user ?? '' });
  const steer = (): void => (isCrowded || !flows ? shell.pause() : shell.resume());
  function crowd(now: boolean): void {
    isCrowded = now;
    steer();
  }
  const fanOut = createFanOut({
    pause: () => crowd(true),
    resume: () => crowd(false),
    frame: output => ({ session: session(), output, recording: recorder?.mode ?? 'off', sessionState: sessionState() }),
    ...(parts.ringBytes === undefined ? {} : { ringBytes: parts.ringBytes }),
  });

  const lastCommand = createLastCommand(fanOut, () => size.cols);
  /** Into the recording, and to everybody unless the session stands still. */
  const batches = createBatches(
    batch => {
      if (life.record(to => to.output(batch)) && flows) fanOut.push(batch);
    },
    () => life.over,
  );
  const attendeeOf = ({ who: { userId, user }, roles, mode }: Seat): Attendee => ({ userId, user, roles, mode });
  const attendees = (): readonly Attendee[] => [...seats.values()].map(attendeeOf);
  const files = createFileRequests({
    sid,
    place: { serverId: target.id, login },
    ownerId: owner.userId,
    demands: () => demands,
    attendees,
    tell(event) {
      for (const { subscriber } of seats.values()) subscriber.event(event);
    },
  });
  const gathering = createGathering(
    {
      ownerId: owner.userId,
      demands: () => demands,
      attendees,
      begin: () => parts.begin?.(),
      flows(on) {
        batches.flush();
        flows = on;
        steer();
        for (const bytes of on ? held.splice(0) : []) batches.push(bytes);
      },
      say(sentence) {
        batches.flush();
        const bytes = Buffer.from(`\r\n${sentence}\r\n`);
        if (!life.over && life.record(to => to.output(bytes))) fanOut.push(bytes);
      },
      end: why => void life.end('ended', why),
    },
    parts.begin === null,
  );
  if (parts.notice !== null) batches.push(Buffer.from(`${plainText(parts.notice)}\r\n`));
  function output(bytes: Uint8Array): void {
    if (flows) batches.push(bytes);
    else if (!life.over) held.push(Uint8Array.from(bytes));
  }
  function tellState(by: string): void {
    parts.changed();
    for (const { subscriber } of seats.values())
      subscriber.event({ event: 'session.state', sid, by, parties: present(), sessionState: sessionState() });
  }
  function tellPresence(event: 'session.join' | 'session.leave', of: Seat): void {
    parts.changed();
    const { who, mode } = of;
    tell({ event, sid, user: who.user, mode, parties: present(), sessionState: sessionState() }, of);
  }
  const isTyping = (one: Who | null): boolean =>
    [...seats.values()].some(({ who, mode }) => mode === 'peer' && who.userId === one?.userId);
  function control(seat: Seat, { action, party }: SessionControl): string | null {
    if (life.over || !seats.has(seat.participant.id)) return null;
    if (action === 'pause' || action === 'resume') {
      if (seat.mode !== 'moderator') return 'Only moderators pause a session.';
      if (seat.who.userId === owner.userId) return 'Its owner does not moderate a session.';
      if (gathering.hold(action === 'pause' ? seat.who.user : null)) tellState(seat.who.user);
      return null;
    }
    const isOwner = seat.who.userId === owner.userId;
    if (action === 'end') {
      if (!isOwner && seat.mode !== 'moderator') return 'Only its owner or a moderator may end a session.';
      void life.end('ended', endedBy(seat, isOwner));
      return null;
    }
    if (seat.mode !== 'peer') return 'Only who types here can have the keys.';
    if (writer && writer.userId !== seat.who.userId && !isOwner) return `${writer.user} has the keys.`;
    if (action === 'give') {
      const to = seats.get(party);
      if (to?.mode !== 'peer') return 'The keys can only be given to somebody who types here.';
      writer = to.who;
    } else writer = action === 'take' ? seat.who : null;
    tellState(seat.who.user);
    return null;
  }

  function applySize(): void {
    resizing = null;
    if (!nextSize || life.over) return;
    const { size: wanted, by } = nextSize;
    nextSize = null;
    if (wanted.cols === size.cols && wanted.rows === size.rows) return;
    batches.flush();
    if (life.over) return;
    size = wanted;
    shell.resize(size);
    if (!life.record(to => to.resize(size))) return;
    sessionAudit.resize(by.who, size);
    tell({ event: 'resize', size: sizeText(size), sid, user: by.who.user }, by);
    resizing = setTimeout(applySize, RESIZE_EVERY_MS).unref();
  }
  function resize(by: Seat, wanted: Size): void {
    if (life.over || by.mode !== 'peer') return;
    nextSize = { size: wanted, by };
    if (!resizing) applySize();
  }
  function tell(event: { event: string; [field: string]: unknown }, except: Seat): void {
    for (const seat of seats.values()) if (seat !== except) seat.subscriber.event(event);
  }
  function remove(seat: Seat, how: 'leave' | 'drop' | 'shown out'): void {
    if (!seats.delete(seat.participant.id)) return;
    seat.flow?.close();
    sessionAudit.leave(seat.who, seat.mode);
    if (!isTyping(writer)) writer = null;
    if (!life.record(to => to.presence(seat.who.user, 'leave')) || life.over) return;
    gathering.judge();
    tellPresence('session.leave', seat);
    if (life.over) return;
    if (seats.size === 0 && how === 'leave' && seat.mode === 'peer')
      void life.end('ended', `${seat.who.user} closed the session.`);
    else if (![...seats.values()].some(({ mode }) => mode === 'peer')) life.attended(false);
  }
  function showOut(seat: Seat, kind: 'left' | 'forbidden', why: string): void {
    remove(seat, 'shown out');
    seat.subscriber.ended({ kind, text: why });
  }
  /** Whoever lists sessions sees what was run last. */
  function tellCommand(): void {
    lookingForCommand = null;
    const command = lastCommand.text();
    if (command !== toldCommand) parts.changed();
    toldCommand = command;
  }
  function input(seat: Seat, bytes: Uint8Array): void {
    if (life.over || !seats.has(seat.participant.id) || bytes.length === 0) return;
    seat.lastActive = now();
    if (seat.mode === 'peer') {
      if (!flows || (writer && writer.userId !== seat.who.userId)) return;
      life.active();
      rx += bytes.length;
      shell.write(bytes);
      if (bytes.includes(CARRIAGE_RETURN)) lookingForCommand ??= setTimeout(tellCommand, COMMAND_AFTER_MS).unref();
    } else if (bytes.includes(CTRL_C)) {
      showOut(seat, 'left', 'You left the session.');
    } else if (seat.mode === 'moderator' && bytes.includes(LETTER_T)) void life.end('ended', endedBy(seat, false));
  }

  // A client that has stopped saying what it has shown must not keep an ended session open.
  shell.onGone(() => fanOut.last());
  return {
    get session() {
      return session();
    },
    ownerId: owner.userId,
    trustedDevice: owner.trustedDevice?.id ?? '',
    accessRequests: owner.grants.map(({ request }) => request),
    impersonatedIn: owner.impersonator === undefined ? undefined : owner.webSessionId,
    requestsOf: id => seats.get(id)?.who.grants.map(({ request }) => request) ?? [],
    mfaDevices: parts.mfaDevices,
    get reached() {
      return prompt ? reachedDatabase(prompt.access) : container?.reached;
    },
    get ownerRoles() {
      return ownerRoles;
    },
    follow({ roles, rights, rolesOf }) {
      ownerRoles = roles;
      demands = rights.joinDemands(kind);
      prompt?.follow(rights);
      for (const seat of seats.values()) seat.roles = rolesOf(seat.who.user) ?? seat.roles;
      life.follow(rights.options);
      if (gathering.judge()) tellState('');
    },
    join(who, mode, wanted, have, subscriber) {
      batches.flush();
      const participant: Participant = {
        id: randomUUID(),
        mode,
        sid,
        input: bytes => input(seat, bytes),
        resize: to => resize(seat, to),
        control: asked => control(seat, asked),
        requestFile(transfer, hostname) {
          const refused = life.over ? null : files.ask(attendeeOf(seat), transfer, hostname);
          if (refused) subscriber.event(refused);
        },
        decideFile: (id, approves) => (life.over ? null : files.decide(attendeeOf(seat), id, approves)),
        seen: offset => seat.flow?.seen(offset),
        leave: () => remove(seat, 'leave'),
        drop: () => remove(seat, 'drop'),
        roundTrip: () => shell.roundTrip(),
      };
      // Its place in the list comes first: the session frame that opens the flow names it.
      const seat: Seat = { participant, who, roles: who.roles, mode, subscriber, lastActive: now(), flow: null };
      seats.set(participant.id, seat);
      const own: Subscriber = { ...subscriber, begin: frame => subscriber.begin({ ...frame, party: participant.id }) };
      seat.flow = fanOut.open(
        own,
        { holds: mode === 'peer', clipboard: mode === 'peer' && who.userId === owner.userId },
        have,
      );
      if (mode === 'peer') life.attended(true);
      if (joined) {
        sessionAudit.join(who, mode);
        life.record(to => to.presence(who.user, 'join'));
      }
      // Who comes may be the one who is awaited.
      const stands = gathering.judge();
      tellPresence('session.join', seat);
      if (stands) tellState(who.user);
      for (const event of files.pending()) subscriber.event(event);
      joined = true;
      life.participant(who);
      resize(seat, wanted);
      return participant;
    },
    takeApproved: files.take,
    takeFile: handed.take,
    showOut(participantId, why) {
      const seat = seats.get(participantId);
      if (seat) showOut(seat, 'forbidden', why);
    },
    output,
    exited(exit) {
      if (exit.error === null && !life.ending) ran = exit;
      life.gone(
        exit.error === null
          ? { kind: 'exited', text: endText(exit) }
          : {
              kind: 'lost',
              text: exit.unopened ? exit.error : `The connection to ${target.hostname} was lost: ${exit.error}`,
            },
      );
    },
    end: life.end,
    done: life.done,
  };
}

const endedBy = ({ who }: Seat, isOwner: boolean): string =>
  `The session was ended by ${who.user}, ${isOwner ? 'its owner' : 'a moderator'}.`;
