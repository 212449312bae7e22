// What a Redis client does, read from the commands that pass: each once, and whether the server refused it.
import type { Plan, Statements } from '../../../../ports/databases.ts';
import { Held, type Passed, type Tap, type WaitingTap } from '../../pump.ts';
import { TEXT_MOST_BYTES, TooMuch, whole } from '../frames.ts';
import { Refused } from '../relay.ts';
import { type Command, createCommands, encode } from './commands.ts';
import { factsOf } from './keys.ts';
import { createReplies } from './replies.ts';

/** Commands that a client may send before it reads an answer, and characters of them. */
const UNDER_WAY_MOST = 100_000;
const UNDER_WAY_MOST_CHARACTERS = 16 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);
/** A command is held until it was judged, bytes. */
const HELD_MOST_BYTES = 64 * 1024 * 1024;
/** What the server gets in the place of a command that a guard keeps from it: none that it knows, which also undoes a transaction. */
const INSTEAD = encode(['postern.has.refused.this.command']);
const NO_PLAN: Plan = { text: '', without: 'Redis makes no plans' };

/** Their words hold passwords. */
const secret = new Set(['AUTH', 'HELLO', 'ACL', 'CONFIG', 'MIGRATE']);
/** Behind these, answers come as they like. */
const unordered = new Set([
  'SUBSCRIBE',
  'PSUBSCRIBE',
  'SSUBSCRIBE',
  'UNSUBSCRIBE',
  'PUNSUBSCRIBE',
  'SUNSUBSCRIBE',
  'MONITOR',
]);
const refusals = new Map([
  ['AUTH', 'who you are, your certificate has said: AUTH is for the first command of a connection'],
  ['RESET', 'it would sign out of the database: open another connection'],
  ['SYNC', 'replication is not for clients of the gateway'],
  ['PSYNC', 'replication is not for clients of the gateway'],
  ['REPLCONF', 'replication is not for clients of the gateway'],
]);

export const nameOf = ({ words }: Command): string => words[0]?.toString('latin1', 0, 64).toUpperCase() ?? '';
export const refusal = (why: string): Buffer => Buffer.from(`-NOPERM Postern: ${why.replaceAll(/[\r\n]+/g, ' ')}\r\n`);

