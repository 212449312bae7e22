// Redis at the prompt: one command a line, over the gateway's own relay.
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { createCommands, encode } from '../redis/commands.ts';
import { createRedis } from '../redis/relay.ts';
import { createReplies } from '../redis/replies.ts';
import {
  type Answer,
  type Connecting,
  type ListCommand,
  type PromptConnection,
  type PromptEngine,
  StatementError,
} from './engine.ts';
import { readValue, textOf, type Value } from './redis-values.ts';

/** A larger answer is not taken into memory, bytes. */
const ANSWER_MOST_BYTES = 64 * 1024 * 1024;
/** A password in form only: the certificate counts. */
const ANY_PASSWORD = 'certificate';
/** Behind these a server speaks by itself, which a prompt that waits for one answer does not show. */
const ENDLESS = /^(p|s|un|pun|sun)?subscribe$|^(monitor|sync|psync|hello)$/i;

const list = (name: string, argument: string, does: string, text: (given: string) => string): ListCommand => ({
  name,
  argument,
  does,
  statements: given => [{ title: does, text: text(given) }],
});
export const redis: PromptEngine = {
  syntax: { isLine: true },
  lists: [
    list('d', '[PATTERN]', 'keys', given => `SCAN 0 MATCH ${JSON.stringify(given || '*')} COUNT 1000`),
    list('du', '', 'what you may do here', () => 'ACL WHOAMI'),
    list('l', '', 'databases that hold keys', () => 'INFO keyspace'),
  ],
  hasDatabases: false,
  relay: createRedis,
  connect,
};

/** The words of a line, as the server takes them. Throws StatementError. */
function wordsOf(line: string): readonly Buffer[] {
  const found: (readonly Buffer[])[] = [];
  try {
    createCommands(({ words }) => void found.push(words))(Buffer.from(`${line.replaceAll(/[\r\n]+/g, ' ')}\r\n`));
  } catch (error) {
    throw new StatementError([error instanceof Error ? error.message : String(error)]);
  }
  const [words = []] = found;
  if (ENDLESS.test(words[0]?.toString() ?? ''))
    throw new StatementError(['The prompt shows one answer for each command: use redis-cli for this one.']);
  return words;
}

/** One connection, which waits for one answer at a time. */
interface Wire {
  /** Rejects with what ended the connection, where it ends first. */
  ask(words: readonly (string | Buffer)[]): Promise<Value>;
  close(): void;
}
/** Throws StatementError. `over` hears of its end, unless `close` made it. */
async function openWire(stream: Duplex, dbUser: string, over: (why: string) => void): Promise<Wire> {
  let isWanted = true;
  let why = '';
  let answered: ((value: Value) => void) | null = null;
  let pieces: Buffer[] = [];
  let bytes = 0;
  stream.on('error', error => {
    why ||= error.message;
  });
  const closed = once(stream, 'close').then(() => {
    if (isWanted) over(why);
    throw new Error(why || 'the database hung up');
  });
  closed.catch(() => undefined);
  const read = createReplies(() => {
    const tell = answered;
    const [value] = readValue(Buffer.concat(pieces), 0);
    answered = null;
    pieces = [];
    bytes = 0;
    tell?.(value);
  });
  stream.on('data', (piece: Buffer) => {
    try {
      bytes += piece.length;
      if (bytes > ANSWER_MOST_BYTES) throw new Error('an answer of more than 64 MB is too large for the prompt');
      pieces.push(piece);
      read(piece);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
  const ask: Wire['ask'] = words =>
    Promise.race([
      closed,
      new Promise<Value>(done => {
        answered = done;
        stream.write(encode(words));
      }),
    ]);
  const welcome = await ask(['AUTH', dbUser, ANY_PASSWORD]);
  if (welcome.kind === 'error') throw new StatementError([welcome.text]);
  return {
    ask,
    close() {
      isWanted = false;
      stream.destroy();
    },
  };
}

async function connect(open: () => Duplex, as: Connecting): Promise<PromptConnection> {
  let wire = await openWire(open(), as.dbUser, as.onEnd);
  const [, version = ''] = /redis_version:(\S+)/.exec(textOf(await wire.ask(['INFO', 'server']))) ?? [];
  let { timeoutMs } = as;
  let isRunning = false;
  let stopped = '';
  /** A command that waits ends with its connection: to stop it by another command, few people have the right. */
  const stop = (why: string): void => {
    if (!isRunning) return;
    stopped = why;
    wire.close();
  };
  async function run(text: string, rowsMost: number): Promise<Answer> {
    const words = wordsOf(text);
    stopped = '';
    isRunning = true;
    const late = timeoutMs > 0 ? setTimeout(stop, timeoutMs, 'The command took longer than \\set timeout') : undefined;
    try {
      return answerOf(await wire.ask(words), rowsMost);
    } catch (error) {
      if (stopped === '') throw error;
      wire = await openWire(open(), as.dbUser, as.onEnd);
      throw new StatementError([`${stopped}. The prompt has connected anew: SELECT, MULTI and WATCH are forgotten.`]);
    } finally {
      isRunning = false;
      clearTimeout(late);
    }
  }
  return {
    about: `Redis ${version}`.trim(),
    mark: '>',
    run,
    async export(text, take) {
      const { columns, rows, tag } = await run(text, Number.POSITIVE_INFINITY);
      if (columns.length > 0) await take(columns, rows);
      else await take([{ name: 'value', isNumber: false }], [[tag]]);
      return '';
    },
    limitTime: async ms => {
      timeoutMs = ms;
    },
    cancel: () => stop('The command was stopped'),
    close: () => wire.close(),
  };
}

/** A list has a row for each value, a text of several lines one for each line; what is one value is said as it is. */
function answerOf(value: Value, rowsMost: number): Answer {
  if (value.kind === 'error') throw new StatementError([value.text], value.text.split(' ', 1)[0]);
  const rows =
    value.kind === 'list'
      ? value.values.map((one, at) => [String(at + 1), one.kind === 'nil' ? null : textOf(one)])
      : value.kind === 'text' && value.text.includes('\n')
        ? value.text
            .trimEnd()
            .split(/\r?\n/)
            .map((line, at) => [String(at + 1), line])
        : null;
  if (rows === null) return { columns: [], rows: [], hasMore: false, tag: textOf(value) };
  const columns = [
    { name: '#', isNumber: true },
    { name: 'value', isNumber: false },
  ];
  return { columns, rows: rows.slice(0, rowsMost), hasMore: rows.length > rowsMost, tag: '' };
}
