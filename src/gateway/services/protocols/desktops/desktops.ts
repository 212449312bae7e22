// Sessions on desktops: reached and logged in to by the gateway, and handed over once, to the browser that began them.
import type { Duplex } from 'node:stream';
import { Failure } from '../../../../contract/failure.ts';
import type { DesktopProtocol } from '../../../../contract/resources.ts';
import type { DesktopSecrets, DesktopSession, DesktopTarget, OpenDesktop } from '../../../ports/desktops.ts';
import { ConnectError, type Reach } from '../../../ports/reach.ts';
import type { Size } from '../../../ports/shell.ts';
import type { Who } from '../../../ports/who.ts';
import type { Resources } from '../../../store/store.ts';
import { whenClosed } from '../when-closed.ts';
import { Malformed, WrongPassword } from './passing.ts';
import { desktopTarget } from './targets.ts';
import { logIn } from './vnc/log-in.ts';
import { relayVnc } from './vnc/relay.ts';

/** Whoever began a session comes for its stream within this time, ms. */
const STREAM_MS = 30_000;
/** A log-in takes no longer, ms. */
const LOG_IN_MS = 20_000;
/** Passwords that are tried, with the one that is kept. */
const TRIES_MOST = 4;

export interface DesktopsParts {
  readonly resources: Pick<Resources, 'get'>;
  readonly reach: Pick<Reach, 'stream'>;
  readonly kept: DesktopSecrets;
  readonly sessions: { openDesktop(request: OpenDesktop): Promise<DesktopSession> };
  readonly report: (problem: string, error: unknown) => void;
}
interface WantedDesktop {
  readonly desktop: DesktopTarget;
  readonly login: string;
  readonly size: Size;
  /** Id of the device that it was proven with. */
  readonly device?: string;
  /** Asks the person for a password, and says why. Rejects when they are gone. */
  ask(why: string): Promise<string>;
  /** Hears who watches, by name, whenever that is others. */
  watched(by: readonly string[]): void;
  /** Hears once why it is over; '' in good order. */
  ended(why: string): void;
}
export interface BegunDesktop extends Pick<DesktopSession, 'sid' | 'sharesClipboard' | 'isRecorded' | 'notShared'> {
  readonly protocol: DesktopProtocol;
  /** The person has left. */
  leave(): void;
}
/** What was reached: relayed once, until one side is gone. */
interface Reached {
  readonly server: Duplex;
  relay(client: Duplex, session: DesktopSession): Promise<void>;
}
export interface Desktops {
  /** Throws Failure not_found, also where no role leads there. */
  target(who: Who, name: string): Promise<DesktopTarget>;
  /** Reaches it and begins the session. Throws Failure denied, unavailable, and ConnectError. */
  begin(who: Who, wanted: WantedDesktop): Promise<BegunDesktop>;
  /** The stream of a session, once, for the web session that began it. Throws Failure not_found. */
  stream(who: Who, name: string, sid: string): (client: Duplex) => void;
}

/** RDP comes with the first desktop that speaks it. */
const loadRdp = () => import('./rdp/rdp.ts');

export function createDesktops(parts: DesktopsParts): Desktops {
  const { resources, reach, kept, sessions, report } = parts;
  const waiting = new Map<
    string,
    { readonly webSessionId: string; readonly name: string; take(client: Duplex): void }
  >();

  /** Reached, and logged in to. */
  async function connect(who: Who, { desktop, login, ask }: WantedDesktop): Promise<Reached> {
    const { name, host, port } = desktop;
    let password = await kept.password(desktop, login);
    for (let tries = 1; ; tries += 1) {
      const server = await reach.stream({ target: name, host, port }, who.rights.options.reachLoopback);
      const late = setTimeout(() => server.destroy(), LOG_IN_MS);
      server.on('error', () => undefined);
      try {
        return await logInTo(server, desktop, login, password);
      } catch (error) {
        server.destroy();
        if (!(error instanceof WrongPassword)) throw error;
        if (tries >= TRIES_MOST) throw new ConnectError('principal_refused', `${name} refused the password.`);
        password = await ask(`${error.message}.`);
      } finally {
        clearTimeout(late);
      }
    }
  }
  /** Throws ConnectError, WrongPassword. */
  async function logInTo(
    server: Duplex,
    desktop: DesktopTarget,
    login: string,
    password: string | null,
  ): Promise<Reached> {
    if (desktop.protocol === 'vnc') {
      await logIn(server, desktop.name, password);
      return { server, relay: (client, session) => relayVnc(server, client, session) };
    }
    if (password === null) throw new WrongPassword(`${desktop.name} wants a password of ${login}`);
    const { connectRdp, credentialsOf, relayRdp } = await loadRdp();
    const credentials = credentialsOf(login, password);
    const secured = await connectRdp(server, desktop, credentials, shown => kept.pin(desktop, shown));
    return {
      server: secured.server,
      relay: (client, session) => relayRdp(secured, desktop, credentials, client, session),
    };
  }

  return {
    target: (who, name) => desktopTarget(resources, who.rights, name),
    async begin(who, wanted) {
      const { desktop, login, size, device } = wanted;
      let reached: Reached | undefined;
      const session = await sessions.openDesktop({
        ...{ who, desktop, login, size, watched: wanted.watched },
        ...(device !== undefined && { device }),
        async reach() {
          const there = await connect(who, wanted);
          reached = there;
          there.server.on('error', () => undefined);
          return { close: () => void there.server.destroy(), farewell: wanted.ended };
        },
      });
      const { sid } = session;
      if (!reached) throw new Error('a session without a desktop');
      const { server, relay } = reached as Reached;
      const late = setTimeout(() => {
        waiting.delete(sid);
        session.gone('The browser did not come for the desktop in time.');
      }, STREAM_MS);
      waiting.set(sid, {
        webSessionId: who.webSessionId,
        name: desktop.name,
        take(client) {
          clearTimeout(late);
          relay(client, session).then(
            () => session.gone(''),
            (error: unknown) => {
              const isMalformed = error instanceof Malformed;
              session.gone(
                isMalformed
                  ? `The session was ended: ${error.message}.`
                  : `The connection to ${desktop.name} was lost.`,
              );
              if (!isMalformed && !(error instanceof Error && 'code' in error))
                report(`session ${sid}: its desktop could not be relayed`, error);
            },
          );
        },
      });
      whenClosed(server, () => {
        clearTimeout(late);
        if (waiting.delete(sid)) session.gone(`${desktop.name} hung up.`);
      });
      return {
        sid,
        isRecorded: session.isRecorded,
        get sharesClipboard() {
          return session.sharesClipboard;
        },
        notShared: session.notShared,
        protocol: desktop.protocol,
        leave: () => void server.destroy(),
      };
    },
    stream(who, name, sid) {
      const found = waiting.get(sid);
      if (found?.webSessionId !== who.webSessionId || found.name !== name)
        throw new Failure('not_found', 'there is no such session, or its stream was opened already');
      return client => {
        // Two who were let in at once: the first has it.
        if (waiting.get(sid) !== found) return void client.destroy();
        waiting.delete(sid);
        found.take(client);
      };
    },
  };
}
