// Commands typed whole: `ssh root@db-3`, `users invite bob "access auditor"`.
import type { Command, Facts } from './command.ts';

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

/** `noun verb answer answer…` or `noun.verb answer…`, in the order in which the command asks. */
function byName(command: Command, words: readonly Token[]): WholeCommand | null {
  const [noun = '', verb = ''] = command.id.split('.');
  const [first, second] = words;
  if (first === undefined || first.quoted) return null;
  const spoken = first.text.toLowerCase();
  const rest =
    spoken === command.id.toLowerCase()
      ? words.slice(1)
      : spoken === noun.toLowerCase() &&
          second !== undefined &&
          !second.quoted &&
          second.text.toLowerCase() === verb.toLowerCase()
        ? words.slice(2)
        : null;
  if (rest === null) return null;
  const args = command.args ?? [];
  const last = args.at(-1);
  // Text beyond the last argument belongs to it when it is free text; otherwise this is not that command.
  if (rest.length > args.length && last?.free === undefined) return null;
  const answers: Record<string, string> = {};
  for (const [index, arg] of args.entries()) {
    const given = arg === last ? rest.slice(index) : rest.slice(index, index + 1);
    if (given.length > 0) answers[arg.name] = given.map(word => word.text).join(' ');
  }
  return whole(command, answers);
}

/**
 * What a whole typed line says: a command's own phrase first, then its name with answers. Null when it says nothing whole.
 * A command that is hidden is not found; whether it is refused is asked later, so that the reason can be shown.
 */
export function readWhole(commands: readonly Command[], typed: string, facts: Facts): WholeCommand | null {
  const text = typed.trim();
  if (text === '') return null;
  const words = tokens(text);
  for (const command of commands) {
    if (command.when !== undefined && !command.when(facts)) continue;
    // A space at the end says that a word is over, and so that the next one is wanted.
    const answers = command.phrase?.read(typed.trimStart());
    if (answers !== undefined) return whole(command, answers);
    const named = words === null ? null : byName(command, words);
    if (named !== null) return named;
  }
  return null;
}
