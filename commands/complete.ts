// What Tab makes of a line that says a command: its next word, once that is known.
import type { Command, Facts } from './command.ts';

const quoted = (text: string): string => (/^[^\s"\\]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`);

/** A command with answers as it would be typed: by its own phrase where it has one and was not named, else by its name. */
export function written(command: Command, answers: Readonly<Record<string, string>>, typed: string): string {
  const isNamed = /^[A-Za-z]+[. ]/.test(typed) && command.phrase?.read(typed) === undefined;
  if (!isNamed && command.phrase?.write !== undefined) return command.phrase.write(answers);
  const given = (command.args ?? []).map(arg => answers[arg.name]);
  const count = given.indexOf(undefined);
  const words = (count < 0 ? given : given.slice(0, count)).map(answer => quoted(answer ?? ''));
  return [command.id.replace('.', ' '), ...words].join(' ');
}

/**
 * The first words of a command that is being typed: `ss` becomes `ssh `, `users inv` becomes `users invite `. Undefined when
 * nothing begins like that; as far as all of them agree when several do.
 */
export function begun(commands: readonly Command[], typed: string, facts: Facts): string | undefined {
  const text = typed.trimStart().toLowerCase().replace(/\s+/g, ' ');
  if (text === '') return undefined;
  const starts = commands
    .filter(command => (command.args ?? []).length > 0 && (command.when === undefined || command.when(facts)))
    .flatMap(({ id, phrase }) => [
      `${id.replace('.', ' ')} `,
      ...(phrase === undefined ? [] : [/^\S+ /.exec(phrase.example)?.[0] ?? '']),
    ])
    .filter(start => start.length > text.length && start.toLowerCase().startsWith(text));
  const [first, ...others] = starts;
  if (first === undefined) return undefined;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return length > text.length ? first.slice(0, length) : undefined;
}

/** The beginning that all of these share, in the letters of the first; case makes no difference. */
function sharedStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const other of others)
    while (other.slice(0, length).toLowerCase() !== first.slice(0, length).toLowerCase()) length--;
  return first.slice(0, length);
}

/** What Tab makes of a begun text, as a shell does: as far as all that fits agrees. Undefined when nothing fits or nothing more is known. */
export function completed(typed: string, titles: Iterable<string>): string | undefined {
  const wanted = typed.trim().toLowerCase();
  const fitting = [...new Set(titles)].filter(title => title.toLowerCase().startsWith(wanted));
  const shared = sharedStart(fitting);
  return shared.length > wanted.length ? shared : undefined;
}
