// What a PostgreSQL client does, read from the messages that pass: each statement once, when it is executed, and what became of it.
import { randomBytes } from 'node:crypto';
import type { Masked, Plan, StatementFacts, Statements } from '../../../../ports/databases.ts';
import type { Tap, WaitingTap } from '../../pump.ts';
import { Malformed, TEXT_MOST_BYTES, TooMuch, textAt, whole } from '../frames.ts';
import type { Around } from './around.ts';
import type { Facts } from './facts.ts';
import { createMasks, type Masks } from './masks.ts';
import { messages, waitingMessages } from './message-frames.ts';
import { message, notice, readError, refusal, STATE, warning } from './messages.ts';
import { createPreparedNames } from './prepared.ts';

const NAMES_MOST_BYTES = 512;
const ERROR_MOST_BYTES = 4096;
const KEY_MOST_BYTES = 512;
const TAG_MOST_BYTES = 64;
const SETTING_MOST_BYTES = 256;
/** Statements that a client may send before it reads an answer. */
const UNDER_WAY_MOST = 100_000;

const byte = (letter: string): number => letter.charCodeAt(0);
const CLIENT = new Map(
  Object.entries({
    Q: TEXT_MOST_BYTES,
    P: TEXT_MOST_BYTES + NAMES_MOST_BYTES,
    B: NAMES_MOST_BYTES,
    C: NAMES_MOST_BYTES,
    F: 4,
    // Nothing is read of these: describe, execute, flush, sync, end, copy data, end and failure, password.
    D: 0,
    E: 0,
    H: 0,
    S: 0,
    X: 0,
    d: 0,
    c: 0,
    f: 0,
    p: 0,
  }).map(([letter, bytes]) => [byte(letter), bytes]),
);
const SERVER = new Map([
  [byte('E'), ERROR_MOST_BYTES],
  [byte('K'), KEY_MOST_BYTES],
  [byte('C'), TAG_MOST_BYTES],
  [byte('S'), SETTING_MOST_BYTES],
  [byte('Z'), 1],
]);
const ROW = byte('D');
const COPY_DATA = byte('d');
/** What executes something: it is held until guards have been asked. */
const executes = new Set(['Q', 'B', 'F'].map(byte));
/** What is about a portal or a statement by its name alone. */
const named = new Set(['D', 'E'].map(byte));
/** Settings under which texts are read as the grammar reads them. */
const readableSettings: Readonly<Record<string, RegExp>> = {
  standard_conforming_strings: /^on$/,
  client_encoding: /^(UTF8|SQL_ASCII|LATIN\d+|WIN\d+|ISO_8859_\d)$/i,
};

export interface StatementTaps {
  /** Throw Malformed and TooMuch: the bytes must not go on. */
  readonly client: WaitingTap;
  readonly server: Tap;
  /** Ends the wait of a statement that a guard asks about. False: none waits. */
  cancel(): boolean;
}

interface Prepared {
  readonly text: string;
  readonly isWhole: boolean;
  readonly facts: Facts;
}
/** A statement that was sent. `blocked`: the server got something in its place that it refuses, and the client is told this. */
interface Under {
  readonly text: string;
  readonly parameters?: number | undefined;
  readonly blocked: Blocked | null;
}
interface Blocked {
  readonly text: string;
  readonly state: string;
}
/** A statement as it is executed: its text, or what stands for that. */
interface Executed {
  readonly text: string;
  readonly isWhole: boolean;
  readonly parameters?: number | undefined;
}
interface Begun {
  readonly goesOn: boolean;
  readonly masked: Masked | null;
}
export interface TapPorts {
  /** Hears the key by which the running statement can be cancelled. */
  keyed(key: Buffer): void;
  /** What the next text does: asked once for each that the client prepares or executes. Null: guards are not asked in this session. */
  readonly facts: (() => Facts) | null;
  /** What shows masked columns beside their tables; `known` null: that could not be read. Null: nothing is masked in this session. */
  readonly around: { readonly known: Around | null } | null;
  /** Tells the client something of the gateway's own. */
  tell(bytes: Buffer): void;
  /** How the database would go about a statement. Never rejects. */
  plan(text: string): Promise<Plan>;
}

