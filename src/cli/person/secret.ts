// Password and code: typed without echo, a password also read from a file or standard input; never an argument, which every process may read.
import { createReadStream } from 'node:fs';
import { Refused, UsageError } from '../verb.ts';

/** Longest password, bytes; the gateway takes as many characters. */
const PASSWORD_MOST_BYTES = 4096;

/** The first line of a file, `-` being standard input; without one, asked on the terminal. Throws Refused, UsageError. */
export async function readPassword(file: string | undefined, user: string): Promise<string> {
  if (file === undefined && hasTerminal()) {
    const typed = await askUnseen(`Password of ${user}: `);
    if (typed === '') throw new Refused('no password was typed');
    return typed;
  }
  const from = file === undefined || file === '-' ? process.stdin : createReadStream(file);
  const name = from === process.stdin ? 'standard input' : (file ?? '');
  let bytes = Buffer.alloc(0);
  try {
    for await (const chunk of from) {
      bytes = Buffer.concat([bytes, chunk as Buffer]);
      if (bytes.includes(10) || bytes.length > PASSWORD_MOST_BYTES) break;
    }
  } catch (error) {
    throw new UsageError(`--password-file: ${name} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  const [line = ''] = bytes.toString('utf8').split(/\r?\n/, 1);
  if (line.length > PASSWORD_MOST_BYTES) throw new UsageError(`the first line of ${name} is too long for a password`);
  if (line === '') throw new UsageError(`${name} holds no password: it is its first line`);
  return line;
}

/** Whether somebody can be asked. */
export const hasTerminal = (): boolean => process.stdin.isTTY === true;

/** Asks on the terminal and shows nothing of what is typed, which may be nothing. Throws Refused when it is called off. */
export function askUnseen(question: string): Promise<string> {
  const { stdin, stderr } = process;
  return new Promise((done, fail) => {
    let typed: string[] = [];
    const end = (settle: () => void): void => {
      stdin.off('data', hear);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
      settle();
    };
    const hear = (bytes: Buffer): void => {
      for (const character of bytes.toString('utf8')) {
        if (character === '\r' || character === '\n') {
          end(() => done(typed.join('')));
          return;
        }
        if (character === '\x03' || character === '\x04') {
          end(() => fail(new Refused('nobody was signed in')));
          return;
        }
        if (character === '\x7f' || character === '\b') typed.pop();
        else if (character === '\x15') typed = [];
        else if (typed.length < PASSWORD_MOST_BYTES) typed.push(character);
      }
    };
    stdin.setRawMode(true);
    stderr.write(question);
    stdin.on('data', hear);
    stdin.resume();
  });
}
