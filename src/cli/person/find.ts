// Which command was meant: by its id, by noun and verb, or by a phrase of its own such as "ssh root@db-3".
import type { Command, Facts } from '../../../commands/command.ts';
import { readWhole } from '../../../commands/read.ts';
import { shellCommandById as commandById, shellCommands as commands } from '../../../commands/shell.ts';
import { nearest } from '../../gateway/services/configuration/nearest.ts';
import { UsageError } from '../verb.ts';

export interface FoundCommand {
  readonly command: Command;
  /** What was typed for its arguments, by name. */
  readonly typed: Readonly<Record<string, string>>;
}

/** A word as a whole line shows it. */
const quoted = (word: string): string => (/[\s"\\]/.test(word) || word === '' ? JSON.stringify(word) : word);

/** Named flags that are not the verb's own are answers. Throws UsageError. */
export function findCommand(words: readonly string[], named: ReadonlyMap<string, string>, facts: Facts): FoundCommand {
  const { command, typed } = byWords(words, facts);
  const args = command.args ?? [];
  const answers: Record<string, string> = { ...typed };
  for (const [name, value] of named) {
    const arg = args.find(one => one.name.toLowerCase() === name.toLowerCase());
    if (arg === undefined)
      throw new UsageError(
        `${command.id}: it has no --${name}${args.length === 0 ? '' : `; it has ${args.map(one => `--${one.name}`).join(', ')}`}`,
      );
    if (answers[arg.name] !== undefined) throw new UsageError(`${command.id}: ${arg.name} is given twice`);
    answers[arg.name] = value;
  }
  return { command, typed: answers };
}

function byWords(words: readonly string[], facts: Facts): FoundCommand {
  const [first = '', second = ''] = words;
  const byId = commandById(first);
  const named = byId ?? commandById(`${first}.${second}`);
  if (named !== undefined) return { command: named, typed: positional(named, words.slice(byId ? 1 : 2)) };
  const line = words.length === 1 ? first : words.map(quoted).join(' ');
  // Hidden commands too: why one does not work here is said later.
  const all = commands.map(({ when: _when, ...row }): Command => row);
  const whole = readWhole(all, line, facts);
  const command = whole === null ? undefined : commandById(whole.command.id);
  if (whole !== null && command !== undefined) {
    const typed = Object.entries(whole.answers).filter(([, value]) => value !== '');
    return { command, typed: Object.fromEntries(typed) };
  }
  const close = nearest(
    first,
    commands.map(row => row.id),
  );
  throw new UsageError(
    `"${line}": no such command${close === undefined ? '' : `; did you mean ${close}?`} ("do" alone lists them)`,
  );
}

/** Answers in the order in which the command asks; what goes beyond the last belongs to it when it is free text. */
function positional(command: Command, words: readonly string[]): Readonly<Record<string, string>> {
  const args = command.args ?? [];
  const last = args.at(-1);
  if (words.length > args.length && last?.free === undefined)
    throw new UsageError(
      `${command.id}: "${words[args.length]}" is one word too many${args.length === 0 ? '' : `; it takes ${args.map(arg => arg.name).join(', ')}`}`,
    );
  return Object.fromEntries(
    args
      .map((arg, at) => [arg.name, arg === last ? words.slice(at) : words.slice(at, at + 1)] as const)
      .filter(([, given]) => given.length > 0)
      .map(([name, given]) => [name, given.join(' ')]),
  );
}
