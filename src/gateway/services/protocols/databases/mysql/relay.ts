// A MySQL or MariaDB client and its database: bytes pass untouched once the person's rights were looked at, and each statement is told of.
import { randomInt } from 'node:crypto';
import { type Duplex, PassThrough } from 'node:stream';
import { ConnectError } from '../../../../ports/reach.ts';
import { hangUp } from '../../hang-up.ts';
import { whenClosed } from '../../when-closed.ts';
import { dial, passwordOf } from '../dial.ts';
import type { DatabaseDoor, Dialled, FirstHow, How } from '../door.ts';
import type { Engine, Greeted } from '../engine.ts';
import { Malformed, textAt } from '../frames.ts';
import { ADMINISTRATOR_MS, type Made, madeFor, whileMade } from '../made-users.ts';
import { handOn, type Joined, join, toldOf } from '../relay.ts';
import type { Around, AroundPorts } from './around.ts';
import {
  EOF,
  ERROR,
  errorPacket,
  errorText,
  greeting,
  type Login,
  lackOf,
  OK,
  PLAIN_LOGIN,
  packet,
  REFUSAL,
  readGreeting,
  readLogin,
  readPacket,
  wantsTls,
  writeLogin,
} from './messages.ts';
import { createStatementTaps, type Looking } from './statements.ts';

/** Packets of a log-in, each way. */
const LOGIN_MOST_PACKETS = 8;
const MORE_DATA = 1;
/** Numbers that the gateway gives to connections: far above those of a server. */
const CONNECTION_LEAST = 0x80000000;
const CONNECTION_MOST = 0xffffffff;

/** Connections by the number that their clients know, since a client stops a statement by it from another connection. */
type Threads = Map<number, { readonly database: string; readonly thread: number; cancel?(): void }>;

export interface Mysql extends Engine {
  /** What is said before TLS, where the client does not begin with that. */
  greet(raw: Duplex): Promise<Greeted>;
  /** For a client that has been greeted already, and given this number. */
  greeted(number: number): Engine;
}
const speech = {
  lastWords: (why: string, isTooMuch = false) => errorPacket(1, isTooMuch ? REFUSAL.tooMuch : REFUSAL.ended, why),
};

export function createMysql(): Mysql {
  const threads: Threads = new Map();
  const newId = (): number => randomInt(CONNECTION_LEAST, CONNECTION_MOST);
  /** `greeted`: the number that the client was given already. */
  const engine = (greeted?: number): Engine => ({
    protocol: 'mysql',
    refuse(client, why) {
      if (greeted === undefined) return hangUp(client, errorPacket(0, REFUSAL.denied, why));
      // Its log-in comes first: what is said before that is not taken for an answer.
      readPacket(client).then(
        ({ sequence }) => hangUp(client, errorPacket(sequence + 1, REFUSAL.denied, why)),
        () => client.destroy(),
      );
    },
    async serve(client, door) {
      const id = greeted ?? newId();
      if (greeted === undefined) client.write(greeting(id, false));
      const { sequence, body } = await readPacket(client).catch(() => ({ sequence: 0, body: Buffer.alloc(0) }));
      try {
        await start(client, door, { sequence: sequence + 1, login: readLogin(body), id }, threads);
      } catch (error) {
        const refusal =
          error instanceof Malformed
            ? REFUSAL.protocol
            : error instanceof ConnectError
              ? REFUSAL.unreachable
              : REFUSAL.denied;
        const why = toldOf(error);
        hangUp(client, why === '' ? undefined : errorPacket(sequence + 1, refusal, why));
      }
    },
  });
  return {
    ...engine(),
    greeted: engine,
    async greet(raw) {
      const id = newId();
      raw.write(greeting(id, true));
      const { sequence, body } = await readPacket(raw);
      if (wantsTls(body)) return { speaks: engine(id), number: id };
      hangUp(raw, errorPacket(sequence + 1, REFUSAL.denied, 'this port speaks TLS only (--ssl-verify-server-cert)'));
      return null;
    },
  };
}

interface Opening {
  /** Number of the packet that answers the log-in. */
  readonly sequence: number;
  readonly login: Login;
  /** The connection, as the client knows it. */
  readonly id: number;
}
async function start(
  client: Duplex,
  door: DatabaseDoor,
  { sequence, login, id }: Opening,
  threads: Threads,
): Promise<void> {
  const { user: dbUser, database: dbName } = login;
  if (dbUser === '') throw new Malformed('a log-in without a user');
  const database = door.database.name;
  let welcome: Buffer = Buffer.alloc(0);
  let again: Again | undefined;
  const joined = await join(
    client,
    door,
    {
      dbUser,
      dbName,
      async dial(how) {
        const opened = await asMadeUser(door, login, how);
        again = opened.again;
        welcome = opened.welcome;
        threads.set(id, { database, thread: opened.thread });
        return opened.server;
      },
    },
    speech,
  );
  whenClosed(joined.server, () => threads.delete(id));
  const looking = joined.session.isGuarded ? await lookInto(door, joined, again) : null;
  const taps = createStatementTaps(joined.session, {
    looking,
    cancel(other) {
      if (threads.get(other)?.database === database) threads.get(other)?.cancel?.();
    },
    threadOf: other => {
      const known = threads.get(other);
      return known?.database === database ? known.thread : undefined;
    },
    answer: bytes => void client.write(bytes),
  });
  const known = threads.get(id);
  if (known) known.cancel = taps.cancel;
  client.write(packet(sequence, welcome));
  // While a statement waits, the client is read on into memory, up to a bound: so its end is heard of.
  handOn(client, joined, taps, speech, looking ? client.pipe(new PassThrough()) : client);
}

