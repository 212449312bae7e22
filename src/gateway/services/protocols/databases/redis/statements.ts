// What a Redis client does, read from the commands that pass: each once, and whether the server refused it.
import type { Statements } from '../../../../ports/databases.ts';
import type { Tap } from '../../pump.ts';
import { TooMuch, whole } from '../frames.ts';
import { Refused } from '../relay.ts';
import { type Command, createCommands } from './commands.ts';
import { createReplies } from './replies.ts';

/** Commands that a client may send before it reads an answer, and characters of them. */
const UNDER_WAY_MOST = 100_000;
const UNDER_WAY_MOST_CHARACTERS = 16 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);

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

/** `answer` answers the client in the server's place. */
export function createStatementTaps(
  session: Statements,
  answer: (bytes: Buffer) => void,
): { readonly client: Tap; readonly server: Tap } {
  let underWay: string[] = [];
  let characters = 0;
  let answersInOrder = true;
  let last = '';
  let seen = 0;
  let read = 0;
  let piece: Buffer = NOTHING;
  let instead: Buffer | undefined;

  function begun(text: string, name: string): void {
    session.begun(text);
    last = text;
    if (unordered.has(name) || /^CLIENT REPLY/i.test(text)) {
      answersInOrder = false;
      underWay = [];
      characters = 0;
    }
    if (!answersInOrder) return;
    underWay.push(text);
    characters += text.length;
    if (underWay.length > UNDER_WAY_MOST || characters > UNDER_WAY_MOST_CHARACTERS)
      throw new TooMuch('more commands than may be under way at once');
  }
  const client = createCommands(command => {
    read += command.bytes;
    const name = nameOf(command);
    const names =
      name === 'HELLO' && command.words.some(word => word.toString('latin1', 0, 8).toUpperCase() === 'AUTH');
    const why = refusals.get(names ? 'AUTH' : name);
    if (why === undefined) return begun(textOf(command), name);
    session.failed(textOf(command), why);
    // Only where it came alone is it known where the answer belongs.
    if (piece.length !== command.bytes || underWay.length > 0) throw new Refused(why);
    instead = NOTHING;
    answer(refusal(why));
  });
  const server = createReplies((error, values) => {
    const text = underWay.shift();
    if (text !== undefined) characters -= text.length;
    if (error !== null) session.failed(text ?? last, error);
    else if (text !== undefined) session.answered(text, values);
  });
  return {
    client(bytes) {
      // A command that began in an earlier piece is with the server already.
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
  };
}
