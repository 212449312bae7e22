// What somebody who is in may do with their connection: sessions, ports and an agent, each as their roles have it; all else is refused in words.
import type { Duplex } from 'node:stream';
import type { ServerChannel, Session } from 'ssh2';
import { Failure } from '../../../../../contract/failure.ts';
import type { ClientForwards, ClientPlace } from '../../../../ports/server-clients.ts';
import type { Who } from '../../../../ports/who.ts';
import { DISPLAY_COOKIE_BYTES, DISPLAY_PROTOCOL } from '../display.ts';
import type { Guest } from '../port/way.ts';
import { openAgent, openDisplay, refuseOpening } from '../ssh2-private.ts';
import { type Asked, type OpenChannel, openChannel } from './channel.ts';
import type { PeopleParts } from './people.ts';
import { sentenceOf } from './sentence.ts';

/** Sessions and forwarded ports of one connection at once. */
const SESSIONS_MOST = 100;
const FORWARDS_MOST = 500;
/** Ports of the server that it listens at for one connection at once, and refusals of such that are told. */
const LISTENED_MOST = 50;
const UNTOLD_MOST = 10;
/** Variables that a client may set: of language, of colours, and the version of git's protocol. */
const ENVIRONMENT = /^(LANG|LANGUAGE|LC_[A-Z]{1,20}|COLORTERM|NO_COLOR|GIT_PROTOCOL)$/;
const VALUE_MOST_CHARACTERS = 256;
const VARIABLES_MOST = 32;
/** X servers have a few screens, mostly one. */
const SCREEN_MOST = 255;
/** As RFC 4254 numbers it. */
const PROHIBITED = 1;
const CONNECT_FAILED = 2;

const placeOf = (host: string, port: number): string => `${host === '' ? '*' : host}:${port}`;
/** Leads each into the other until one is over; then `done` is called once. */
function join(channel: ServerChannel, stream: Duplex, done: () => void): void {
  const end = (): void => {
    stream.destroy();
    channel.close();
  };
  channel.on('error', end).once('close', () => {
    stream.destroy();
    done();
  });
  stream.on('error', end).once('close', () => channel.close());
  channel.pipe(stream);
  stream.pipe(channel);
}

/** Where a user name leads. What it leaves out is ''. */
export interface Place {
  readonly person: string;
  readonly login: string;
  readonly server: string;
}
interface Entry {
  readonly who: Who;
  readonly again: () => Promise<Who>;
  readonly place: Place;
  /** Good for one session. */
  readonly device?: string;
}

