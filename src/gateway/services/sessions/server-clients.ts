// People's own SSH clients: what they open on servers becomes sessions like any, and what they forward is judged and noted.

import { Failure } from '../../../contract/failure.ts';
import { type ProgramEnd, readEnd } from '../../../contract/terminal.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { FilesDeed, FilesWatch } from '../../ports/files.ts';
import { ConnectError } from '../../ports/reach.ts';
import type {
  ClientChannel,
  ClientForwards,
  ClientPlace,
  ClientSession,
  ServerClients,
} from '../../ports/server-clients.ts';
import type { Connector, Forwarder, ProgramWish } from '../../ports/servers.ts';
import type { Who } from '../../ports/who.ts';
import { certExtensionsOf } from '../device-facts.ts';
import { transferOf } from './client-transfers.ts';
import { noteFile } from './files/files-audit.ts';
import { hostUserOf } from './host-user.ts';
import type { Broker, LiveCommand, SessionEnd } from './participant.ts';
import { SOCKET_HIGH_BYTES, SOCKET_LOW_BYTES } from './participant.ts';
import type { Passages } from './passages.ts';
import { devicesOf, type SessionPolicy, serverDoor } from './policy/policy.ts';
import { forwardRefusal, loginRefusal } from './policy/rules.ts';
import { serverFields } from './session-audit.ts';

/** Events about files that are not in the log yet: beyond it the client waits. */
const UNWRITTEN_MOST = 1000;
type Wanted = Parameters<ServerClients['open']>[1];
interface Asked extends Omit<Wanted, 'wish'> {
  readonly wish: ProgramWish;
}
/** Certificates of forwards name no session. */
const FORWARD_SID = 'forward';

export interface ServerClientParts {
  readonly broker: Pick<Broker, 'open' | 'run' | 'attach' | 'end'>;
  readonly policy: Pick<SessionPolicy, 'permit' | 'permitFiles'>;
  readonly passages: Pick<Passages, 'enter'>;
  readonly audit: AuditLog;
  readonly connectors: Readonly<Record<string, Connector>> & { readonly ssh: Connector };
  readonly servers: Pick<ServerClients, 'target'>;
  readonly watchFiles: (did: (deed: FilesDeed) => void) => FilesWatch;
  /** The person did something: their sign-in does not end for idleness. */
  readonly active: (webSessionId: string) => void;
  readonly report: (problem: string, error: unknown) => void;
}

