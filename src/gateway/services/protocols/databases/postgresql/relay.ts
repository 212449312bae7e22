// A PostgreSQL client and its database: bytes pass untouched once the person's rights were looked at, and each statement is told of.
import { type Duplex, Transform } from 'node:stream';
import { Failure } from '../../../../../contract/failure.ts';
import { ConnectError } from '../../../../ports/reach.ts';
import { hangUp } from '../../hang-up.ts';
import { readBytes } from '../../read-bytes.ts';
import { whenClosed } from '../../when-closed.ts';
import { dial, passwordOf } from '../dial.ts';
import type { DatabaseDoor, Dialled, FirstHow, How } from '../door.ts';
import type { Engine } from '../engine.ts';
import { Malformed } from '../frames.ts';
import { ADMINISTRATOR_MS, type Made, madeFor, whileMade } from '../made-users.ts';
import { handOn, type Joined, join, toldOf } from '../relay.ts';
import type { Around } from './around.ts';
import type { Facts } from './facts.ts';
import {
  CANCEL_REQUEST,
  fatal,
  GSS_REQUEST,
  message,
  request,
  SSL_REQUEST,
  STATE,
  startupLength,
  startupParameters,
} from './messages.ts';
import type { OwnLogin } from './own-connection.ts';
import { createStatementTaps, createTexts } from './statements.ts';

const YES = 'S'.charCodeAt(0);
/** Of a message: its type and its length. */
const HEAD_BYTES = 5;
/** Requests for another kind of encryption that a client makes before it starts. */
const ASKED_MOST = 4;
/** Said no, in front of start-up parameters that mean: this is no replication. */
const NO_REPLICATION = new Set(['false', 'off', 'no', '0']);

/** What can be cancelled, by the key that the server gave the client. */
type Cancels = Map<string, () => void>;
const keyName = (key: Buffer): string => key.toString('hex');

export interface Postgresql extends Engine {
  /** What its clients say before TLS; their first byte was read. False: there is nothing more to do. */
  greet(raw: Duplex, first: number): Promise<boolean>;
}
const speech = {
  lastWords: (why: string, isTooMuch = false) => fatal(isTooMuch ? STATE.tooMuch : STATE.ended, `Postern: ${why}`),
};

export function createPostgresql(): Postgresql {
  const cancels: Cancels = new Map();
  return {
    protocol: 'postgres',
    greet: (raw, first) => greet(raw, first, cancels),
    refuse: (client, why) => hangUp(client, fatal(STATE.denied, `Postern: ${why}`)),
    async serve(client, door) {
      try {
        await start(client, door, cancels);
      } catch (error) {
        const state =
          error instanceof Malformed
            ? STATE.protocol
            : error instanceof ConnectError
              ? STATE.unreachable
              : STATE.denied;
        const why = toldOf(error);
        hangUp(client, why === '' ? undefined : fatal(state, `Postern: ${why}`));
      }
    },
  };
}

const REQUEST_BYTES = 8;
async function greet(raw: Duplex, first: number, cancels: Cancels): Promise<boolean> {
  let bytes: Buffer = Buffer.concat([Buffer.from([first]), await readBytes(raw, REQUEST_BYTES - 1)]);
  for (let asked = 0; asked < 2; asked++) {
    const code = bytes.readInt32BE(4);
    if (bytes.readInt32BE(0) === 2 * REQUEST_BYTES && code === CANCEL_REQUEST) {
      cancels.get(keyName(await readBytes(raw, REQUEST_BYTES)))?.();
      hangUp(raw);
      return false;
    }
    if (bytes.readInt32BE(0) !== REQUEST_BYTES || (code !== SSL_REQUEST && code !== GSS_REQUEST)) {
      hangUp(raw, fatal(STATE.protocol, 'Postern: this port speaks TLS only (sslmode=verify-full)'));
      return false;
    }
    if (code === SSL_REQUEST) {
      // What came in the clear behind the request must not be read as if it had been encrypted.
      if (raw.readableLength > 0) break;
      raw.write('S');
      return true;
    }
    raw.write('N');
    bytes = await readBytes(raw, REQUEST_BYTES);
  }
  raw.destroy();
  return false;
}

/** The start-up packet; null for a cancel request, which was passed on. */
async function readStartup(client: Duplex, cancels: Cancels): Promise<Buffer | null> {
  for (let asked = 0; asked < ASKED_MOST; asked++) {
    const head = await readBytes(client, 4);
    const body = await readBytes(client, startupLength(head) - 4);
    const code = body.readInt32BE(0);
    if (code === CANCEL_REQUEST) {
      cancels.get(keyName(body.subarray(4)))?.();
      hangUp(client);
      return null;
    }
    if (code !== SSL_REQUEST && code !== GSS_REQUEST) return Buffer.concat([head, body]);
    client.write('N');
  }
  throw new Malformed('a client that asks again and again for encryption that it has');
}