/** Attaches to a connection that was let in. */
export function serveConnection(parts: PeopleParts, guest: Guest, entry: Entry): void {
  const { connection } = guest;
  const { clients } = parts;
  let sessions = 0;
  let forwarded = 0;
  let isProven = entry.device !== undefined;
  let forwards: Promise<ClientForwards> | undefined;
  const open = new Set<OpenChannel>();
  const untold: string[] = [];
  /** Tells whoever is there, and hangs up. */
  function over(why: string): void {
    for (const channel of open) channel.end(why);
    connection.end();
    guest.hangUp();
  }
  const unwatch = parts.watch(entry.who, over);
  connection.on('close', () => {
    unwatch();
    // The engine waits until somebody has read what they had sent.
    for (const channel of open) channel.gone();
    void forwards?.then(
      one => one.end(),
      () => undefined,
    );
  });

  /** The person with the roles of now, and the server. Throws Failure with a sentence. */
  async function placeNow(): Promise<ClientPlace> {
    const { login, server } = entry.place;
    if (server === '' || login === '')
      throw new Failure(
        'bad_request',
        'Say where to, and as whom: the user name is such as root@db-3, so ssh root@db-3@GATEWAY.',
      );
    const who = await entry.again();
    return { who, login, target: await clients.target(who, server) };
  }
  async function placeOfSession(): Promise<ClientPlace> {
    const place = await placeNow();
    if (!isProven) return place;
    // One touch is good for one session.
    isProven = false;
    return { ...place, ...(entry.device !== undefined && { device: entry.device }) };
  }

  connection.on('session', (accept, reject) => {
    if (sessions >= SESSIONS_MOST) return reject();
    sessions += 1;
    const session = accept();
    session.on('close', () => {
      sessions -= 1;
    });
    serveSession(session);
  });
  function serveSession(session: Session): void {
    const notices: string[] = [...untold];
    const env: Record<string, string> = {};
    const asked: Asked = { term: null, size: { cols: 80, rows: 24 }, env };
    session.on('pty', (accept, _reject, { cols, rows, term }) => {
      asked.term = /^[\w.+-]{1,64}$/.test(term ?? '') ? (term ?? '') : 'xterm-256color';
      asked.size = { cols: cols || 80, rows: rows || 24 };
      accept?.();
    });
    session.on('env', (accept, reject, { key, val }) => {
      const isFine =
        ENVIRONMENT.test(key) &&
        val.length <= VALUE_MOST_CHARACTERS &&
        !/\p{Cc}/u.test(val) &&
        Object.keys(env).length < VARIABLES_MOST;
      if (!isFine) return reject?.();
      env[key] = val;
      accept?.();
    });
    session.on('x11', (accept, reject, { single, protocol, cookie, screen }) => {
      const hex = String(cookie);
      const isKnown = protocol === DISPLAY_PROTOCOL && /^[0-9a-f]+$/i.test(hex);
      if (!isKnown || hex.length !== 2 * DISPLAY_COOKIE_BYTES || screen > SCREEN_MOST) {
        notices.push(`Your client lends its display in a way that is not known here: only ${DISPLAY_PROTOCOL} is.`);
        return void reject?.();
      }
      if (!entry.who.rights.options.x11Forwarding) {
        asked.display = null;
        return void reject?.();
      }
      asked.display = {
        ...{ single, screen, cookie: Buffer.from(hex, 'hex') },
        async open() {
          const { rights } = await entry.again();
          if (!rights.options.x11Forwarding) throw new Failure('denied', 'your roles no longer let windows through');
          return openDisplay(connection);
        },
      };
      accept?.();
    });
    session.on('auth-agent', (accept, reject) => {
      if (!entry.who.rights.options.forwardAgent) {
        notices.push('Your roles do not let you lend your agent to servers (forward_agent).');
        return void reject?.();
      }
      asked.agent = () => openAgent(connection);
      accept?.();
    });
    session.on('window-change', (accept, _reject, { cols, rows }) => {
      asked.size = { cols, rows };
      asked.resized?.(asked.size);
      accept?.();
    });
    session.on('signal', (accept, _reject, { name }) => {
      asked.signalled?.(name.replace(/^SIG/, ''));
      accept?.();
    });
    const start = (channel: ServerChannel, line: string, subsystem?: 'sftp'): void => {
      const opened = openChannel(channel, { ...asked, line, ...(subsystem && { subsystem }) }, asked, {
        notices,
        open: async (wanted, of) => clients.open(await placeOfSession(), wanted, of),
        report: parts.report,
        together: guest.together,
      });
      open.add(opened);
      session.on('close', () => {
        open.delete(opened);
        opened.gone();
      });
    };
    session.on('shell', accept => start(accept(), ''));
    session.on('exec', (accept, _reject, { command }) => start(accept(), command));
    session.on('subsystem', (accept, reject, { name }) => {
      if (name !== 'sftp') return reject();
      start(accept(), '', 'sftp');
    });
  }

  connection.on('tcpip', (accept, reject, { destIP, destPort }) => {
    if (forwarded >= FORWARDS_MOST)
      return refuseOpening(connection, reject, PROHIBITED, 'too many ports are forwarded');
    forwarded += 1;
    const done = (): void => {
      forwarded -= 1;
    };
    forward(destIP, destPort).then(
      stream => {
        const channel = accept();
        // It is gone, or was refused meanwhile.
        if (!channel) {
          stream.destroy();
          return done();
        }
        join(channel, stream, done);
      },
      (error: unknown) => {
        done();
        const isDenied = error instanceof Failure && error.code !== 'unavailable';
        refuseOpening(connection, reject, isDenied ? PROHIBITED : CONNECT_FAILED, sentenceOf(error, parts));
      },
    );
  });
  function forwardsNow(): Promise<ClientForwards> {
    forwards ??= placeNow().then(place => clients.forwards(place, over));
    forwards.catch(() => {
      forwards = undefined;
    });
    return forwards;
  }
  const forward = async (host: string, port: number) => (await forwardsNow()).connect(host, port);
  connection.on('openssh.streamlocal', (_accept: unknown, reject: () => void) =>
    refuseOpening(connection, reject, PROHIBITED, 'sockets of servers are not forwarded here'),
  );
  /** Ports of the server that it listens at for this client. */
  const listened = new Set<string>();
  let listening = 0;
  /** To whoever has a session open, and to whoever opens one: a refused port has no words of its own on this wire. */
  const tell = (why: string): void => {
    if (untold.length < UNTOLD_MOST) untold.push(why);
    for (const channel of open) channel.say(why);
  };
  async function listen(host: string, port: number): Promise<number> {
    if (listening >= LISTENED_MOST) throw new Failure('limited', 'too many ports are forwarded');
    if (listened.has(placeOf(host, port))) throw new Failure('exists', 'it is already');
    listening += 1;
    try {
      const bound = await (await forwardsNow()).listen(host, port, async (from, take) => {
        if (forwarded >= FORWARDS_MOST) throw new Failure('limited', 'too many ports are forwarded');
        forwarded += 1;
        try {
          const channel = await new Promise<ServerChannel>((done, fail) => {
            connection.forwardOut(host, bound, from.address, from.port, (error, opened) =>
              error ? fail(error) : done(opened),
            );
          });
          join(channel, take(), () => {
            forwarded -= 1;
          });
        } catch (error) {
          forwarded -= 1;
          throw error;
        }
      });
      listened.add(placeOf(host, bound));
      return bound;
    } catch (error) {
      listening -= 1;
      throw error;
    }
  }
  connection.on('request', (accept, reject, name, { bindAddr: host, bindPort: port }) => {
    const refused = (error: unknown): void => {
      tell(`Nothing is forwarded from ${placeOf(host, port)} of the server: ${sentenceOf(error, parts)}`);
      reject?.();
    };
    if (name === 'tcpip-forward') listen(host, port).then(bound => accept?.(bound), refused);
    else if (name === 'cancel-tcpip-forward' && listened.delete(placeOf(host, port))) {
      listening -= 1;
      forwardsNow()
        .then(one => one.unlisten(host, port))
        .then(() => accept?.(), refused);
    } else reject?.();
  });
}