export function createStatementTaps(
  session: Statements,
  { keyed, facts, around, tell, plan }: TapPorts,
): StatementTaps {
  const prepared = createPreparedNames<Prepared>(({ text }) => text.length);
  /** Sent and not answered; null for the end of a group (Sync), which the server answers by being ready. */
  const underWay: (Under | null)[] = [];
  const masks: Masks | null = around && createMasks(around.known?.others ?? new Set());
  /** What the client is told once the group is over: whole messages. */
  let warnings: Buffer[] = [];
  let isReadable = true;
  /** What the server gets in the place of what is blocked. No client can have prepared a statement of that name. */
  const instead = {
    Q: message('Q', 'postern_has_refused_this_statement\0'),
    B: message('B', `\0postern ${randomBytes(12).toString('hex')}\0\0\0\0\0\0\0`),
    F: message('F', Buffer.alloc(10)),
  };

  function send(one: Under | null): void {
    if (underWay.length >= UNDER_WAY_MOST) throw new TooMuch('more statements than may be under way at once');
    underWay.push(one);
  }
  let waiting: AbortController | null = null;
  /** What the client is told between two messages of the server. */
  let untold: Buffer[] = [];
  function tellNow(): void {
    if (untold.length === 0 || !server.isBetween()) return;
    const told = untold;
    untold = [];
    tell(Buffer.concat(told));
  }
  /** What the statement may do, where its words tell. */
  function readable(may: readonly Facts[]): Facts {
    const read = facts && isReadable ? allOf(may) : null;
    const isOpen = read?.every(
      one =>
        one.takesUp.every(name => prepared.called(name).length === 0 && masks?.isPortal(name) !== true) &&
        (!around || around.known?.goesRound(one) === false),
    );
    return isOpen === true ? read : null;
  }
  /** Answers whether it goes on, and what is hidden in its answer. `may`: all that it may stand for. */
  function begun(executed: Executed, may: readonly Facts[]): Begun | Promise<Begun> {
    const { text, parameters } = executed;
    const read = readable(may);
    const match = facts && session.judge(read);
    const masked = masks && read && session.masked(read);
    if (match?.effect === 'ask') return asked(executed, read, masked);
    if (match?.effect === 'block') {
      send({ text, parameters, blocked: { text: match.text, state: STATE.guarded } });
      session.blocked(text, match, parameters);
      return { goesOn: false, masked: null };
    }
    send({ text, parameters, blocked: null });
    session.begun(text, match, masked, parameters);
    if (match) warnings.push(warning(STATE.warning, `Postern: ${match.text}`));
    noticed(masked);
    return { goesOn: true, masked };
  }
  function noticed(masked: Masked | null): void {
    for (const text of masked?.texts ?? []) warnings.push(notice(`Postern: ${text}`));
  }
  /** The client sends nothing more before it is decided. */
  async function asked(executed: Executed, read: Facts, masked: Masked | null): Promise<Begun> {
    const { text, isWhole, parameters } = executed;
    const mine = new AbortController();
    waiting = mine;
    const question = {
      text,
      isWhole,
      parameters,
      facts: read,
      masked,
      plan: (): Promise<Plan> =>
        isWhole ? plan(text) : Promise.resolve({ text: '', without: 'the statement is not kept whole' }),
      waits(why: string): void {
        untold.push(notice(`Postern: ${why}`));
        tellNow();
      },
    };
    const { refused, isCancelled } = await session.ask(question, mine.signal);
    waiting = null;
    const state = isCancelled ? STATE.cancelled : STATE.guarded;
    send({ text, parameters, blocked: refused === null ? null : { text: refused, state } });
    if (refused === null) noticed(masked);
    return { goesOn: refused === null, masked };
  }

  const client = waitingMessages({
    wants(type) {
      const bytes = CLIENT.get(type);
      if (bytes === undefined) throw new Malformed(`a message of type ${type}`);
      return masks && named.has(type) ? NAMES_MOST_BYTES : bytes;
    },
    holds: type => facts !== null && executes.has(type),
    on(type, body, length) {
      switch (String.fromCharCode(type)) {
        case 'Q': {
          const text = whole(textAt(body, 0)[0], length);
          return then(
            begun({ text, isWhole: length <= TEXT_MOST_BYTES }, [facts?.() ?? null]),
            ({ goesOn, masked }) => {
              underWay.push(null);
              prepared.sync();
              masks?.query(goesOn ? masked : null);
              return goesOn ? undefined : instead.Q;
            },
          );
        }
        case 'P': {
          const [name, at] = textAt(body, 0);
          const text = whole(textAt(body, at)[0], length);
          prepared.parse(name, { text, isWhole: length <= TEXT_MOST_BYTES, facts: facts?.() ?? null });
          masks?.sent({ kind: 'parse', name });
          return undefined;
        }
        case 'B': {
          const [portal, at] = textAt(body, 0);
          const [name, next] = textAt(body, at);
          const parameters = parametersAt(body, next);
          const called = prepared.called(name);
          const text = called[0]?.text ?? `execute ${JSON.stringify(name)}`;
          const known = called.filter(one => one !== null).map(one => one.facts);
          // A name that is not all here could be any.
          const may = known.length > 0 && body.includes(0, at) ? known : [null];
          const isWhole = called[0]?.isWhole === true && known.length === 1;
          return then(begun({ text, isWhole, parameters }, may), ({ goesOn, masked }) => {
            if (masks) nameAt(body, at);
            masks?.sent({ kind: 'bind', portal, statement: name, masked });
            return goesOn ? undefined : instead.B;
          });
        }
        case 'C':
        case 'D': {
          const what = String.fromCharCode(body[0] ?? 0);
          const isClose = type === byte('C');
          if (isClose) prepared.close(what === 'S' ? textAt(body, 1)[0] : null);
          masks?.sent({ kind: isClose ? 'close' : 'describe', what, name: nameAt(body, 1) });
          return undefined;
        }
        case 'E':
          masks?.sent({ kind: 'execute', portal: nameAt(body, 0) });
          return undefined;
        case 'F': {
          const oid = body.length === 4 ? body.readUInt32BE(0) : 0;
          session.note('TPG04I', { function_oid: oid });
          const match = facts && session.judge(null);
          const text = `function ${oid}`;
          const end = ({ goesOn }: Pick<Begun, 'goesOn'>): Buffer | undefined => {
            underWay.push(null);
            prepared.sync();
            masks?.sent({ kind: 'call' });
            return goesOn ? undefined : instead.F;
          };
          if (match?.effect === 'ask') return asked({ text, isWhole: false }, null, null).then(end);
          if (match?.effect === 'block') {
            session.blocked(text, match);
            underWay.push({ text, blocked: { text: match.text, state: STATE.guarded } });
          }
          return end({ goesOn: match?.effect !== 'block' });
        }
        case 'S':
          underWay.push(null);
          prepared.sync();
          masks?.sent({ kind: 'end' });
      }
      return undefined;
    },
  });
  let rows: number | null = null;
  /** Rows, or lines of a COPY, that the server has sent of the answer that goes on. */
  let passed = 0;
  session.counted(() => (passed === 0 ? rows : passed));
  let isRefused = false;
  /** The first statement of those that were sent is over. */
  function over(): void {
    const one = underWay.shift();
    if (one && one.blocked === null && !isRefused) session.answered(one.text, rows);
    rows = null;
    passed = 0;
  }

  const server = messages({
    wants(type) {
      if (type === ROW || type === COPY_DATA) passed += 1;
      return Math.max(SERVER.get(type) ?? 0, masks?.wants(String.fromCharCode(type)) ?? 0);
    },
    holds: type =>
      (type === byte('E') && ((!isRefused && underWay[0]?.blocked != null) || masks !== null)) ||
      (type === byte('D') && (masks?.wants('D') ?? 0) > 0) ||
      (type === byte('Z') && warnings.length > 0),
    on(type, body, length) {
      const other = masks?.answer(String.fromCharCode(type), body, length);
      const own = answered(type, body);
      return own ?? other;
    },
  });
  /** Tells of an answer; of what is the gateway's own, what goes on in its place. */
  function answered(type: number, body: Buffer): Buffer | undefined {
    switch (String.fromCharCode(type)) {
      case 'K':
        keyed(Buffer.from(body));
        return undefined;
      case 'S': {
        const [name, at] = textAt(body, 0);
        const readable = readableSettings[name];
        if (readable) isReadable &&= readable.test(textAt(body, at)[0]);
        return undefined;
      }
      case '1':
      case '3':
        prepared.done();
        return undefined;
      case 'E': {
        // Behind one that failed, the server reads on at the end of the group.
        const [first] = underWay;
        const isFirst = !isRefused;
        isRefused = true;
        if (!first || !isFirst) return undefined;
        const { text, isFatal } = readError(body);
        if (first.blocked !== null && !isFatal) return refusal(first.blocked.state, `Postern: ${first.blocked.text}`);
        if (first.blocked === null) session.failed(first.text, text, first.parameters);
        return undefined;
      }
      // CommandComplete, EmptyQueryResponse, PortalSuspended: a simple query may have several, and is over when the server is ready.
      case 'C':
        rows = rowsOf(body) ?? rows;
        if (underWay[1] !== null) over();
        return undefined;
      case 'I':
      case 's':
        if (underWay[1] !== null) over();
        return undefined;
      case 'Z': {
        while (underWay.length > 0 && underWay[0] !== null) over();
        underWay.shift();
        prepared.ready();
        isRefused = false;
        if (warnings.length === 0) return undefined;
        const told = warnings;
        warnings = [];
        return Buffer.concat([...told, message('Z', body)]);
      }
      default:
        return undefined;
    }
  }
  return {
    client,
    server(bytes) {
      const passed = server(bytes);
      if (untold.length === 0 || !server.isBetween()) return passed;
      const told = [passed ?? bytes, ...untold];
      untold = [];
      return Buffer.concat(told);
    },
    cancel() {
      waiting?.abort();
      return waiting !== null;
    },
  };
}

