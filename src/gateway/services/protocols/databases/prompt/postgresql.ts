// PostgreSQL at the prompt: `pg` over the gateway's own relay, each statement through a cursor, so that no more is read than is shown.
import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg, { type CustomTypesConfig, DatabaseError } from 'pg';
import Cursor from 'pg-cursor';
import { createFrames, Malformed } from '../frames.ts';
import { CANCEL_REQUEST, request } from '../postgresql/messages.ts';
import { createPostgresql } from '../postgresql/relay.ts';
import {
  type Answer,
  type AnswerColumn,
  type AnswerRow,
  type Connecting,
  type PromptConnection,
  type PromptEngine,
  StatementError,
  type TakeRows,
} from './engine.ts';
import { postgresqlLists } from './postgresql-lists.ts';

/** Rows that are asked for at once. */
const BATCH_ROWS = 200;
/** Of one answer, so much is kept, characters: what comes behind it is left out as rows beyond the cap are. */
const ANSWER_MOST_CHARACTERS = 16 * 1024 * 1024;
/** Type and length. */
const HEAD_BYTES = 5;
/** A larger message is not taken into memory, bytes: one value of the database may have a gigabyte. */
const MESSAGE_MOST_BYTES = 64 * 1024 * 1024;
/** int2, int4, int8, oid, float4, float8, numeric, money. */
const NUMBERS = new Set([21, 23, 20, 26, 700, 701, 1700, 790]);
/** Values stay as the database writes them. */
const asText: CustomTypesConfig = { getTypeParser: () => (value: string) => value };

/** What `pg` has of a connection beside its types. */
interface Wire extends EventEmitter {
  on(event: 'parameterStatus', listener: (message: { parameterName: string; parameterValue: string }) => void): this;
  on(event: 'commandComplete', listener: (message: { text: string }) => void): this;
}

export const postgresql: PromptEngine = {
  syntax: { dollarQuotes: true, nestedComments: true },
  lists: postgresqlLists,
  hasDatabases: true,
  relay: createPostgresql,
  connect,
};

