// What a MySQL client does, read from the packets that pass: each statement once, when it is executed, and what became of it.
import type { Statements } from '../../../../ports/databases.ts';
import type { Tap } from '../../pump.ts';
import { createFrames, Malformed, TEXT_MOST_BYTES, TooMuch, whole } from '../frames.ts';
import { Refused } from '../relay.ts';
import { errorPacket, HEAD_BYTES, packet, REFUSAL } from './messages.ts';
import { createResponse, type Shape } from './responses.ts';

/** Of a packet of the server, what is read: an error, or how an answer begins, bytes. */
const ANSWER_MOST_BYTES = 1024;
/** A body of this length goes on in the next packet. */
const SPLIT_BYTES = 0xffffff;
/** The protocol's own bound of a command, bytes. */
const COMMAND_MOST_BYTES = 0x40000000;
/** Of all prepared statements of one session. */
const PREPARED_MOST = 10_000;
const PREPARED_MOST_CHARACTERS = 16 * 1024 * 1024;
/** Commands that a client may send before it reads an answer. */
const UNDER_WAY_MOST = 10_000;
/** By this number a client means the statement that it prepared last. */
const LAST_PREPARED = 0xffffffff;
const NOTHING = Buffer.alloc(0);

/** Commands as their first byte says, and how they are answered; null: not at all. */
const commands = new Map<number, readonly [name: string, answered: Shape | null]>([
  [1, ['quit', null]],
  [2, ['use', 'simple']],
  [3, ['query', 'results']],
  [4, ['fields', 'fields']],
  [5, ['create', 'simple']],
  [6, ['drop', 'simple']],
  [7, ['refresh', 'simple']],
  [8, ['shutdown', 'simple']],
  [9, ['statistics', 'text']],
  [10, ['processes', 'results']],
  [12, ['kill', 'simple']],
  [13, ['debug', 'simple']],
  [14, ['ping', 'simple']],
  [22, ['prepare', 'prepared']],
  [23, ['execute', 'results']],
  [24, ['long data', null]],
  [25, ['close', null]],
  [26, ['reset', 'simple']],
  [27, ['option', 'simple']],
  [28, ['fetch', 'rows']],
  [31, ['start over', 'simple']],
]);
/** Why others, which servers may know, are not relayed. */
const refusals: Readonly<Record<number, string>> = {
  17: 'changing the user is not relayed: connect again as the other one',
  18: 'replication is not for clients of the gateway',
  19: 'replication is not for clients of the gateway',
  21: 'replication is not for clients of the gateway',
  30: 'replication is not for clients of the gateway',
};
/** The numbers in it are the first thing after its words. */
const KILL = /^(\s*kill\s+(?:\/\*[^*]*\*\/\s*)?(?:(?:connection|query)\s+)?)(\d{1,10})(\s*;?\s*)$/i;

interface Under {
  readonly text: string;
  /** Reads its answer. */
  readonly read: ReturnType<typeof createResponse>;
  /** A statement was prepared under this number. */
  prepared?(id: number): void;
  done?(): void;
}
export interface StatementPorts {
  /** The server's number for a connection that clients know by a number of the gateway's; undefined: it is none. */
  threadOf(connectionId: number): number | undefined;
  /** Answers the client in the server's place. */
  answer(bytes: Buffer): void;
}
export interface StatementTaps {
  /** Throw Malformed, TooMuch and Refused: the bytes must not go on. */
  readonly client: Tap;
  readonly server: Tap;
  /** Why the server may have hung up on a statement; '' where none is under way. */
  hungUp(): string;
}

