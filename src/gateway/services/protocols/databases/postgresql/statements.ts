// What a PostgreSQL client does, read from the messages that pass: each statement once, when it is executed, and what became of it.
import type { Statements } from '../../../../ports.ts';
import type { Tap } from '../../pump.ts';
import { createFrames, Malformed, TEXT_MOST_BYTES, TooMuch, textAt, whole } from '../frames.ts';
import { errorText } from './messages.ts';

const HEAD_BYTES = 5;
/** The protocol's own bound of a message, bytes. */
const MESSAGE_MOST_BYTES = 0x3fffffff;
const NAMES_MOST_BYTES = 512;
const ERROR_MOST_BYTES = 4096;
const KEY_MOST_BYTES = 512;
const TAG_MOST_BYTES = 64;
/** Of all prepared statements of one session. */
const PREPARED_MOST = 10_000;
const PREPARED_MOST_CHARACTERS = 16 * 1024 * 1024;
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
]);

export interface StatementTaps {
  /** Throw Malformed and TooMuch: the bytes must not go on. */
  readonly client: Tap;
  readonly server: Tap;
}

/** `keyed` hears the key by which the running statement can be cancelled. */
export function createStatementTaps(session: Statements, keyed: (key: Buffer) => void): StatementTaps {
  const prepared = new Map<string, string>();
  let characters = 0;
  /** Sent and not answered: a statement's text, or null for the end of a group (Sync), which the server answers by being ready. */
  const underWay: (string | null)[] = [];

  function forget(name: string): void {
    characters -= prepared.get(name)?.length ?? 0;
    prepared.delete(name);
  }
  function prepare(name: string, text: string): void {
    forget(name);
    prepared.set(name, text);
    characters += text.length;
    if (prepared.size > PREPARED_MOST || characters > PREPARED_MOST_CHARACTERS)
      throw new TooMuch('more prepared statements than one session may have');
  }
  function begun(text: string): void {
    if (underWay.length >= UNDER_WAY_MOST) throw new TooMuch('more statements than may be under way at once');
    session.begun(text);
    underWay.push(text);
  }

  const client = messages({
    wants(type) {
      const bytes = CLIENT.get(type);
      if (bytes === undefined) throw new Malformed(`a message of type ${type}`);
      return bytes;
    },
    on(type, body, length) {
      switch (String.fromCharCode(type)) {
        case 'Q':
          begun(whole(textAt(body, 0)[0], length));
          underWay.push(null);
          return;
        case 'P': {
          const [name, at] = textAt(body, 0);
          prepare(name, whole(textAt(body, at)[0], length));
          return;
        }
        case 'B': {
          const [, at] = textAt(body, 0);
          const [name] = textAt(body, at);
          begun(prepared.get(name) ?? `execute ${JSON.stringify(name)}`);
          return;
        }
        case 'C':
          if (body[0] === byte('S')) forget(textAt(body, 1)[0]);
          return;
        case 'F':
          session.note('TPG04I', { function_oid: body.length === 4 ? body.readUInt32BE(0) : 0 });
          underWay.push(null);
          return;
        case 'S':
          underWay.push(null);
      }
    },
  });
  let rows: number | null = null;
  let isRefused = false;
  /** The first statement of those that were sent is over. */
  function over(): void {
    const text = underWay.shift();
    if (typeof text === 'string' && !isRefused) session.answered(text, rows);
    rows = null;
  }

  const server = messages({
    wants: type => SERVER.get(type) ?? 0,
    on(type, body) {
      switch (String.fromCharCode(type)) {
        case 'K':
          keyed(Buffer.from(body));
          return;
        case 'E': {
          // Behind one that failed, the server reads on at the end of the group.
          const [text] = underWay;
          if (typeof text === 'string' && !isRefused) session.failed(text, errorText(body));
          isRefused = true;
          return;
        }
        // CommandComplete, EmptyQueryResponse, PortalSuspended: a simple query may have several, and is over when the server is ready.
        case 'C':
          rows = rowsOf(body) ?? rows;
          if (underWay[1] !== null) over();
          return;
        case 'I':
        case 's':
          if (underWay[1] !== null) over();
          return;
        case 'Z':
          while (underWay.length > 0 && underWay[0] !== null) over();
          underWay.shift();
          isRefused = false;
      }
    },
  });
  return { client, server };
}

/** How many rows a command says that it was about, such as `INSERT 0 3`; null: it says nothing of them. */
function rowsOf(tag: Buffer): number | null {
  const [, rows] = /^[A-Z ]+?(?: \d+)?? (\d+)$/.exec(textAt(tag, 0)[0]) ?? [];
  return rows === undefined ? null : Number(rows);
}

interface MessageTap {
  /** How much of the body of this type is wanted, bytes. Throws Malformed for a type that there is not. */
  wants(type: number): number;
  /** `body` holds at most what was wanted; `length` is that of the whole. */
  on(type: number, body: Buffer, length: number): void;
}
/** Messages: type, 32-bit length that counts itself, body. */
function messages(tap: MessageTap): Tap {
  let type = 0;
  let length = 0;
  const frames = createFrames(HEAD_BYTES, {
    head(bytes) {
      type = bytes.readUInt8(0);
      length = bytes.readInt32BE(1) - 4;
      if (length < 0 || length > MESSAGE_MOST_BYTES) throw new Malformed(`a message of ${length} bytes`);
      return { length, wanted: tap.wants(type) };
    },
    on: body => tap.on(type, body, length),
  });
  return bytes => {
    frames(bytes);
    return undefined;
  };
}