async function connect(open: () => Duplex, as: Connecting): Promise<PromptConnection> {
  const stream = open();
  // Comes before the client's own listener: what is too large never reaches it.
  const bounded = createFrames(HEAD_BYTES, {
    head(bytes, at) {
      const length = bytes.readInt32BE(at + 1) - 4;
      if (length < 0 || length > MESSAGE_MOST_BYTES)
        throw new Malformed(`a value of ${Math.round(length / 1_048_576)} MB is too large for the prompt`);
      return { length, wanted: 0 };
    },
    on: () => undefined,
  });
  stream.on('data', (bytes: Buffer) => {
    try {
      bounded(bytes);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
  const client = new pg.Client({
    stream: () => asSocket(stream),
    ssl: false,
    user: as.dbUser,
    database: as.dbName,
    client_encoding: 'UTF8',
    application_name: 'postern',
    ...(as.timeoutMs > 0 && { statement_timeout: as.timeoutMs }),
    password: () =>
      Promise.reject(
        new Error('the database asks for a password: let it take the certificate of the gateway (hostssl … cert)'),
      ),
  });
  const { connection: wire } = client as unknown as { readonly connection: Wire };
  const said = new Map<string, string>();
  let tag = '';
  wire.on('parameterStatus', ({ parameterName, parameterValue }) => void said.set(parameterName, parameterValue));
  wire.on('commandComplete', ({ text }) => {
    tag = text;
  });
  let ended = '';
  client.on('error', error => {
    ended ||= error.message;
  });
  client.on('notice', notice => as.onNotice(`${notice.severity ?? 'NOTICE'}:  ${notice.message ?? ''}`));
  client.on('end', () => as.onEnd(ended));
  try {
    await client.connect();
  } catch (error) {
    throw failed(error, '');
  }

  const opened = (text: string): Cursor<AnswerRow> => {
    tag = '';
    return client.query(new Cursor<AnswerRow>(text, undefined, { rowMode: 'array', types: asText }));
  };
  const next = (cursor: Cursor<AnswerRow>, wanted: number) =>
    new Promise<{ readonly rows: readonly AnswerRow[]; readonly columns: readonly AnswerColumn[] | undefined }>(
      (done, fail) =>
        cursor.read(wanted, (error, rows, result) => {
          if (error) return fail(error);
          const columns = result?.fields?.map(({ name, dataTypeID }) => ({ name, isNumber: NUMBERS.has(dataTypeID) }));
          done({ rows, columns });
        }),
    );
  async function read(cursor: Cursor<AnswerRow>, rowsMost: number): Promise<Answer> {
    const rows: AnswerRow[] = [];
    let characters = 0;
    let columns: readonly AnswerColumn[] = [];
    let isAll = false;
    const isFull = (): boolean => rows.length > rowsMost || characters > ANSWER_MOST_CHARACTERS;
    while (!isAll && !isFull()) {
      // One more than is shown says whether there are more.
      const wanted = Math.min(BATCH_ROWS, rowsMost + 1 - rows.length);
      const { rows: batch, columns: named } = await next(cursor, wanted);
      columns = named ?? columns;
      isAll = batch.length < wanted;
      rows.push(...batch);
      for (const row of batch) for (const value of row) characters += value?.length ?? 0;
    }
    return {
      columns,
      rows: rows.slice(0, rowsMost),
      hasMore: !isAll || rows.length > rowsMost,
      tag: isAll ? tag : '',
    };
  }
  async function run(text: string, rowsMost: number): Promise<Answer> {
    const cursor = opened(text);
    try {
      const answer = await read(cursor, rowsMost);
      await cursor.close();
      return answer;
    } catch (error) {
      throw failed(error, text);
    }
  }
  async function exportAll(text: string, take: TakeRows): Promise<string> {
    const cursor = opened(text);
    try {
      for (let columns: readonly AnswerColumn[] = []; ; ) {
        const { rows, columns: named } = await next(cursor, BATCH_ROWS);
        columns = named ?? columns;
        await take(columns, rows);
        if (rows.length < BATCH_ROWS) break;
      }
    } catch (error) {
      // Where it was the taker who failed, the rest of the answer is not wanted.
      await cursor.close().catch(() => undefined);
      throw failed(error, text);
    }
    await cursor.close();
    return tag;
  }
  return {
    get about() {
      return `PostgreSQL ${said.get('server_version') ?? ''}`.trim();
    },
    get mark() {
      const open = { I: '=', T: '=*', E: '=!' }[client.getTransactionStatus() ?? 'I'];
      return `${open}${said.get('is_superuser') === 'on' ? '#' : '>'}`;
    },
    run,
    export: exportAll,
    limitTime: async ms => void (await run(`set statement_timeout = ${Math.round(ms)}`, 0)),
    cancel: () => void open().end(request(CANCEL_REQUEST, keyOf(client))),
    close: () => void client.end().catch(() => stream.destroy()),
  };
}

/** The database's own words, with the place in the statement; what is no answer of the database stays as it is. */
function failed(error: unknown, text: string): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const { severity = 'ERROR', message, detail, hint, position } = error;
  const at = Number(position ?? 0) - 1;
  return new StatementError(
    [
      `${severity}:  ${message}`,
      ...(at >= 0 && text !== '' ? pointed(text, at) : []),
      ...(detail ? [`DETAIL:  ${detail}`] : []),
      ...(hint ? [`HINT:  ${hint}`] : []),
    ],
    error.code,
  );
}

/** The line of a statement, and a caret below the place. `at` counts characters. */
function pointed(text: string, at: number): readonly string[] {
  const before = Array.from(text).slice(0, at).join('');
  const lines = text.split('\n');
  const nth = before.split('\n').length;
  const head = `LINE ${nth}: `;
  return [`${head}${lines[nth - 1] ?? ''}`, `${' '.repeat(head.length + (before.split('\n').at(-1)?.length ?? 0))}^`];
}

/** The key that the server has given this client for cancelling. */
function keyOf(client: pg.Client): Buffer {
  const { processID, secretKey } = client as unknown as { readonly processID: number; readonly secretKey: number };
  const key = Buffer.alloc(8);
  key.writeInt32BE(processID, 0);
  key.writeInt32BE(secretKey, 4);
  return key;
}

/** What `pg` asks of a socket and a pair of streams has not. */
function asSocket(stream: Duplex): Duplex {
  return Object.assign(stream, {
    connect() {
      queueMicrotask(() => stream.emit('connect'));
      return stream;
    },
    setNoDelay: () => stream,
    setKeepAlive: () => stream,
    ref: () => stream,
    unref: () => stream,
  });
}