/** A command as people would type it, without what is secret in it. */
function textOf(command: Command): string {
  const name = nameOf(command);
  if (secret.has(name)) return command.words.length > 1 ? `${name} …` : name;
  return whole(command.words.map(typed).join(' '), command.length);
}
/** A word as people type it, in quotes where it needs them. */
export function typed(word: Buffer): string {
  const text = word.toString('utf8');
  if (/^[!#-&(-[\]-~]+$/.test(text)) return text;
  // Bytes that are no text are written as the server writes them.
  const isText = !text.includes('\ufffd');
  const escaped = (isText ? text : word.toString('latin1')).replaceAll(/["\\]/g, '\\$&');
  return `"${escaped.replaceAll(isText ? /[\0-\x1f\x7f]/g : /[^ -~]/g, one => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;
}

interface Under {
  readonly text: string;
  /** The server got something in its place: the client is told this. */
  readonly blocked: string | null;
}
/** `answer` answers the client in the server's place. */
export function createStatementTaps(
  session: Statements,
  answer: (bytes: Buffer) => void,
): { readonly client: WaitingTap; readonly server: Tap } {
  const isGuarded = session.isGuarded;
  let underWay: Under[] = [];
  let characters = 0;
  let answersInOrder = true;
  let last = '';
  let seen = 0;
  let read = 0;
  let piece: Buffer = NOTHING;
  let instead: Buffer | undefined;

  function send(text: string, blocked: string | null = null): void {
    if (!answersInOrder) return;
    underWay.push({ text, blocked });
    characters += text.length;
    if (underWay.length > UNDER_WAY_MOST || characters > UNDER_WAY_MOST_CHARACTERS)
      throw new TooMuch('more commands than may be under way at once');
  }
  function sent(text: string, name: string): void {
    last = text;
    if (unordered.has(name) || /^CLIENT REPLY/i.test(text)) {
      answersInOrder = false;
      underWay = [];
      characters = 0;
    }
    send(text);
  }
  function refusedOf(command: Command): string | undefined {
    const name = nameOf(command);
    const names =
      name === 'HELLO' && command.words.some(word => word.toString('latin1', 0, 8).toUpperCase() === 'AUTH');
    return refusals.get(names ? 'AUTH' : name);
  }
  function block(text: string, why: string): Buffer {
    // Only where answers come in order is it known which is this one's.
    if (!answersInOrder) throw new Refused(why);
    send(text, why);
    return INSTEAD;
  }
  /** What goes on in the place of a command where guards are asked; undefined: itself. */
  function judged(command: Command): Buffer | undefined | Promise<Buffer | undefined> {
    const [name, text, why] = [nameOf(command), textOf(command), refusedOf(command)];
    if (why !== undefined) {
      session.failed(text, why);
      return block(text, why);
    }
    const isWhole = command.length <= TEXT_MOST_BYTES && command.words.length < KEPT_MOST_WORDS;
    const facts = factsOf(command, isWhole);
    const match = session.judge(facts);
    if (match?.effect === 'ask') {
      const question = { text, isWhole, facts, masked: null, plan: async () => NO_PLAN, waits: () => undefined };
      return session.ask(question, new AbortController().signal).then(({ refused }) => {
        if (refused !== null) return block(text, refused);
        sent(text, name);
        return undefined;
      });
    }
    if (match?.effect === 'block') {
      session.blocked(text, match);
      return block(text, match.text);
    }
    session.begun(text, match);
    sent(text, name);
    return undefined;
  }
  const client = createCommands(command => {
    read += command.bytes;
    const why = refusedOf(command);
    if (why === undefined) {
      session.begun(textOf(command));
      return sent(textOf(command), nameOf(command));
    }
    session.failed(textOf(command), why);
    // Only where it came alone is it known where the answer belongs.
    if (piece.length !== command.bytes || underWay.length > 0) throw new Refused(why);
    instead = NOTHING;
    answer(refusal(why));
  });
  const guarded = heldCommands(judged);
  let out: Buffer[] = [];
  /** Of the piece of the server, what has gone on; and what has come of an answer that may not go on. */
  let gone = 0;
  let tail: Buffer = NOTHING;
  let answers: Buffer = NOTHING;
  const server = createReplies((error, values, began, ended) => {
    const first = underWay.shift();
    if (first) characters -= first.text.length;
    if (first?.blocked != null) {
      out.push(
        tail.subarray(0, Math.max(0, tail.length + Math.min(0, began))),
        answers.subarray(gone, Math.max(gone, began)),
      );
      out.push(refusal(first.blocked));
      tail = NOTHING;
      gone = ended;
    } else if (error !== null) session.failed(first?.text ?? last, error);
    else if (first !== undefined) session.answered(first.text, values);
  });
  return {
    client(bytes) {
      if (isGuarded) return guarded(bytes);
      // A command that began in an earlier piece is with the server already.
      piece = seen === read ? bytes : NOTHING;
      seen += bytes.length;
      instead = undefined;
      client(bytes);
      return instead;
    },
    server(bytes) {
      if (!isGuarded) {
        server(bytes);
        return undefined;
      }
      [out, gone, answers] = [[], 0, bytes];
      const rest = server(bytes);
      // What has begun may be the answer to what never went there.
      const end = underWay[0]?.blocked != null ? Math.max(gone, rest) : bytes.length;
      if (gone < end) {
        out.push(tail, bytes.subarray(gone, end));
        tail = NOTHING;
      }
      tail = Buffer.concat([tail, bytes.subarray(end)]);
      return Buffer.concat(out);
    },
  };
}
/** A command with as many words may have more than are kept. */
const KEPT_MOST_WORDS = TEXT_MOST_BYTES / 2;

/** Commands that wait, each until it was judged: what `judge` answers goes on in its place; undefined: itself. */
function heldCommands(judge: (command: Command) => Buffer | undefined | Promise<Buffer | undefined>): WaitingTap {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let whole: Command[] = [];
  const parse = createCommands(command => void whole.push(command));
  function go(raw: Buffer, commands: readonly Command[], before: readonly Buffer[]): Passed {
    const onward = [...before];
    let at = 0;
    for (const [index, command] of commands.entries()) {
      const own = raw.subarray(at, at + command.bytes);
      at += command.bytes;
      const passing = judge(command);
      if (passing instanceof Promise)
        return new Held(
          Buffer.concat(onward),
          passing.then(other => go(raw.subarray(at), commands.slice(index + 1), [other ?? own])),
        );
      onward.push(passing ?? own);
    }
    held = raw.length > at ? [Buffer.from(raw.subarray(at))] : [];
    heldBytes = raw.length - at;
    return Buffer.concat(onward);
  }
  return bytes => {
    held.push(Buffer.from(bytes));
    heldBytes += bytes.length;
    whole = [];
    parse(bytes);
    if (whole.length > 0) return go(Buffer.concat(held), whole, []);
    if (heldBytes > HELD_MOST_BYTES) throw new TooMuch('a command that is too long to be looked into');
    return NOTHING;
  };
}
