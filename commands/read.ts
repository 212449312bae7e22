// Commands typed whole: `ssh root@db-3`, `users invite bob "access auditor"`.
import { nounIds, nouns } from '../src/features/nouns.ts';
import type { Argument, Command, Facts } from './command.ts';

export interface Token {
  readonly text: string;
  /** In quotes: a word of its own even when it is empty or holds spaces. */
  readonly quoted: boolean;
}

/** The words of a typed line; double quotes group, a backslash inside them takes the next character as it is. Null while a quote is open. */
export function tokens(typed: string): readonly Token[] | null {
  const found: Token[] = [];
  const form = /\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))/y;
  const text = typed.trimEnd();
  while (form.lastIndex < text.length) {
    const match = form.exec(text);
    if (match === null) return null;
    const quoted = match[1];
    found.push(
      quoted === undefined
        ? { text: match[2] ?? '', quoted: false }
        : { text: quoted.replace(/\\(.)/g, '$1'), quoted: true },
    );
  }
  return found;
}

/** A command with the answers that were typed with it, by argument name, and the names of those still to be asked for. */
export interface WholeCommand {
  readonly command: Command;
  readonly answers: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
}

function whole(command: Command, answers: Readonly<Record<string, string>>): WholeCommand {
  const missing = (command.args ?? [])
    .filter(arg => arg.optional !== true && answers[arg.name] === undefined)
    .map(arg => arg.name);
  return { command, answers, missing };
}

/** The words that a line begins with are over; what stands behind them answers the command. Null when the line names another. */
function afterName(
  command: Command,
  words: readonly Token[],
  isSole: (verb: string) => boolean,
): readonly Token[] | null {
  const spoken = words.slice(0, 3).map(word => (word.quoted ? '' : word.text.toLowerCase()));
  const [first = '', second = '', third = ''] = spoken;
  const [noun = '', verb = ''] = command.id.toLowerCase().split('.');
  if (first === command.id.toLowerCase()) return words.slice(1);
  if (first === noun && second === verb) return words.slice(2);
  const { nouns, verbs } = wordsFor(command);
  if (verbs.has(first)) {
    if (nouns.has(second)) return words.slice(2);
    if (articles.has(second) && nouns.has(third)) return words.slice(3);
  }
  // Alone a verb names a command only where no other has it; a word for a kind of thing is looked for among the things.
  return first === verb && !articles.has(second) && isSole(first) ? words.slice(1) : null;
}

/** Words for kinds of things: typed alone they look for such a thing. */
const wordsOfThings: ReadonlySet<string> = new Set(
  nounIds.map(id => nouns[id]).flatMap(({ one, many, words }) => [one, many, ...words]),
);
const articles: ReadonlySet<string> = new Set(['a', 'an', 'the']);

/** Further words for what a command is about, and for what it does: `add server`, `delete user`, `new role`. */
function wordsFor({ id, title, words = [] }: Command): {
  readonly nouns: ReadonlySet<string>;
  readonly verbs: ReadonlySet<string>;
} {
  const [noun = '', verb = ''] = id.split('.');
  const about = nounIds.filter(other => other === noun || nouns[other].listing === `${noun}.list`).map(id => nouns[id]);
  const named = about.flatMap(({ one, many, words }) => [one, many, ...words]).filter(word => !word.includes(' '));
  const [first = ''] = title.split(' ');
  return {
    nouns: new Set([noun, ...named].map(word => word.toLowerCase())),
    verbs: new Set([verb, first, ...words].map(word => word.toLowerCase())),
  };
}

/** What is answered on a typed line, in the order in which it is asked. */
export const lineArguments = ({ args = [] }: Command): readonly Argument[] =>
  args.filter(({ aside }) => aside !== true);

/** The answers behind a command's name, in the order in which it asks. Null when there are more than it takes. */
function answersIn(command: Command, rest: readonly Token[]): Readonly<Record<string, string>> | null {
  const args = lineArguments(command);
  const last = args.at(-1);
  // Text beyond the last argument belongs to it when it is free text; otherwise this is not that command.
  if (rest.length > args.length && last?.free === undefined) return null;
  const answers: Record<string, string> = {};
  for (const [index, arg] of args.entries()) {
    const given = arg === last ? rest.slice(index) : rest.slice(index, index + 1);
    if (given.length > 0) answers[arg.name] = given.map(word => word.text).join(' ');
  }
  return answers;
}

/** Verbs that name one command only, of those that ask for something, and no kind of thing. */
function soleVerbs(commands: readonly Command[]): (verb: string) => boolean {
  const counts = new Map<string, number>();
  for (const command of commands) {
    if ((command.args ?? []).length === 0) continue;
    for (const verb of wordsFor(command).verbs) counts.set(verb, (counts.get(verb) ?? 0) + 1);
  }
  return verb => counts.get(verb) === 1 && !wordsOfThings.has(verb);
}

/**
 * What a whole typed line says: a command's own phrase first, then its name with answers, in any order that people say it in. Null when it says
 * nothing whole. A command that is hidden is not found; whether it is refused is asked later, so that the reason can be shown.
 */
export function readWhole(commands: readonly Command[], typed: string, facts: Facts): WholeCommand | null {
  const text = typed.trim();
  if (text === '') return null;
  const words = tokens(text);
  const shown = commands.filter(command => command.when === undefined || command.when(facts));
  for (const command of shown) {
    // A space at the end says that a word is over, and so that the next one is wanted.
    const answers = command.phrase?.read(typed.trimStart());
    if (answers !== undefined) return whole(command, answers);
  }
  if (words === null) return null;
  const isSole = soleVerbs(shown);
  for (const command of shown) {
    const rest = afterName(command, words, verb => isSole(verb) && (command.args ?? []).length > 0);
    const answers = rest === null ? null : answersIn(command, rest);
    if (answers !== null) return whole(command, answers);
  }
  return null;
}

/** A line that a command can be typed as: its words, and its arguments in the order in which they are typed. */
export interface Usage {
  readonly name: string;
  readonly args: readonly { readonly name: string; readonly text: string }[];
}

/** How a command is typed whole, such as `users invite NAME ROLES`; optional arguments stand in brackets. Null for one that asks nothing. */
export function usageOf(command: Command): Usage | null {
  const { id, phrase } = command;
  const args = lineArguments(command);
  if (args.length === 0) return null;
  if (phrase !== undefined) return phrase.usage;
  return {
    name: id.replace('.', ' '),
    args: args.map(({ name, optional }) => {
      const text = name.replace(/[A-Z]/g, letter => `-${letter}`).toUpperCase();
      return { name, text: optional === true ? `[${text}]` : text };
    }),
  };
}

/** The command whose name is being typed, before any answer: the only one that begins so. */
export function commandNamed(commands: readonly Command[], typed: string, facts: Facts): Command | undefined {
  const text = typed.trimStart().toLowerCase().replace(/\s+/g, ' ');
  const shown = commands.filter(({ args = [], when }) => args.length > 0 && (when === undefined || when(facts)));
  const isSole = soleVerbs(shown);
  const [named, another] = shown.filter(({ id, phrase }) => {
    const name = id.toLowerCase().replace('.', ' ');
    const verb = name.split(' ')[1] ?? '';
    return (
      `${name} `.startsWith(text.includes(' ') ? text : `${text} `) ||
      `${phrase?.usage.name} `.startsWith(`${text.trimEnd()} `) ||
      (isSole(verb) && text.trimEnd() === verb)
    );
  });
  return another === undefined ? named : undefined;
}
