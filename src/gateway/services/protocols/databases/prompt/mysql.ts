// MySQL and MariaDB at the prompt: a client of the text protocol over the gateway's own relay, which keeps no more than is shown.
import type { Duplex } from 'node:stream';
import { createFrames, Malformed } from '../frames.ts';
import {
  EOF,
  ERROR,
  errorText,
  HEAD_BYTES,
  numberAt,
  OK,
  PROMPT_CAPABILITIES,
  packet,
  readGreeting,
  readPacket,
  writeLogin,
} from '../mysql/messages.ts';
import { createMysql } from '../mysql/relay.ts';
import { readOk } from '../mysql/responses.ts';
import {
  type Answer,
  type AnswerColumn,
  type AnswerRow,
  type Connecting,
  type PromptConnection,
  type PromptEngine,
  StatementError,
} from './engine.ts';
import { mysqlLists } from './mysql-lists.ts';

/** utf8mb4_general_ci; and that of bytes which are no text. */
const UTF8 = 45;
const BINARY = 63;
const QUERY = 3;
const QUIT = Buffer.from([1]);
/** A row may begin as an end does, but is longer then, bytes. */
const EOF_MOST_BYTES = 9;
const SPLIT_BYTES = 0xffffff;
const NULL_VALUE = 0xfb;
const MORE_RESULTS = 8;
const IN_TRANSACTION = 1;
/** A larger row is not taken into memory, bytes. */
const ROW_MOST_BYTES = 64 * 1024 * 1024;
/** Of one answer, so much is kept, characters: what comes behind it is left out as rows beyond the cap are. */
const ANSWER_MOST_CHARACTERS = 16 * 1024 * 1024;
/** Of an export, so much is handed on at once. */
const BATCH_ROWS = 200;
const BATCH_MOST_CHARACTERS = 1024 * 1024;
/** Types of columns, as the protocol numbers them: numbers; and texts or bytes, by their character set. */
const NUMBERS = new Set([0, 1, 2, 3, 4, 5, 8, 9, 13, 246]);
const TEXTS = new Set([15, 249, 250, 251, 252, 253, 254, 255]);

export const mysql: PromptEngine = {
  syntax: { backslashes: true, backticks: true, hashComments: true },
  lists: mysqlLists,
  hasDatabases: true,
  relay: createMysql,
  connect,
};

/** The log-in. Answers the connection's number, by which its statements are stopped. Throws StatementError. */
async function logIn(stream: Duplex, { dbUser, dbName }: Connecting): Promise<number> {
  const { thread } = readGreeting((await readPacket(stream)).body);
  const login = { capabilities: PROMPT_CAPABILITIES, charset: UTF8, user: dbUser, database: dbName };
  stream.write(writeLogin({ ...login, attributes: Buffer.alloc(0) })[1]);
  const { body } = await readPacket(stream);
  if (body[0] === ERROR) throw new StatementError([errorText(body)]);
  if (body[0] !== OK) throw new Malformed('a log-in that is not answered');
  return thread;
}