export function createServerClients(parts: ServerClientParts): ServerClients {
  const { broker, policy, audit, report } = parts;

  async function openTerminal(
    place: ClientPlace,
    { line, wish, size }: Asked,
    channel: ClientChannel,
  ): Promise<ClientSession> {
    const { who } = place;
    const { sid } = await broker.open({ ...place, size, wish, ...(line !== '' && { line }) });
    const participant = broker.attach(sid, {
      who,
      mode: 'peer',
      size,
      subscriber: {
        begin: () => undefined,
        event: () => undefined,
        output: bytes => channel.output(bytes, 'stdout'),
        bufferedBytes: channel.bufferedBytes,
        onDrain: channel.onDrain,
        ended: end => channel.ended(exitOf(end), end.text),
      },
    });
    return {
      write(bytes) {
        parts.active(who.webSessionId);
        participant.input(bytes);
        return true;
      },
      // A terminal has no end of input: it would be a key.
      end: () => undefined,
      resize: participant.resize,
      // The terminal makes signals of keys.
      signal: () => undefined,
      close: participant.leave,
    };
  }

  async function openProgram(
    place: ClientPlace,
    { line, wish }: Asked,
    channel: ClientChannel,
  ): Promise<ClientSession> {
    const { who } = place;
    const transfer = wish.subsystem ? 'files' : transferOf(line);
    if (transfer) await policy.permitFiles(place);
    const shown = wish.subsystem ?? (line === '' ? 'a shell without a terminal' : line);
    let live: LiveCommand | undefined;
    let held = false;
    let unwritten = 0;
    let isOver = false;
    const ask = { ...place, sid: '' };
    const sid = (): string => live?.session.id ?? '';
    const note = (deed: FilesDeed): void => {
      unwritten += 1;
      noteFile(audit, ask, sid(), deed.action, deed)
        .catch((error: unknown) => report('what a client did with files is not in the audit log', error))
        .finally(() => {
          unwritten -= 1;
          if (unwritten === UNWRITTEN_MOST && !isOver) channel.room();
        });
    };
    const watch = wish.subsystem ? parts.watchFiles(note) : null;
    /** What is no conversation about files ends it: nothing passes that was not looked at. */
    const seen = (look: (watch: FilesWatch) => void): void => {
      if (!watch) return;
      try {
        look(watch);
      } catch {
        broker.end(sid(), 'The session was ended: what came was no SFTP.');
      }
    };
    const steer = (): void => {
      if (!held || channel.bufferedBytes() > SOCKET_LOW_BYTES) return;
      held = false;
      live?.resume();
    };
    channel.onDrain(steer);
    await broker.run({
      ...place,
      command: { line: shown, executionId: '' },
      wish,
      ...(line !== shown && { runs: wish.subsystem ? '' : line }),
      ...(transfer && { isTransfer: true }),
      listener: {
        began(started) {
          live = started;
          started.input?.onRoom(channel.room);
        },
        output(bytes, from) {
          if (from === 'stdout') seen(one => one.fromServer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)));
          channel.output(bytes, from);
          if (held || channel.bufferedBytes() < SOCKET_HIGH_BYTES) return;
          held = true;
          live?.pause();
        },
        ended(end, exit) {
          isOver = true;
          watch?.end();
          if (transfer && transfer !== 'files') note({ ...transfer, ...failureOf(exit, end.text) });
          channel.ended(exit, end.text);
        },
      },
    });
    const input = live?.input;
    return {
      write(bytes) {
        parts.active(who.webSessionId);
        seen(one => one.fromClient(bytes));
        const hasRoom = input?.write(bytes) !== false;
        return hasRoom && unwritten < UNWRITTEN_MOST;
      },
      end: () => input?.end(),
      resize: () => undefined,
      signal: name => live?.signal(name),
      close() {
        if (!isOver) broker.end(sid(), `${who.user} closed the connection.`);
      },
    };
  }

  /** What may be lent of a display, by the roles of now; whether it is, the log and the person hear. */
  function judgeDisplay(place: ClientPlace, wanted: Wanted, channel: ClientChannel): Asked {
    const { display, ...wish } = wanted.wish;
    const asked = { ...wanted, wish };
    if (display === undefined) return asked;
    const answered = (refusal: string | null): void => {
      noteDisplay(parts, place, refusal);
      if (refusal !== null) channel.say(refusal);
    };
    if (display && place.who.rights.options.x11Forwarding)
      return { ...asked, wish: { ...wish, display: { ...display, answered } } };
    answered(NO_DISPLAY);
    return asked;
  }

  return {
    target: parts.servers.target,
    async open(place, wanted, channel) {
      const asked = judgeDisplay(place, wanted, channel);
      try {
        return await (asked.wish.term === null ? openProgram : openTerminal)(place, asked, channel);
      } catch (error) {
        // Where to be asked for it is not known here: the web console and the command line ask.
        if (place.who.rights.options.sessionFactor && place.device === undefined && error instanceof Failure)
          throw new Failure(error.code, `${error.message} ${HOW_TO_PROVE}`);
        throw error;
      }
    },
    forwards: (place, over) => openForwards(parts, place, over),
  };
}
const HOW_TO_PROVE =
  'Use `postern ssh`, or let `postern config ssh` write a block for ssh: through `postern proxy ssh` the key is asked for.';

const NO_DISPLAY = 'Your roles do not let programs of servers show windows on your display (permit_x11_forwarding).';

const exitOf = ({ kind, text }: SessionEnd): ProgramEnd | null => (kind === 'exited' ? readEnd(text) : null);
const failureOf = (exit: ProgramEnd | null, why: string): { readonly failed?: string } => {
  if (exit === null) return { failed: why };
  if (exit.code === 0) return {};
  return { failed: exit.signal === null ? `it ended with ${exit.code}` : `it was ended by ${exit.signal}` };
};