async function start(client: Duplex, door: DatabaseDoor, cancels: Cancels): Promise<void> {
  const startup = await readStartup(client, cancels);
  if (!startup) return;
  const parameters = startupParameters(startup.subarray(4));
  const dbUser = parameters.get('user') ?? '';
  const dbName = parameters.get('database') ?? dbUser;
  if (dbUser === '') throw new Malformed('a start-up packet without a user');
  if (!NO_REPLICATION.has(parameters.get('replication')?.toLowerCase() ?? 'no'))
    throw new Failure('denied', 'replication is not for clients of the gateway');

  const access = { database: door.database, dbUser, dbName };
  let own = false;
  const dialled = (how: How) => {
    own = how.own;
    return dial(door.ports, { ...access, ...how, alpn: ['postgresql'], begin: askForTls });
  };
  const newPassword = () => passwordOf(door.ports, door.database, dbUser);
  let password: string | null = null;
  const as = {
    dbUser,
    dbName,
    ...(door.database.rds && { password: async () => (await newPassword()) ?? '' }),
  };
  const joined = await join(
    client,
    door,
    {
      dbUser,
      dbName,
      async dial(how) {
        password = await newPassword();
        return asMadeUser(door, dbUser, how, dialled);
      },
    },
    speech,
  );
  let forget = (): void => undefined;
  const looked = joined.session.isGuarded ? lookInto(client, door.readStatement) : null;
  const around =
    joined.session.masks.length > 0
      ? await aroundMasks(joined.session, as, () => dialled({ ttlMs: CANCEL_MS, own }))
      : null;
  const taps = createStatementTaps(joined.session, {
    keyed(key) {
      forget();
      cancels.set(keyName(key), () => {
        // What waits for a review has not come to the database yet.
        if (!taps.cancel()) void cancel(key, () => dialled({ ttlMs: CANCEL_MS, own }));
      });
      forget = () => void cancels.delete(keyName(key));
    },
    facts: looked?.facts ?? null,
    around: joined.session.masks.length > 0 ? { known: around } : null,
    tell: bytes => void (client.destroyed || client.write(bytes)),
    plan: async text =>
      (await import('./plan.ts')).planOf(text, await door.readStatement('postgres', text), as, () =>
        dialled({ ttlMs: CANCEL_MS, own }),
      ),
  });
  whenClosed(joined.server, () => forget());
  joined.server.write(startup);
  // A server that is gone by then is told of where it is relayed.
  if (password !== null) await showPassword(joined.server, password).catch(() => undefined);
  handOn(client, joined, taps, speech, looked?.input);
}

const AUTHENTICATION = 'R'.charCodeAt(0);
const CLEAR_TEXT = 3;
/** Answers the server's question for a password, where it asks; the client hears of none. */
async function showPassword(server: Dialled, password: string): Promise<void> {
  const head = await readBytes(server, HEAD_BYTES);
  const length = head.readInt32BE(1) - 4;
  // What is no question is for the client to read, from its first byte on.
  if (head[0] !== AUTHENTICATION || length !== 4) return void server.unshift(head);
  const body = await readBytes(server, length);
  if (body.readInt32BE(0) === CLEAR_TEXT) server.write(message('p', `${password}\0`));
  else server.unshift(Buffer.concat([head, body]));
}

/** Where the person's own user is made for their sessions: it is there before the log-in, and let go of once the connection is over. */
async function asMadeUser(
  door: DatabaseDoor,
  dbUser: string,
  how: FirstHow,
  dialled: (how: How) => Promise<Dialled>,
): Promise<Dialled> {
  const made = madeFor(door, dbUser);
  if (!made) return dialled(how);
  const { makeUser, letGoOfUser } = await import('./made-user.ts');
  const making = makingAs(door, made, how.own);
  await makeUser(making, how.noteMade);
  const letGo = () => letGoOfUser(making);
  return (await whileMade(door, dbUser, letGo, async () => ({ server: await dialled(how) }))).server;
}

/** As the database's administrator. */
const makingAs = ({ database, ports }: Pick<DatabaseDoor, 'database' | 'ports'>, made: Made, own: boolean) => ({
  ...made,
  dial: () =>
    dial(ports, {
      ...{ database, ...made.admin, ttlMs: ADMINISTRATOR_MS, own },
      ...{ alpn: ['postgresql'], begin: askForTls },
    }),
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

/** Null where it cannot be read: then no statement can be told not to show what is masked. */
async function aroundMasks(
  { masks }: Joined['session'],
  as: OwnLogin,
  dialled: () => Promise<Duplex>,
): Promise<Around | null> {
  try {
    const { readAround } = await import('./around.ts');
    return await readAround(masks, as, dialled);
  } catch {
    return null;
  }
}

/** Bytes of the client that go on once the statements in them were read, and what those do, in the order of their messages. */
function lookInto(client: Duplex, read: DatabaseDoor['readStatement']): { input: Duplex; facts(): Facts } {
  const facts: Facts[] = [];
  let texts: (string | null)[] = [];
  const find = createTexts(text => void texts.push(text));
  const input = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      try {
        find(bytes);
      } catch (error) {
        // What is malformed ends the session where it is relayed.
        if (!(error instanceof Malformed)) return done(error as Error);
      }
      const found = texts;
      texts = [];
      if (found.length === 0) return done(null, bytes);
      void Promise.all(found.map(text => (text === null ? null : read('postgres', text)))).then(all => {
        facts.push(...all);
        done(null, bytes);
      }, done);
    },
  });
  client.pipe(input);
  return { input, facts: () => facts.shift() ?? null };
}

/** A certificate for a cancel request or a plan lives so long, ms. */
const CANCEL_MS = 60_000;

/** Nobody waits for it: PostgreSQL answers no cancel request, whatever becomes of it. */
async function cancel(key: Buffer, dialled: () => Promise<Duplex>): Promise<void> {
  try {
    const socket = await dialled();
    socket.on('error', () => undefined);
    socket.end(request(CANCEL_REQUEST, key));
    socket.resume();
  } catch {
    // The database cannot be reached: there is nothing left to cancel.
  }
}

export async function askForTls(raw: Duplex): Promise<void> {
  raw.write(request(SSL_REQUEST));
  const answer = await readBytes(raw, 1);
  // Bytes behind the answer would be taken for encrypted ones.
  if (answer[0] !== YES || raw.readableLength > 0) throw new Error('the server does not offer TLS (ssl = on)');
}
