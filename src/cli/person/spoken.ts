// How a command of the registry is written as a verb: its words, its flags, and what was typed as answers to its arguments.
import type { Argument, Command } from '../../../commands/command.ts';
import { lineArguments } from '../../../commands/read.ts';
import { SESSION_FLAG } from '../read.ts';
import { type Flag, type Typed, type Usage, UsageError } from '../verb.ts';

const kebab = (name: string): string => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

/** Arguments whose flags have the names that the machine's verbs give them; a list is one flag given again. */
const flagNames: Readonly<Record<string, Readonly<Record<string, Omit<Flag, 'help'>>>>> = {
  'locks.create': { ttl: { name: '--expires', argument: 'TIME' } },
  'servers.add': {
    hostKey: { name: '--fingerprint', argument: 'SHA256:…' },
    labels: { name: '--label', argument: 'KEY=VALUE', many: true },
  },
};

const flagOf = (command: Command, arg: Argument): Flag => ({
  ...(flagNames[command.id]?.[arg.name] ?? { name: `--${kebab(arg.name)}`, argument: wordOf(arg) }),
  help: `${arg.title.replace(/…$/, '')}, instead of the word`,
});
export const wordOf = (arg: Argument): string => kebab(arg.name).toUpperCase();

/** Flags that every command of a person takes. */
const COMMON: readonly Flag[] = [
  { name: '--output', argument: 'table|json', help: 'How the answer is written; table unless said' },
  { name: '--to', argument: 'FILE', help: 'Where a file goes that it answers; otherwise standard output' },
  { name: '--yes', help: 'Does not ask before what cannot be undone' },
  SESSION_FLAG,
];

/** The first word of a command that has a phrase of its own, such as `ssh` of `ssh root@db-3`. */
const phraseWord = ({ id, phrase }: Command): string | undefined => {
  // A phrase that begins as a sentence does is for the palette.
  const [word = ''] = phrase?.example.split(' ') ?? [];
  return /^[a-z]+$/.test(word) && word !== id.split('.')[0] ? word : undefined;
};

/** How it is written with answers, where that is a phrase of its own. */
export const exampleOf = (command: Command): string | undefined =>
  phraseWord(command) === undefined ? undefined : command.phrase?.example;

/** `servers list` of `servers.list`, or the command's own word. */
export const verbOf = (command: Command): string => phraseWord(command) ?? command.id.split('.').map(kebab).join(' ');

/** What follows that word; a part that ends in @ is of one word with the next. */
const phraseWords = ({ phrase }: Command): readonly string[] =>
  (phrase?.usage.args ?? [])
    .map(({ text }) => text)
    .join(' ')
    .replace('@] ', '@]')
    .split(' ');

/** How it is written. */
export function usageOf(command: Command): Usage {
  const args = command.args ?? [];
  const inLine = lineArguments(command);
  const spelled = (arg: Argument, at: number): string => {
    const word = `${wordOf(arg)}${at === inLine.length - 1 && arg.free !== undefined ? '…' : ''}`;
    return arg.optional || arg.sole ? `[${word}]` : word;
  };
  return {
    verb: verbOf(command),
    words: phraseWord(command) === undefined ? inLine.map(spelled) : phraseWords(command),
    flags: [...args.map(arg => flagOf(command, arg)), ...COMMON],
    help: command.title.replace(/…$/, ''),
    asks: true,
  };
}

/** What was typed for its arguments, by name. Throws UsageError when one is given twice. */
export function answersOf(command: Command, typed: Typed): Readonly<Record<string, string>> {
  const answers: Record<string, string> = { ...wordAnswers(command, typed.words) };
  for (const arg of command.args ?? []) {
    const { name } = flagOf(command, arg);
    if (!typed.has(name)) continue;
    if (answers[arg.name] !== undefined) throw new UsageError(`${verbOf(command)}: ${name} is given twice`);
    answers[arg.name] = typed.all(name).join(' ');
  }
  return answers;
}

function wordAnswers(command: Command, words: readonly string[]): Readonly<Record<string, string>> {
  const word = phraseWord(command);
  if (word !== undefined && words.length > 0) {
    const said = command.phrase?.read(`${word} ${words.join(' ')}`);
    if (said === undefined)
      throw new UsageError(`${word}: "${words.join(' ')}": such as ${command.phrase?.example ?? word} expected`);
    return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== ''));
  }
  // In the order in which the command asks; what goes beyond the last belongs to it when it is free text.
  const args = lineArguments(command);
  const last = args.at(-1);
  return Object.fromEntries(
    args
      .map((arg, at) => [arg.name, arg === last ? words.slice(at) : words.slice(at, at + 1)] as const)
      .filter(([, given]) => given.length > 0)
      .map(([name, given]) => [name, given.join(' ')]),
  );
}