async function connect(open: () => Duplex, as: Connecting): Promise<PromptConnection> {
  const stream = open();
  let ended = '';
  let reader: ReturnType<typeof createReader> | null = null;
  stream.on('error', error => {
    ended ||= error.message;
  });
  const thread = await logIn(stream, as);
  stream.once('close', () => as.onEnd(ended));
  const read = packets(body => {
    const now = reader;
    if (now === null) throw new Malformed('an answer to nothing');
    // What is over is forgotten first: who waited for it may ask the next.
    if (now.take(body)) reader = null;
  });
  stream.on('data', (bytes: Buffer) => {
    try {
      read(bytes);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
  let status = 0;
  const ask = (text: string, rowsMost: number, batch?: Heard['batch']): Promise<Answer> =>
    new Promise((done, fail) => {
      reader = createReader(rowsMost, { done, fail, status: now => (status = now), ...(batch && { batch }) });
      stream.write(packet(0, Buffer.concat([Buffer.from([QUERY]), Buffer.from(text)])));
    });
  const version = (await ask('select version()', 1)).rows[0]?.[0] ?? '';
  const isMariadb = /mariadb/i.test(version);
  const limitTime = async (ms: number): Promise<void> => {
    const limit = isMariadb ? `max_statement_time = ${ms / 1000}` : `max_execution_time = ${Math.round(ms)}`;
    await ask(`set session ${limit}`, 0);
  };
  await limitTime(as.timeoutMs);
  let limit = 0;
  return {
    about: `${isMariadb ? 'MariaDB' : 'MySQL'} ${version.replace(/-.*/, '')}`,
    get mark() {
      return (status & IN_TRANSACTION) === 0 ? '=>' : '=*>';
    },
    async run(text, rowsMost) {
      // One more than is shown says whether there are more; what names a limit of its own is cut here.
      if (limit !== rowsMost + 1) await ask(`set session sql_select_limit = ${rowsMost + 1}`, 0);
      limit = rowsMost + 1;
      return ask(text.replace(/;\s*$/, ''), rowsMost);
    },
    async export(text, take) {
      if (limit !== 0) await ask('set session sql_select_limit = default', 0);
      limit = 0;
      let failure: unknown;
      let taking = Promise.resolve();
      const { tag } = await ask(text.replace(/;\s*$/, ''), Number.POSITIVE_INFINITY, (columns, rows) => {
        if (failure !== undefined) return;
        stream.pause();
        taking = taking
          .then(() => (failure === undefined ? take(columns, rows) : undefined))
          .catch((error: unknown) => {
            failure ??= error;
            // The rest of the answer is not wanted.
            void kill(open(), as, thread);
          })
          .finally(() => stream.resume());
      }).catch((error: unknown) => {
        throw failure ?? error;
      });
      await taking;
      if (failure !== undefined) throw failure;
      return tag;
    },
    limitTime,
    cancel: () => void kill(open(), as, thread),
    close() {
      stream.end(packet(0, QUIT));
      stream.resume();
    },
  };
}

/** Stops the statement of a connection from another one. Nobody waits for it: the statement's own answer says what came of it. */
async function kill(stream: Duplex, as: Connecting, thread: number): Promise<void> {
  try {
    await logIn(stream, as);
    stream.write(packet(0, Buffer.from(`\x03kill query ${thread}`)));
    await readPacket(stream);
    stream.end(packet(0, QUIT));
  } catch {
    stream.destroy();
  }
}

/** Packets, those of one row joined. Throws Malformed for one that is too large. */
function packets(on: (body: Buffer) => void): (chunk: Buffer) => void {
  let length = 0;
  let goesOn = false;
  let parts: Buffer[] = [];
  return createFrames(HEAD_BYTES, {
    head(head, at) {
      const part = head.readUIntLE(at, 3);
      length += part;
      if (length > ROW_MOST_BYTES) throw new Malformed('a row of more than 64 MB is too large for the prompt');
      goesOn = part === SPLIT_BYTES;
      return { length: part, wanted: part };
    },
    on(body) {
      if (goesOn) parts.push(Buffer.from(body));
      if (goesOn) return;
      length = 0;
      const whole = parts.length === 0 ? body : Buffer.concat([...parts, body]);
      parts = [];
      on(whole);
    },
  });
}

interface Column extends AnswerColumn {
  readonly isBinary: boolean;
}
interface Heard {
  done(answer: Answer): void;
  fail(error: unknown): void;
  status(flags: number): void;
  /** Hears of rows some at a time, in place of the answer that would hold them all. */
  batch?(columns: readonly AnswerColumn[], rows: readonly AnswerRow[]): void;
}
/** Reads the answer to one statement; `take` says whether that was all of it. Of several answers the last with rows counts. */
function createReader(rowsMost: number, heard: Heard): { take(body: Buffer): boolean } {
  let stage: 'first' | 'columns' | 'rows' = 'first';
  let columns: Column[] = [];
  let rows: AnswerRow[] = [];
  let characters = 0;
  let hasMore = false;
  let tag = '';
  function handOn(): void {
    heard.batch?.(columns, rows);
    rows = [];
    characters = 0;
  }
  function over(status: number): boolean {
    heard.status(status);
    if (heard.batch && stage === 'rows') handOn();
    stage = 'first';
    if ((status & MORE_RESULTS) !== 0) return false;
    heard.done({ columns, rows, hasMore, tag: columns.length > 0 ? '' : tag });
    return true;
  }
  return {
    take(body) {
      if (body[0] === ERROR) {
        heard.fail(
          new StatementError([`ERROR ${body.readUInt16LE(1)}:  ${errorText(body)}`], String(body.readUInt16LE(1))),
        );
        return true;
      }
      const isEnd = body[0] === EOF && body.length < EOF_MOST_BYTES;
      if (stage === 'first') {
        if (body[0] === OK) {
          const { changed, status } = readOk(body);
          tag = `OK, ${changed} ${changed === 1 ? 'row' : 'rows'} affected`;
          return over(status);
        }
        stage = 'columns';
        columns = [];
        rows = [];
        return false;
      }
      if (stage === 'columns') {
        if (isEnd) stage = 'rows';
        else columns.push(columnOf(body));
        return false;
      }
      if (isEnd) return over(body.readUInt16LE(3));
      if (rows.length >= rowsMost || characters > ANSWER_MOST_CHARACTERS) hasMore = true;
      else {
        const row = rowOf(body, columns);
        for (const value of row) characters += value?.length ?? 0;
        rows.push(row);
        if (heard.batch && (rows.length >= BATCH_ROWS || characters > BATCH_MOST_CHARACTERS)) handOn();
      }
      return false;
    },
  };
}

/** A text with its length before it, and where the next field begins. */
function bytesAt(body: Buffer, at: number): readonly [Buffer, number] {
  const [length, from] = numberAt(body, at);
  if (from + length > body.length) throw new Malformed('a text that is cut off');
  return [body.subarray(from, from + length), from + length];
}
function columnOf(body: Buffer): Column {
  let at = 0;
  let name: Buffer = Buffer.alloc(0);
  // Catalogue, schema, table, its own name, and the column's name; its own name comes behind.
  for (let field = 0; field < 5; field++) [name, at] = bytesAt(body, at);
  [, at] = bytesAt(body, at);
  const type = body[at + 7] ?? 0;
  const isBinary = body.readUInt16LE(at + 1) === BINARY && TEXTS.has(type);
  return { name: name.toString(), isNumber: NUMBERS.has(type), isBinary };
}
function rowOf(body: Buffer, columns: readonly Column[]): AnswerRow {
  let at = 0;
  return columns.map(({ isBinary }) => {
    if (body[at] === NULL_VALUE) {
      at += 1;
      return null;
    }
    const [value, next] = bytesAt(body, at);
    at = next;
    return isBinary ? `0x${value.toString('hex')}` : value.toString();
  });
}
