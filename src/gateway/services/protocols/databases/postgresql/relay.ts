// A PostgreSQL client and its database: bytes pass untouched once the person's rights were looked at, and each statement is told of.
import type { Duplex } from 'node:stream';
import { Failure } from '../../../../../contract/failure.ts';
import { ConnectError, type ReachedDatabase } from '../../../../ports.ts';
import { dial } from '../dial.ts';
import type { DatabaseDoor } from '../door.ts';
import { hangUp } from '../hang-up.ts';
import { pump } from '../pump.ts';
import { readBytes } from '../read-bytes.ts';
import { Malformed } from './frames.ts';
import {
  CANCEL_REQUEST,
  fatal,
  GSS_REQUEST,
  request,
  SSL_REQUEST,
  STATE,
  startupLength,
  startupParameters,
} from './messages.ts';
import { createStatementTaps, TooMuch } from './statements.ts';

const YES = 'S'.charCodeAt(0);
/** Requests for another kind of encryption that a client makes before it starts. */
const ASKED_MOST = 4;
/** Said no, in front of start-up parameters that mean: this is no replication. */
const NO_REPLICATION = new Set(['false', 'off', 'no', '0']);

/** What can be cancelled, by the key that the server gave the client. */
export interface Cancels {
  /** Passes a cancel request on; nothing happens for a key that is none. */
  cancel(key: Buffer): void;
  add(key: Buffer, cancel: () => void): () => void;
}
export function createCancels(): Cancels {
  const known = new Map<string, () => void>();
  return {
    cancel: key => known.get(key.toString('hex'))?.(),
    add(key, cancel) {
      const name = key.toString('hex');
      known.set(name, cancel);
      return () => void known.delete(name);
    },
  };
}

/** From the start-up packet on. Never throws: what fails is told to the client, and ends it. */
export async function servePostgresql(client: Duplex, door: DatabaseDoor, cancels: Cancels): Promise<void> {
  try {
    await start(client, door, cancels);
  } catch (error) {
    const state =
      error instanceof Malformed ? STATE.protocol : error instanceof ConnectError ? STATE.unreachable : STATE.denied;
    const isKnown = error instanceof Failure || error instanceof ConnectError || error instanceof Malformed;
    hangUp(client, isKnown ? fatal(state, `Postern: ${error.message}`) : undefined);
  }
}

/** The start-up packet; null for a cancel request, which was passed on. */
async function readStartup(client: Duplex, cancels: Cancels): Promise<Buffer | null> {
  for (let asked = 0; asked < ASKED_MOST; asked++) {
    const head = await readBytes(client, 4);
    const body = await readBytes(client, startupLength(head) - 4);
    const code = body.readInt32BE(0);
    if (code === CANCEL_REQUEST) {
      cancels.cancel(body.subarray(4));
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
  const dialled = (how: { readonly ttlMs: number; readonly own: boolean }) =>
    dial(door.ports, { ...access, ...how, alpn: ['postgresql'], begin: askForTls });
  let server: Awaited<ReturnType<typeof dialled>> | undefined;
  let own = false;
  const session = await door.begin({
    dbUser,
    dbName,
    async reach(how): Promise<ReachedDatabase> {
      own = how.own;
      const reached = await dialled(how);
      server = reached;
      // Until it is relayed, nobody else hears of its end.
      reached.on('error', () => undefined);
      return {
        close: () => void reached.destroy(),
        farewell: why => hangUp(client, why === '' ? undefined : fatal(STATE.ended, `Postern: ${why}`)),
      };
    },
  });
  if (!server) throw new Error('a session without a database');
  const database = server;
  let forget = (): void => undefined;
  const taps = createStatementTaps(session, key => {
    forget();
    forget = cancels.add(key, () => void cancel(key, () => dialled({ ttlMs: CANCEL_MS, own })));
  });
  const failed = (error: unknown, bytes: Buffer): void => {
    if (error instanceof TooMuch) hangUp(client, fatal(STATE.tooMuch, `Postern: ${error.message}`));
    session.malformed(bytes);
  };
  database.once('close', () => {
    forget();
    session.gone('');
  });
  client.once('close', () => void database.destroy());
  client.on('error', () => void database.destroy());
  pump(client, database, taps.client, failed, session);
  pump(database, client, taps.server, failed);
  database.write(startup);
}

/** A certificate for passing a cancel request on lives so long, ms. */
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
