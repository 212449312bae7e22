// A Redis client and its database: bytes pass untouched once the person's rights were looked at, and each command is told of. The server
// cannot tell users by certificates: the gateway signs in with a password of its own, which nobody else knows.
import { type Duplex, PassThrough } from 'node:stream';
import { Failure } from '../../../../../contract/failure.ts';
import { ConnectError } from '../../../../ports/reach.ts';
import { hangUp } from '../../hang-up.ts';
import { readBytes } from '../../read-bytes.ts';
import { dial } from '../dial.ts';
import type { DatabaseDoor, Dialled, How } from '../door.ts';
import type { Engine } from '../engine.ts';
import { handOn, join, toldOf } from '../relay.ts';
import { type Command, createCommands, encode } from './commands.ts';
import { createStatementTaps, nameOf, refusal } from './statements.ts';

/** Of the first command, and of the server's first answer, bytes. */
const FIRST_MOST_BYTES = 64 * 1024;
const ANSWER_MOST_BYTES = 1024;
const SIGNED_IN = Buffer.from('+OK\r\n');

const speech = { lastWords: (why: string) => refusal(why) };

export function createRedis(): Engine {
  return {
    protocol: 'redis',
    refuse: (client, why) => hangUp(client, refusal(why)),
    async serve(client, door) {
      try {
        await start(client, door);
      } catch (error) {
        const why = toldOf(error);
        hangUp(client, why === '' ? undefined : refusal(why));
      }
    },
  };
}

async function start(client: Duplex, door: DatabaseDoor): Promise<void> {
  const { asked, isAnswered = false, passes } = opening(await readFirst(client));
  const dbUser = asked ?? only(door);
  const joined = await join(client, door, { dbUser, dbName: '', dial: how => signIn(door, dbUser, how) }, speech);
  const taps = createStatementTaps(joined.session, bytes => void client.write(bytes));
  if (isAnswered) client.write(SIGNED_IN);
  client.unshift(passes);
  // While a command waits, the client is read on into memory, up to a bound: so its end is heard of.
  handOn(client, joined, taps, speech, joined.session.isGuarded ? client.pipe(new PassThrough()) : client);
}

/** What has come first, and the command that it begins with; null for one that is too long to be about who comes. */
interface First {
  readonly come: Buffer;
  readonly command: Command | null;
}
/** Throws Malformed; rejects when the client is gone. */
async function readFirst(client: Duplex): Promise<First> {
  let come = Buffer.alloc(0);
  while (come.length < FIRST_MOST_BYTES) {
    const next = await readBytes(client, 1);
    come = Buffer.concat([come, next, (client.read() as Buffer | null) ?? Buffer.alloc(0)]);
    const found: Command[] = [];
    // Read anew: commands that come in several pieces are rare.
    createCommands(command => void found.push(command))(come);
    const [command] = found;
    if (command) return { come, command };
  }
  return { come, command: null };
}

interface Opening {
  /** Absent: the client names nobody. */
  readonly asked?: string;
  /** The command was for the gateway. */
  readonly isAnswered?: boolean;
  /** What is for the server. */
  readonly passes: Buffer;
}
/** Whom a first command asks for. A password in it is not looked at: the certificate counts. */
function opening({ come, command }: First): Opening {
  const name = command ? nameOf(command) : '';
  if (!command || (name !== 'AUTH' && name !== 'HELLO')) return { passes: come };
  const { words } = command;
  const rest = come.subarray(command.bytes);
  const at = words.findIndex(word => word.toString('latin1', 0, 8).toUpperCase() === 'AUTH');
  if (at < 0) return { passes: come };
  const asked = words[at + 1]?.toString();
  if (name === 'HELLO')
    return { ...(asked !== undefined && { asked }), passes: Buffer.concat([encode(words.toSpliced(at, 3)), rest]) };
  return { ...(words.length > 2 && asked !== undefined && { asked }), isAnswered: true, passes: rest };
}

/** Throws Failure. */
function only({ database, users }: DatabaseDoor): string {
  const [user] = users;
  if (user !== undefined && user !== '*' && users.length === 1) return user;
  throw new Failure('denied', `${database.name}: say as which database user (redis-cli --user NAME --pass ANYTHING)`);
}

/** Throws ConnectError, with the server's own words where it refuses. */
async function signIn(door: DatabaseDoor, dbUser: string, how: How): Promise<Dialled> {
  const { database, ports } = door;
  // Here TLS is what the connection begins with.
  const begin = async (): Promise<void> => undefined;
  const server = await dial(ports, { database, dbUser, dbName: '', alpn: [], begin, ...how });
  server.on('error', () => undefined);
  try {
    server.write(encode(['AUTH', dbUser, await door.password(dbUser)]));
    let said = '';
    while (!said.endsWith('\n') && said.length < ANSWER_MOST_BYTES)
      said += (await readBytes(server, 1)).toString('latin1');
    if (said === SIGNED_IN.toString()) return server;
    throw new Error(said.replace(/^-/, '').trim());
  } catch (error) {
    server.destroy();
    const why = error instanceof Error ? error.message : String(error);
    throw new ConnectError('principal_refused', `${database.name} refused database user "${dbUser}": ${why}`);
  }
}
