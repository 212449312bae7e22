// What a PostgreSQL client does, read from the messages that pass: each statement once, when it is executed, and what became of it.
import { randomBytes } from 'node:crypto';
import type { StatementFacts, Statements } from '../../../../ports.ts';
import type { Tap } from '../../pump.ts';
import { createFrames, Malformed, TEXT_MOST_BYTES, TooMuch, textAt, whole } from '../frames.ts';
import type { Facts } from './facts.ts';
import { message, readError, refusal, STATE, warning } from './messages.ts';
import { createPreparedNames } from './prepared.ts';

const HEAD_BYTES = 5;
/** The protocol's own bound of a message, bytes. */
const MESSAGE_MOST_BYTES = 0x3fffffff;
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
/** What executes something: it is held until guards have been asked. */
const executes = new Set(['Q', 'B', 'F'].map(byte));
/** Settings under which texts are read as the grammar reads them. */
const readableSettings: Readonly<Record<string, RegExp>> = {
  standard_conforming_strings: /^on$/,
  client_encoding: /^(UTF8|SQL_ASCII|LATIN\d+|WIN\d+|ISO_8859_\d)$/i,
};

export interface StatementTaps {
  /** Throw Malformed and TooMuch: the bytes must not go on. */
  readonly client: Tap;
  readonly server: Tap;
}

interface Prepared {
  readonly text: string;
  readonly facts: Facts;
}
/** A statement that was sent. `blocked`: the server got something in its place that it refuses, and the client is told this. */
interface Under {
  readonly text: string;
  readonly blocked: string | null;
}
export interface TapPorts {
  /** Hears the key by which the running statement can be cancelled. */
  keyed(key: Buffer): void;
  /** What the next text does: asked once for each that the client prepares or executes. Null: guards are not asked in this session. */
  readonly facts: (() => Facts) | null;
}

export function createStatementTaps(session: Statements, { keyed, facts }: TapPorts): StatementTaps {
  const prepared = createPreparedNames<Prepared>(({ text }) => text.length);
  /** Sent and not answered; null for the end of a group (Sync), which the server answers by being ready. */
  const underWay: (Under | null)[] = [];
  /** What the client is told once the group is over. */
  let warnings: string[] = [];
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
  /** Answers whether it goes on. `may`: all that it may stand for. */
  function begun(text: string, may: readonly Facts[]): boolean {
    const verdict = facts && session.judge(isReadable ? allOf(may) : null);
    if (verdict?.effect === 'block') {
      send({ text, blocked: verdict.text });
      session.blocked(text, verdict);
      return false;
    }
    send({ text, blocked: null });
    session.begun(text, verdict);
    if (verdict) warnings.push(verdict.text);
    return true;
  }

  const client = messages({
    wants(type) {
      const bytes = CLIENT.get(type);
      if (bytes === undefined) throw new Malformed(`a message of type ${type}`);
      return bytes;
    },
    holds: type => facts !== null && executes.has(type),
    on(type, body, length) {
      switch (String.fromCharCode(type)) {
        case 'Q': {
          const text = whole(textAt(body, 0)[0], length);
          const goesOn = begun(text, [facts?.() ?? null]);
          underWay.push(null);
          prepared.sync();
          return goesOn ? undefined : instead.Q;
        }
        case 'P': {
          const [name, at] = textAt(body, 0);
          const text = whole(textAt(body, at)[0], length);
          prepared.parse(name, { text, facts: facts?.() ?? null });
          return undefined;
        }
        case 'B': {
          const [, at] = textAt(body, 0);
          const [name] = textAt(body, at);
          const called = prepared.called(name);
          const text = called[0]?.text ?? `execute ${JSON.stringify(name)}`;
          const known = called.filter(one => one !== null).map(one => one.facts);
          // A name that is not all here could be any.
          const may = known.length > 0 && body.includes(0, at) ? known : [null];
          return begun(text, may) ? undefined : instead.B;
        }
        case 'C':
          prepared.close(body[0] === byte('S') ? textAt(body, 1)[0] : null);
          return undefined;
        case 'F': {
          const oid = body.length === 4 ? body.readUInt32BE(0) : 0;
          session.note('TPG04I', { function_oid: oid });
          const verdict = facts && session.judge(null);
          const text = `function ${oid}`;
          if (verdict?.effect === 'block') {
            session.blocked(text, verdict);
            underWay.push({ text, blocked: verdict.text });
          }
          underWay.push(null);
          prepared.sync();
          return verdict?.effect === 'block' ? instead.F : undefined;
        }
        case 'S':
          underWay.push(null);
          prepared.sync();
      }
      return undefined;
    },
  });
  let rows: number | null = null;
  let isRefused = false;
  /** The first statement of those that were sent is over. */
  function over(): void {
    const one = underWay.shift();
    if (one && one.blocked === null && !isRefused) session.answered(one.text, rows);
    rows = null;
  }

  const server = messages({
    wants: type => SERVER.get(type) ?? 0,
    holds: type =>
      (type === byte('E') && !isRefused && typeof underWay[0]?.blocked === 'string') ||
      (type === byte('Z') && warnings.length > 0),
    on(type, body) {
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
          if (first.blocked !== null && !isFatal) return refusal(STATE.guarded, `Postern: ${first.blocked}`);
          if (first.blocked === null) session.failed(first.text, text);
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
          const told = warnings.map(text => warning(STATE.warning, `Postern: ${text}`));
          warnings = [];
          return Buffer.concat([...told, message('Z', body)]);
        }
      }
      return undefined;
    },
  });
  return { client, server };
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

interface MessageTap {
  /** How much of the body of this type is wanted, bytes. Throws Malformed for a type that there is not. */
  wants(type: number): number;
  /** Whether a message of this type waits until it was read. */
  holds(type: number): boolean;
  /** `body` holds at most what was wanted; `length` is that of the whole. Answers what goes on in the place of one that is held. */
  on(type: number, body: Buffer, length: number): Buffer | undefined;
}
/** Messages: type, 32-bit length that counts itself, body. */
function messages(tap: MessageTap): Tap {
  let type = 0;
  let length = 0;
  return createFrames(HEAD_BYTES, {
    head(bytes) {
      type = bytes.readUInt8(0);
      length = bytes.readInt32BE(1) - 4;
      if (length < 0 || length > MESSAGE_MOST_BYTES) throw new Malformed(`a message of ${length} bytes`);
      return { length, wanted: tap.wants(type), isHeld: tap.holds(type) };
    },
    on: body => tap.on(type, body, length),
  });
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