export function createStatementTaps(session: Statements, { threadOf, answer }: StatementPorts): StatementTaps {
  const prepared = new Map<number, string>();
  let characters = 0;
  let lastPrepared = '';
  const underWay: Under[] = [];
  /** Bytes of the client that have come, and those of them that were read as whole packets. */
  let seen = 0;
  let read = 0;
  /** The piece that is being read, and what goes on in its place. */
  let piece: Buffer = NOTHING;
  let instead: Buffer | undefined;

  const forget = (id: number): void => {
    characters -= prepared.get(id)?.length ?? 0;
    prepared.delete(id);
  };
  function prepare(id: number, text: string): void {
    forget(id);
    prepared.set(id, text);
    characters += text.length;
    if (prepared.size > PREPARED_MOST || characters > PREPARED_MOST_CHARACTERS)
      throw new TooMuch('more prepared statements than one session may have');
  }
  /** Whether this packet is all of the piece, and nothing before it waits for its answer: only then may another take its place. */
  const stands = (length: number): boolean => piece.length === HEAD_BYTES + length && underWay.length === 0;
  function replace(body: Buffer, length: number): void {
    if (!stands(length)) throw new Refused('this may not be sent together with other statements');
    instead = packet(0, body);
  }
  function refuse(text: string, length: number, refusal: readonly [number, string], why: string): void {
    session.failed(text, why);
    if (!stands(length)) throw new Refused(why);
    instead = NOTHING;
    answer(errorPacket(1, refusal, why));
  }

  function command(body: Buffer, length: number): void {
    const code = body[0] ?? 0;
    const known = commands.get(code);
    if (!known) {
      refuse(`command ${code}`, length, REFUSAL.notRelayed, refusals[code] ?? 'this command is not relayed');
      return;
    }
    const [name, shape] = known;
    const text = (): string => whole(body.toString('utf8', 1, 1 + TEXT_MOST_BYTES), length - 1);
    const under: { -readonly [key in keyof Under]: Under[key] } = {
      text: name,
      read: createResponse(shape ?? 'simple'),
    };
    switch (name) {
      case 'query': {
        under.text = text();
        const [, before = '', id = '', after = ''] = KILL.exec(under.text) ?? [];
        const thread = id === '' ? undefined : threadOf(Number(id));
        if (thread !== undefined) {
          const said = Buffer.from(`\x03${before}${thread}${after}`);
          replace(said, length);
        }
        session.begun(under.text);
        break;
      }
      case 'use': {
        const database = text();
        const why = session.mayUse(database);
        if (why !== null) {
          refuse(`use ${database}`, length, REFUSAL.database, why);
          return;
        }
        under.text = `use ${database}`;
        session.note('TMY07I', { schema_name: database });
        under.done = () => session.uses(database);
        break;
      }
      case 'create':
      case 'drop':
        under.text = `${name} database ${text()}`;
        session.note(name === 'create' ? 'TMY08I' : 'TMY09I', { schema_name: text() });
        break;
      case 'refresh':
        session.note('TMY13I', { subcommand: String(body[1] ?? 0) });
        break;
      case 'shutdown':
        session.note('TMY10I', {});
        break;
      case 'debug':
        session.note('TMY12I', {});
        break;
      case 'kill': {
        if (length !== 5) throw new Malformed('a kill without a number');
        const id = body.readUInt32LE(1);
        under.text = `kill ${id}`;
        session.note('TMY11I', { process_id: id });
        const thread = threadOf(id);
        if (thread !== undefined) {
          const said = Buffer.from([12, 0, 0, 0, 0]);
          said.writeUInt32LE(thread, 1);
          replace(said, length);
        }
        break;
      }
      case 'prepare': {
        const statement = text();
        under.text = statement;
        lastPrepared = statement;
        under.prepared = id => prepare(id, statement);
        break;
      }
      case 'execute': {
        const id = statementId(body, length);
        under.text = id === LAST_PREPARED ? lastPrepared : (prepared.get(id) ?? `execute statement ${id}`);
        session.begun(under.text);
        break;
      }
      case 'close':
        forget(statementId(body, length));
        break;
      case 'start over':
        under.done = () => {
          prepared.clear();
          characters = 0;
        };
    }
    if (shape === null) return;
    if (underWay.length >= UNDER_WAY_MOST) throw new TooMuch('more statements than may be under way at once');
    underWay.push(under);
  }

  const client = packets(1 + TEXT_MOST_BYTES, (sequence, body, length, bytes) => {
    read += bytes;
    if (sequence !== 0 || length === 0) throw new Malformed('a packet that is no command');
    command(body, length);
  });
  const server = packets(ANSWER_MOST_BYTES, (_sequence, body, length) => {
    const [first] = underWay;
    if (!first) {
      // A server may say that it hangs up.
      if (body[0] !== 0xff) throw new Malformed('an answer to nothing');
      return;
    }
    const outcome = first.read(body, length);
    if (outcome.kind === 'failed') session.failed(first.text, outcome.error);
    else if (outcome.statementId !== undefined) first.prepared?.(outcome.statementId);
    if (outcome.kind === 'more') return;
    underWay.shift();
    if (outcome.kind === 'done') {
      session.answered(first.text, outcome.rows ?? null);
      first.done?.();
    }
  });
  return {
    client(bytes) {
      // A packet that began in an earlier piece cannot be replaced any more.
      piece = seen === read ? bytes : NOTHING;
      seen += bytes.length;
      instead = undefined;
      client(bytes);
      return instead;
    },
    server(bytes) {
      server(bytes);
      return undefined;
    },
    hungUp: () =>
      underWay.length > 0 || seen !== read
        ? 'the database hung up on a statement, as it does on one that is longer than its max_allowed_packet'
        : '',
  };
}

function statementId(body: Buffer, length: number): number {
  if (length < 5) throw new Malformed('a command without the number of its statement');
  return body.readUInt32LE(1);
}

/** Packets, those of one body joined. `bytes`: all that it took on the way. */
function packets(
  wanted: number,
  on: (sequence: number, body: Buffer, length: number, bytes: number) => void,
): (chunk: Buffer) => unknown {
  let goesOn = false;
  let sequence = 0;
  let length = 0;
  let bytes = 0;
  let parts: Buffer[] = [];
  return createFrames(HEAD_BYTES, {
    head(head, at) {
      const part = head.readUIntLE(at, 3);
      if (!goesOn) {
        sequence = head[at + 3] ?? 0;
        length = 0;
        bytes = 0;
        if (parts.length > 0) parts = [];
      }
      const kept = Math.max(0, wanted - length);
      length += part;
      bytes += HEAD_BYTES + part;
      if (length > COMMAND_MOST_BYTES) throw new Malformed(`a packet of ${length} bytes`);
      goesOn = part === SPLIT_BYTES;
      return { length: part, wanted: kept };
    },
    on(body) {
      if (parts.length === 0 && !goesOn) on(sequence, body, length, bytes);
      else {
        if (parts.length === 0 || body.length > 0) parts.push(Buffer.from(body));
        if (!goesOn) on(sequence, Buffer.concat(parts), length, bytes);
      }
      return undefined;
    },
  });
}