/** A connection for a plan lives so long, ms. */
const PLAN_MS = 60_000;
/** How statements are looked into, once the server has said how it reads texts. */
async function lookInto(door: DatabaseDoor, { session, server }: Joined, again: Again | undefined): Promise<Looking> {
  const [{ isPlain }, { planOf }] = [await import('./reading.ts'), await import('./plan.ts')];
  const isReadable = await isPlain(server);
  const read = (text: string) => door.readStatement('mysql', text);
  return {
    isReadable,
    around: session.masks.length > 0 ? { known: await aroundMasks(server, { read, masked: session.masked }) } : null,
    read,
    async plan(text) {
      const facts = await door.readStatement('mysql', text);
      return planOf(text, facts, async () => {
        if (!again) throw new Error('the database was not reached');
        return (await again(PLAN_MS)).server;
      });
    },
  };
}

/** Null where it cannot be read: then no statement can be told not to show what is masked. */
async function aroundMasks(server: Dialled, ports: AroundPorts): Promise<Around | null> {
  const { readAround } = await import('./around.ts');
  try {
    return await readAround(server, ports);
  } catch (error) {
    if (server.destroyed) throw error;
    return null;
  }
}

interface LoggedIn {
  readonly server: Dialled;
  readonly welcome: Buffer;
  readonly thread: number;
}
/** Another connection like it, with a certificate that lives so long, ms. */
type Again = (ttlMs: number) => Promise<LoggedIn>;
/** Where the person's own user is made for their sessions: it is there before the log-in, and let go of once the connection is over. */
async function asMadeUser(
  door: DatabaseDoor,
  login: Login,
  how: FirstHow,
): Promise<LoggedIn & { readonly again: Again }> {
  const made = madeFor(door, login.user);
  if (!made) {
    const opened = await logIn(door, login, how);
    return { ...opened, again: ttlMs => logIn(door, login, { ...how, ttlMs }) };
  }
  const { makeUser } = await import('./made-user.ts');
  const inUse = await makeUser(makingAs(door, made, how.own), how.noteMade);
  const again: Again = async ttlMs => {
    const opened = await logIn(door, { ...login, user: inUse.name, database: '' }, { ...how, ttlMs });
    try {
      await inUse.enter(opened.server, login.database);
      return opened;
    } catch (error) {
      opened.server.destroy();
      throw error;
    }
  };
  return { ...(await whileMade(door, login.user, inUse.letGo, () => again(how.ttlMs))), again };
}

/** As the server's administrator. */
const makingAs = (door: Pick<DatabaseDoor, 'database' | 'ports'>, made: Made, own: boolean) => ({
  ...made,
  async dial() {
    const { dbUser: user, dbName: database } = made.admin;
    return (await logIn(door, { ...PLAIN_LOGIN, user, database }, { own, ttlMs: ADMINISTRATOR_MS })).server;
  },
});
/** Lets go of a user whose session nobody saw end; false while another session uses it. Throws ConnectError. */
export async function letGoOf(
  door: Pick<DatabaseDoor, 'database' | 'ports'>,
  made: Made,
  own: boolean,
): Promise<boolean> {
  const { letGoOfUser } = await import('./made-user.ts');
  return letGoOfUser(makingAs(door, made, own));
}

/** How accounts of RDS log in that AWS knows (AWSAuthenticationPlugin). */
const CLEAR_PASSWORD = 'mysql_clear_password';
/** Of an AuthSwitchRequest: the way that it names. */
const pluginOf = (body: Buffer): string => textAt(body, 1)[0];

/** Throws ConnectError, with the server's own words where it refuses. */
async function logIn(door: Pick<DatabaseDoor, 'database' | 'ports'>, login: Login, how: How): Promise<LoggedIn> {
  const [wish, whole] = writeLogin(login);
  const password = await passwordOf(door.ports, door.database, login.user);
  let thread = 0;
  const server = await dial(door.ports, {
    ...{ database: door.database, dbUser: login.user, dbName: login.database, alpn: [] },
    ...how,
    async begin(raw) {
      const offered = readGreeting((await readPacket(raw)).body);
      const lack = lackOf(offered.capabilities, login.capabilities);
      if (lack !== null) throw new Error(lack);
      thread = offered.thread;
      raw.write(wish);
    },
  });
  const failed = (why: string): ConnectError => {
    server.destroy();
    return new ConnectError('principal_refused', `${door.database.name} refused database user "${login.user}": ${why}`);
  };
  server.on('error', () => undefined);
  server.write(whole);
  for (let packets = 0; packets < LOGIN_MOST_PACKETS; packets++) {
    const { sequence, body } = await readPacket(server).catch(() => {
      throw failed('it hung up');
    });
    if (body[0] === OK) return { server, welcome: body, thread };
    if (body[0] === ERROR) throw failed(errorText(body));
    // Another way to log in: an account that is known by its certificate has an empty password by each of them.
    if (body[0] === EOF) {
      const isAsked = password !== null && pluginOf(body) === CLEAR_PASSWORD;
      server.write(packet(sequence + 1, Buffer.from(isAsked ? `${password}\0` : '')));
    } else if (body[0] !== MORE_DATA) break;
  }
  throw failed(password === null ? 'it asks for more than a certificate' : 'it takes no password that AWS makes');
}
