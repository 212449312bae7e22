// What a MySQL client does, read from the packets that pass: each statement once, when it is executed, and what became of it.
import type { Plan, Statements } from '../../../../ports/databases.ts';
import type { Tap, WaitingTap } from '../../pump.ts';
import { Malformed, TEXT_MOST_BYTES, TooMuch, whole } from '../frames.ts';
import { Refused } from '../relay.ts';
import type { Around } from './around.ts';
import type { Facts } from './facts.ts';
import { createRowMask, type RowMask, withoutValue } from './masks.ts';
import { ERROR, errorPacket, HEAD_BYTES, packet, REFUSAL } from './messages.ts';
import { heldPackets, onceKnown, type Passing, packets } from './packets.ts';
import { createResponse, type Outcome, type Shape } from './responses.ts';

/** Of a packet of the server, what is read: an error, or how an answer begins, bytes. */
const ANSWER_MOST_BYTES = 1024;
/** Of all prepared statements of one session. */
const PREPARED_MOST = 10_000;
const PREPARED_MOST_CHARACTERS = 16 * 1024 * 1024;
/** Commands that a client may send before it reads an answer. */
const UNDER_WAY_MOST = 10_000;
/** By this number a client means the statement that it prepared last. */
const LAST_PREPARED = 0xffffffff;
/** What is read of one whose answer has hidden values: all of it, as long as it is one packet, bytes. */
const MASKED_MOST_BYTES = 0xffffff;
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

/** What the server gets in the place of a statement that a guard keeps from it: no statement, which changes nothing, also in a transaction. */
const INSTEAD = packet(0, Buffer.from('\x03postern_has_refused_this_statement'));
/** What may change how texts are read. */
const CHANGES_READING = /sql_mode|charset|character|collation|names|prepare|execute|call/i;
/** Commands besides statements that a guard may be about, and what they do; null: nobody can tell. */
const guardedCommands: Readonly<Record<string, Facts>> = {
  ...{ create: madeFacts(), drop: madeFacts() },
  ...{ refresh: null, shutdown: null, debug: null },
};

interface Under {
  readonly text: string;
  readonly parameters?: number | undefined;
  /** The server got something in its place: the client is told this. */
  readonly blocked?: Blocked;
  /** Reads its answer. */
  readonly read: ReturnType<typeof createResponse>;
  /** A statement was prepared under this number. */
  prepared?(id: number, parameters: number): void;
  done?(): void;
  /** It executes a prepared statement. */
  readonly isPrepared?: boolean;
  /** Hides values of its answer. */
  mask?: RowMask | null;
}
interface Blocked {
  readonly refusal: readonly [number, string];
  readonly text: string;
}
type Sent = { -readonly [key in keyof Under]: Under[key] };
/** How statements are looked into where guards are about a session. */
export interface Looking {
  /** What a text does. Never rejects. */
  read(text: string): Facts | Promise<Facts>;
  /** How the database would go about a statement. Never rejects. */
  plan(text: string): Promise<Plan>;
  /** Texts are read here as the server reads them. */
  readonly isReadable: boolean;
  /** What shows masked columns beside their tables; `known` null: that could not be read. Null: nothing is masked in this session. */
  readonly around: { readonly known: Around | null } | null;
}
interface Prepared {
  readonly text: string;
  readonly isWhole: boolean;
  readonly facts: Facts;
  /** How many it is executed with; undefined: the server has not said it. */
  parameters?: number;
  /** Of a prepared statement: hides values of the rows that were left in its cursor. */
  cursor?: RowMask | null;
}
export interface StatementPorts {
  /** Null: guards are not asked in this session. */
  readonly looking?: Looking | null;
  /** Ends the wait of another connection's statement. */
  cancel?(connectionId: number): void;
  /** The server's number for a connection that clients know by a number of the gateway's; undefined: it is none. */
  threadOf(connectionId: number): number | undefined;
  /** Answers the client in the server's place. */
  answer(bytes: Buffer): void;
}
export interface StatementTaps {
  /** Throw Malformed, TooMuch and Refused: the bytes must not go on. */
  readonly client: WaitingTap;
  readonly server: Tap;
  /** Ends the wait of a statement that a guard asks about. */
  cancel(): void;
  /** Why the server may have hung up on a statement; '' where none is under way. */
  hungUp(): string;
}