/** Whether somebody's display was lent is in the audit log. */
const noteDisplay = (
  { audit, report }: ServerClientParts,
  { who, login, target }: ClientPlace,
  refusal: string | null,
): void =>
  void audit
    .emit({
      code: refusal === null ? 'T3008I' : 'T3008W',
      ...{ user: who.user, user_id: who.userId, login, ...serverFields(target) },
      ...{ 'addr.remote': who.remoteAddr, proto: 'ssh', success: refusal === null },
      ...(refusal !== null && { error: refusal }),
    })
    .catch((problem: unknown) => report('a lent display is not in the audit log', problem));

/** Ports that one client reaches through one server, over one connection to it that is made when the first is wanted. */
function openForwards(
  { policy, passages, audit, connectors, report }: ServerClientParts,
  place: ClientPlace,
  over: (why: string) => void,
): ClientForwards {
  const { who, target, login } = place;
  let reached: Promise<Forwarder> | undefined;
  let leave: (() => void) | undefined;
  let isOver = false;
  let listening = 0;
  const door = {
    ...serverDoor(place),
    refusal: (rights: Who['rights']) => loginRefusal(rights, target, login) ?? forwardRefusal(rights),
  };
  const note = (addr: string, error = ''): void =>
    void audit
      .emit({
        code: error === '' ? 'T3003I' : 'T3003E',
        ...{ user: who.user, user_id: who.userId, login, ...serverFields(target) },
        'addr.remote': who.remoteAddr,
        addr,
        success: error === '',
        ...(error !== '' && { error }),
      })
      .catch((problem: unknown) => report('a forwarded port is not in the audit log', problem));

  function end(): void {
    isOver = true;
    leave?.();
    leave = undefined;
    void reached?.then(
      one => one.close(),
      () => undefined,
    );
  }
  async function reach(): Promise<Forwarder> {
    const connector = connectors[target.subKind] ?? connectors.ssh;
    if (!connector.forwarder)
      throw new Failure('denied', `${target.hostname} is the gateway's own machine: its ports are not forwarded.`);
    leave = passages.enter({
      who,
      devices: devicesOf(place),
      subject: { login, server: target.id },
      reached: {
        kind: 'node',
        name: target.id,
        webSessionId: who.webSessionId,
        refusal: (rights, labels) =>
          (labels && loginRefusal(rights, { ...target, labels }, login)) ?? forwardRefusal(rights),
      },
      end(why) {
        end();
        over(why);
      },
    });
    const ttlMs = who.expires.getTime() - Date.now();
    const certExtensions = certExtensionsOf(who);
    const forwarder = await connector.forwarder(target, {
      user: who.user,
      sid: FORWARD_SID,
      login,
      ttlMs,
      certExtensions,
      ...hostUserOf(who.rights, target),
    });
    if (isOver) forwarder.close();
    forwarder.onGone(() => {
      reached = undefined;
      leave?.();
      leave = undefined;
      // Nothing tells a client that nobody listens for it any more.
      if (listening > 0 && !isOver) over('The connection to the server was lost, and with it what came from there.');
    });
    return forwarder;
  }
  /** What `run` does at the server with ports, as far as roles let it now. `addr`: what the log hears of. */
  async function judged<Done>(addr: () => string, run: (forwarder: Forwarder) => Promise<Done>): Promise<Done> {
    try {
      await policy.permit(place, door);
      if (isOver) throw new Failure('denied', 'The connection is over.');
      reached ??= reach().catch((error: unknown) => {
        reached = undefined;
        leave?.();
        leave = undefined;
        throw error;
      });
      const done = await run(await reached);
      note(addr());
      return done;
    } catch (error) {
      // A refusal by roles is in the log as one already.
      if (!(error instanceof Failure)) note(addr(), error instanceof Error ? error.message : String(error));
      if (error instanceof ConnectError) throw new Failure('unavailable', error.message);
      throw error;
    }
  }
  return {
    end,
    connect: (host, port) =>
      judged(
        () => addressOf(host, port),
        forwarder => forwarder.connect(host, port),
      ),
    async listen(host, port, came) {
      let bound = port;
      await judged(
        () => addressOf(host, bound),
        async forwarder => {
          bound = await forwarder.listen(host, port, async (from, take) => {
            await policy.permit(place, door);
            await came(from, take);
          });
        },
      );
      listening += 1;
      return bound;
    },
    async unlisten(host, port) {
      await (await reached)?.unlisten(host, port);
      listening -= 1;
    },
  };
}
const addressOf = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