/** What comes of something that may have to be waited for. */
const then = <Value, Next>(value: Value | Promise<Value>, next: (value: Value) => Next): Next | Promise<Next> =>
  value instanceof Promise ? value.then(next) : next(value);

/** A name that a message is about. Throws TooMuch for one that is not all here: it could be taken for another. */
function nameAt(body: Buffer, at: number): string {
  if (body.indexOf(0, at) < 0) throw new TooMuch('a name that is too long');
  return textAt(body, at)[0];
}

/** How many parameters a Bind has behind its two names; undefined where its names take all that is read of it. */
function parametersAt(body: Buffer, at: number): number | undefined {
  if (at + 2 > body.length) return undefined;
  // The protocol's rule: none, one for all parameters, or one for each.
  const formats = body.readUInt16BE(at);
  if (formats > 1) return formats;
  const countAt = at + 2 + 2 * formats;
  return countAt + 2 > body.length ? undefined : body.readUInt16BE(countAt);
}

/** What several statements do; null where one of them cannot be read. */
function allOf(facts: readonly Facts[]): Facts {
  const all: StatementFacts[] = [];
  for (const one of facts) {
    if (one === null) return null;
    all.push(...one);
  }
  return all;
}

/** How many rows a command says that it was about, such as `INSERT 0 3`; null: it says nothing of them. */
function rowsOf(tag: Buffer): number | null {
  const [, rows] = /^[A-Z ]+?(?: \d+)?? (\d+)$/.exec(textAt(tag, 0)[0]) ?? [];
  return rows === undefined ? null : Number(rows);
}

/** The texts of what a client prepares and executes, in the order of their messages; null for one that is not kept whole. */
export function createTexts(on: (text: string | null) => void): (bytes: Buffer) => void {
  const texts = messages({
    wants: type => (type === byte('Q') || type === byte('P') ? (CLIENT.get(type) ?? 0) : 0),
    holds: () => false,
    on(type, body, length) {
      const at = type === byte('P') ? textAt(body, 0)[1] : 0;
      if (type === byte('Q') || type === byte('P')) on(length > TEXT_MOST_BYTES ? null : textAt(body, at)[0]);
      return undefined;
    },
  });
  return bytes => void texts(bytes);
}