export function createStatementTaps(
  session: Statements,
  { looking = null, cancel, threadOf, answer }: StatementPorts,
): StatementTaps {
  const prepared = new Map<number, Prepared>();
  let characters = 0;
  const none: Prepared = { text: '', isWhole: false, facts: null };
  let lastPrepared = none;
  let isReadable = looking?.isReadable === true;
  let waiting: AbortController | null = null;
  const underWay: Under[] = [];
  /** Bytes of the client that have come, and those of them that were read as whole packets. */
  let seen = 0;
  let read = 0;
  /** The piece that is being read, and what goes on in its place. */
  let piece: Buffer = NOTHING;
  let instead: Buffer | undefined;

  const forget = (id: number): void => {
    characters -= prepared.get(id)?.text.length ?? 0;
    prepared.delete(id);
  };
  const preparedAs = (id: number): Prepared | undefined => (id === LAST_PREPARED ? lastPrepared : prepared.get(id));
  function prepare(id: number, one: Prepared): void {
    forget(id);
    prepared.set(id, one);
    characters += one.text.length;
    if (prepared.size > PREPARED_MOST || characters > PREPARED_MOST_CHARACTERS)
      throw new TooMuch('more prepared statements than one session may have');
  }
  /** Whether this packet is all of the piece, and nothing before it waits for its answer: only then may another take its place. */
  const stands = (length: number): boolean => piece.length === HEAD_BYTES + length && underWay.length === 0;
  function replace(body: Buffer, length: number): void {
    if (looking) {
      instead = packet(0, body);
      return;
    }
    if (!stands(length)) throw new Refused('this may not be sent together with other statements');
    instead = packet(0, body);
  }
  function refuse(text: string, length: number, refusal: readonly [number, string], why: string): void {
    session.failed(text, why);
    if (looking) {
      instead = INSTEAD;
      send({ text, read: createResponse('simple'), blocked: { refusal, text: why } });
      return;
    }
    if (!stands(length)) throw new Refused(why);
    instead = NOTHING;
    answer(errorPacket(1, refusal, why));
  }

  function send(under: Under): void {
    if (underWay.length >= UNDER_WAY_MOST) throw new TooMuch('more statements than may be under way at once');
    underWay.push(under);
  }
  /** What a statement does; null where it cannot be told, or what it shows of masked columns cannot be. */
  function readable(facts: Facts): Facts {
    if (!isReadable || facts === null) return null;
    const around = looking?.around ?? null;
    const isOpen = around === null || facts.every(one => around.known?.goesRound(one) === false);
    return isOpen ? facts : null;
  }
  /** Answers what the server gets in its place where a guard blocks it; undefined: it goes on. */
  function begun(under: Sent, statement: Prepared): Buffer | undefined | Promise<Buffer | undefined> {
    const { text, isWhole, parameters } = statement;
    under.parameters = parameters;
    const facts = readable(statement.facts);
    const masked = facts && looking?.around ? session.masked(facts) : null;
    const match = looking && session.judge(facts);
    const block = (refusal: readonly [number, string], why: string): Buffer => {
      send({ text, parameters, read: createResponse('simple'), blocked: { refusal, text: why } });
      return INSTEAD;
    };
    const goesOn = (): undefined => {
      if (facts === null && CHANGES_READING.test(text)) isReadable = false;
      under.mask = masked && createRowMask(masked, under.isPrepared === true);
      if (under.isPrepared) statement.cursor = under.mask;
      send(under);
      return undefined;
    };
    if (looking && match?.effect === 'ask') {
      const mine = new AbortController();
      waiting = mine;
      const plan = (): Promise<Plan> =>
        isWhole ? looking.plan(text) : Promise.resolve({ text: '', without: 'the statement is not kept whole' });
      // The protocol has no word for that something waits.
      const question = { text, isWhole, parameters, facts, masked, plan, waits: () => undefined };
      return session.ask(question, mine.signal).then(({ refused, isCancelled }) => {
        waiting = null;
        if (refused === null) return goesOn();
        return block(isCancelled ? REFUSAL.cancelled : REFUSAL.guarded, refused);
      });
    }
    if (match?.effect === 'block') {
      session.blocked(text, match, parameters);
      return block(REFUSAL.guarded, match.text);
    }
    session.begun(text, match, masked, parameters);
    return goesOn();
  }

  function command(body: Buffer, length: number): Passing {
    const code = body[0] ?? 0;
    const known = commands.get(code);
    if (!known) {
      refuse(`command ${code}`, length, REFUSAL.notRelayed, refusals[code] ?? 'this command is not relayed');
      return undefined;
    }
    const [name, shape] = known;
    const text = (): string => whole(body.toString('utf8', 1, 1 + TEXT_MOST_BYTES), length - 1);
    const isWhole = length - 1 <= TEXT_MOST_BYTES;
    const looked = (): Facts | Promise<Facts> => (looking && isWhole ? looking.read(text()) : null);
    const under: Sent = {
      text: name,
      read: createResponse(shape ?? 'simple'),
    };
    switch (name) {
      case 'query': {
        under.text = text();
        const [, before = '', id = '', after = ''] = KILL.exec(under.text) ?? [];
        const thread = id === '' ? undefined : threadOf(Number(id));
        if (thread !== undefined) {
          cancel?.(Number(id));
          const said = Buffer.from(`\x03${before}${thread}${after}`);
          replace(said, length);
        }
        return onceKnown(looked(), facts => begun(under, { text: under.text, isWhole, facts }));
      }
      case 'use': {
        const database = text();
        const why = session.mayUse(database);
        if (why !== null) {
          refuse(`use ${database}`, length, REFUSAL.database, why);
          return undefined;
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
          cancel?.(id);
          const said = Buffer.from([12, 0, 0, 0, 0]);
          said.writeUInt32LE(thread, 1);
          replace(said, length);
        }
        break;
      }
      case 'prepare': {
        under.text = text();
        return onceKnown(looked(), facts => {
          const statement: Prepared = { text: under.text, isWhole, facts };
          lastPrepared = statement;
          under.prepared = (id, parameters) => {
            statement.parameters = parameters;
            prepare(id, statement);
          };
          send(under);
          return undefined;
        });
      }
      case 'execute': {
        const id = statementId(body, length);
        const called = preparedAs(id);
        under.text = called?.text ?? `execute statement ${id}`;
        under.isPrepared = true;
        return begun(under, called ?? { ...none, text: under.text });
      }
      case 'fetch':
        under.mask = preparedAs(statementId(body, length))?.cursor ?? null;
        break;
      case 'close':
        forget(statementId(body, length));
        break;
      case 'start over':
        under.done = () => {
          prepared.clear();
          characters = 0;
        };
    }
    if (shape === null) return undefined;
    const facts = guardedCommands[name];
    if (looking && facts !== undefined) return begun(under, { text: under.text, isWhole: true, facts });
    send(under);
    return undefined;
  }

  const client = packets(
    () => 1 + TEXT_MOST_BYTES,
    (sequence, body, length, bytes) => {
      read += bytes;
      if (sequence !== 0 || length === 0) throw new Malformed('a packet that is no command');
      void command(body, length);
      return undefined;
    },
  );
  /** Where guards are asked, each command waits until it was read; one of several packets is known by its first. */
  const guarded = heldPackets(1 + TEXT_MOST_BYTES, (sequence, body, length) => {
    if (sequence !== 0 || length === 0) throw new Malformed('a packet that is no command');
    instead = undefined;
    const passing = command(body, length);
    return passing instanceof Promise ? passing.then(other => other ?? instead) : (passing ?? instead);
  });
  /** Rows of the answer that goes on. */
  let passed = 0;
  session.counted(() => (passed === 0 ? null : passed));
  const server = packets(
    () => (underWay[0]?.mask ? MASKED_MOST_BYTES : ANSWER_MOST_BYTES),
    (sequence, body, length) => {
      const [first] = underWay;
      if (!first) {
        // A server may say that it hangs up.
        if (body[0] !== ERROR) throw new Malformed('an answer to nothing');
        return undefined;
      }
      if (first.blocked) {
        if (body[0] !== ERROR) throw new Malformed('an answer to no statement');
        underWay.shift();
        return errorPacket(sequence, first.blocked.refusal, first.blocked.text);
      }
      const outcome = first.read(body, length);
      const instead = first.mask ? hiding(first.mask, outcome, sequence, body) : undefined;
      if (outcome.kind === 'failed') session.failed(first.text, outcome.error, first.parameters);
      else if (outcome.prepared) first.prepared?.(outcome.prepared.id, outcome.prepared.parameters);
      if (outcome.kind === 'more' && outcome.part === 'row') passed += 1;
      if (outcome.kind === 'more') return instead;
      underWay.shift();
      passed = 0;
      if (outcome.kind === 'done') {
        session.answered(first.text, outcome.rows ?? null);
        first.done?.();
      }
      return instead;
    },
    isSplit => {
      const [first] = underWay;
      if (isSplit && first?.mask) throw new TooMuch('a row that is too long for its values to be hidden');
      return first?.blocked !== undefined || first?.mask != null;
    },
  );
  return {
    client(bytes) {
      if (looking) {
        seen += bytes.length;
        read += bytes.length;
        return guarded(bytes);
      }
      // A packet that began in an earlier piece cannot be replaced any more.
      piece = seen === read ? bytes : NOTHING;
      seen += bytes.length;
      instead = undefined;
      client(bytes);
      return instead;
    },
    server,
    cancel: () => waiting?.abort(),
    hungUp: () =>
      underWay.length > 0 || seen !== read
        ? 'the database hung up on a statement, as it does on one that is longer than its max_allowed_packet'
        : '',
  };
}

/** What goes on in the place of a packet of an answer with hidden values; undefined: itself. */
function hiding(mask: RowMask, outcome: Outcome, sequence: number, body: Buffer): Buffer | undefined {
  if (outcome.kind === 'failed') return withoutValue(sequence, body);
  if (outcome.part === 'row') return mask.row(sequence, body);
  if (outcome.part === 'begin') mask.begin();
  if (outcome.part === 'column') mask.column(body);
  return undefined;
}

function statementId(body: Buffer, length: number): number {
  if (length < 5) throw new Malformed('a command without the number of its statement');
  return body.readUInt32LE(1);
}

function madeFacts(): Facts {
  const columns = new Set<string>();
  return [
    {
      ...{
        kinds: new Set(['ddl' as const]),
        tables: [],
        columns,
        allColumns: false,
        used: { columns, allColumns: false },
      },
      ...{ functions: new Set<string>(), aliases: new Map(), renames: false, takesUp: [], isPlanned: false },
    },
  ];
}
