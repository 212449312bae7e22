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
const NOTHING: Buffer = Buffer.alloc(0);
/** A password in form only: the certificate counts. */
const ANY_PASSWORD = 'certificate';
/** Behind these a server goes on to speak by itself. */
const ENDLESS = /^(p|s)?subscribe$|^monitor$/i;
/** These change how it speaks, or what of. */
const OTHERWISE = /^(un|pun|sun)subscribe$|^(sync|psync|hello)$/i;

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
  if (OTHERWISE.test(words[0]?.toString() ?? ''))
    throw new StatementError(['The prompt shows one answer for each command: use redis-cli for this one.']);
  return words;
}
const isEndless = (words: readonly Buffer[]): boolean => ENDLESS.test(words[0]?.toString() ?? '');

/** One connection, which waits for one answer at a time. */
interface Wire {
  /** Rejects with what ended the connection, where it ends first. */
  ask(words: readonly (string | Buffer)[]): Promise<Value>;
  /** All that the server says from now on: no more is read before what has come was taken. Throws as `ask` rejects. */
  listen(words: readonly Buffer[]): AsyncGenerator<Value, never>;
  close(): void;
}
/** Throws StatementError. `over` hears of its end, unless `close` made it. */
async function openWire(stream: Duplex, dbUser: string, over: (why: string) => void): Promise<Wire> {
  let isWanted = true;
  let why = '';
  let hear: ((value: Value) => void) | null = null;
  stream.on('error', error => {
    why ||= error.message;
  });
  let isClosed = false;
  let wake = (): void => undefined;
  const closed = once(stream, 'close').then(() => {
    isClosed = true;
    wake();
    if (isWanted) over(why);
    throw new Error(why || 'the database hung up');
  });
  closed.catch(() => undefined);
  let piece: Buffer = NOTHING;
  /** Of an answer that has not come whole, what came before this piece. */
  let before: Buffer[] = [];
  let beforeBytes = 0;
  const read = createReplies((_error, _values, began, ended) => {
    const own = piece.subarray(Math.max(0, began), ended);
    const [value] = readValue(before.length > 0 ? Buffer.concat([...before, own]) : own, 0);
    before = [];
    beforeBytes = 0;
    hear?.(value);
  });
  stream.on('data', (come: Buffer) => {
    try {
      piece = come;
      const rest = come.subarray(Math.max(0, read(come)));
      beforeBytes += rest.length;
      if (beforeBytes > ANSWER_MOST_BYTES) throw new Error('an answer of more than 64 MB is too large for the prompt');
      if (rest.length > 0) before.push(rest);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
  const ask: Wire['ask'] = words =>
    Promise.race([
      closed,
      new Promise<Value>(done => {
        hear = value => {
          hear = null;
          done(value);
        };
        stream.write(encode(words));
      }),
    ]);
  async function* listen(words: readonly Buffer[]): AsyncGenerator<Value, never> {
    const come: Value[] = [];
    hear = value => {
      come.push(value);
      stream.pause();
      wake();
    };
    stream.write(encode(words));
    try {
      for (;;) {
        const next = come.shift();
        if (next) yield next;
        else if (isClosed) return await closed;
        else {
          const woken = new Promise<void>(done => {
            wake = done;
          });
          stream.resume();
          await woken;
        }
      }
    } finally {
      hear = null;
      stream.resume();
    }
  }
  const welcome = await ask(['AUTH', dbUser, ANY_PASSWORD]);
  if (welcome.kind === 'error') throw new StatementError([welcome.text]);
  return {
    ask,
    listen,
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
  /** Answers what was stopped on the way by a sentence. */
  async function stoppable<Result>(work: () => Promise<Result>, ended: (why: string) => Result): Promise<Result> {
    stopped = '';
    isRunning = true;
    try {
      return await work();
    } catch (error) {
      if (stopped === '') throw error;
      wire = await openWire(open(), as.dbUser, as.onEnd);
      return ended(`${stopped}. The prompt has connected anew: SELECT, MULTI and WATCH are forgotten.`);
    } finally {
      isRunning = false;
    }
  }
  async function run(text: string, rowsMost: number): Promise<Answer> {
    const words = wordsOf(text);
    if (isEndless(words))
      throw new StatementError(['It has no end: a prompt shows what comes, and so does redis-cli.']);
    const late = timeoutMs > 0 ? setTimeout(stop, timeoutMs, 'The command took longer than \\set timeout') : undefined;
    try {
      return await stoppable(
        async () => answerOf(await wire.ask(words), rowsMost),
        why => {
          throw new StatementError([why]);
        },
      );
    } finally {
      clearTimeout(late);
    }
  }
  /** What the server goes on to say, until a command could follow: the connection is another then. */
  async function follow(
    words: readonly Buffer[],
    linesMost: number,
    take: (line: string) => Promise<void>,
  ): Promise<string> {
    let lines = 0;
    return stoppable(
      async () => {
        for await (const value of wire.listen(words)) {
          if (stopped !== '') break;
          if (value.kind === 'error') throw new StatementError([value.text], value.text.split(' ', 1)[0]);
          await take(lineOf(value));
          lines += 1;
          if (lines === linesMost) stop(`Stopped after ${lines} lines (\\set rows)`);
        }
        throw new Error(stopped);
      },
      why => why,
    );
  }
  return {
    about: `Redis ${version}`.trim(),
    mark: '>',
    run,
    follow(text, linesMost, take) {
      const words = wordsOf(text);
      return isEndless(words) ? follow(words, linesMost, take) : null;
    },
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

/** A message behind its channel, anything else as it is. */
function lineOf(value: Value): string {
  const said = value.kind === 'list' ? value.values.map(textOf) : [];
  return /^[ps]?message$/.test(said[0] ?? '') ? `${said.at(-2)}: ${said.at(-1)}` : textOf(value);
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
