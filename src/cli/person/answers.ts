// Typed words to answers, with the choices that the command itself offers in the palette.
import { soleChoice } from '../../../commands/answer.ts';
import type { Argument, Choice, Command, Facts, Given, Tools } from '../../../commands/command.ts';
import { readText } from '../machine/input.ts';
import { plainText } from '../output.ts';
import { Refused, UsageError } from '../verb.ts';
import { verbOf, wordOf } from './spoken.ts';

/** Choices that a question or a refusal shows, rows. */
const SHOWN_MOST = 20;

/** Asks for a line; null: there is nobody to ask. */
type AskLine = ((question: string) => Promise<string>) | null;

const shown = (choices: readonly Choice[], mark: (index: number) => string): string => {
  const rows = choices
    .slice(0, SHOWN_MOST)
    .map(({ title, value, detail, refused }, index) =>
      plainText(
        [
          `${mark(index)}${title}`,
          ...(value === title || detail?.includes(value) ? [] : [shortly(value)]),
          detail,
          refused,
        ]
          .filter(part => part !== undefined && part !== '')
          .join('  '),
      ),
    );
  return [...rows, ...(choices.length > SHOWN_MOST ? [`  … and ${choices.length - SHOWN_MOST} more`] : [])].join('\n');
};
const shortly = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

/** The choices that what was typed may mean: the exact value, the exact title, else those that begin with it. */
function meant(choices: readonly Choice[], typed: string): readonly Choice[] {
  const lower = typed.toLowerCase();
  const ways: readonly ((choice: Choice) => boolean)[] = [
    choice => choice.value === typed,
    choice => choice.title === typed,
    choice => choice.title.toLowerCase() === lower || choice.value.toLowerCase() === lower,
    choice => choice.title.toLowerCase().startsWith(lower) || choice.value.toLowerCase().startsWith(lower),
  ];
  for (const way of ways) {
    const found = choices.filter(way);
    if (found.length > 0) return found;
  }
  return [];
}

interface Resolving {
  readonly command: Command;
  readonly facts: Facts;
  readonly tools: Pick<Tools, 'call'>;
  readonly askLine: AskLine;
}

/** Answers every argument, or throws: UsageError when something is missing, wrong or ambiguous, Refused when a choice is not for this person. */
export async function resolveAnswers(typed: Readonly<Record<string, string>>, resolving: Resolving): Promise<Given> {
  const given: Record<string, Choice> = {};
  for (const arg of resolving.command.args ?? []) {
    const answer = await answerOf(arg, typed[arg.name], given, resolving);
    if (answer !== undefined) given[arg.name] = answer;
  }
  return given;
}

async function answerOf(
  arg: Argument,
  typed: string | undefined,
  given: Given,
  { command, facts, tools, askLine }: Resolving,
): Promise<Choice | undefined> {
  const name = `${verbOf(command)}: ${wordOf(arg)}`;
  const choicesFor = async (text: string): Promise<readonly Choice[]> =>
    arg.choices(arg.once ? '' : text, given, facts, tools);
  if (typed !== undefined && arg.pasted) return textOf(name, arg, await readText(typed));
  if (typed !== undefined) return allowed(name, pick(name, arg, typed, await choicesFor(typed)));
  if (arg.optional) return undefined;
  const choices = await choicesFor('');
  const only = soleChoice(arg, choices);
  if (only !== undefined) return only;
  if (askLine === null)
    throw new UsageError(
      choices.length === 0
        ? `${name} is needed: ${arg.title}`
        : `${name} is needed; one of\n${shown(choices, () => '  ')}`,
    );
  const list = choices.length === 0 ? '' : `${shown(choices, index => `  ${index + 1}) `)}\n`;
  const said = (await askLine(`${list}${arg.title}${arg.pasted ? ' (path of its file)' : ''}: `)).trim();
  if (said === '') throw new Refused('nothing was done');
  if (arg.pasted) return textOf(name, arg, await readText(said));
  const numbered = /^\d+$/.test(said) ? choices.slice(0, SHOWN_MOST)[Number(said) - 1] : undefined;
  return allowed(name, numbered ?? pick(name, arg, said, await choicesFor(said)));
}

/** What a file says, as the answer that it is. */
function textOf(name: string, arg: Argument, value: string): Choice {
  const wrong = arg.free?.(value);
  if (wrong !== undefined) throw new UsageError(`${name}: ${wrong}`);
  return { value, title: arg.pasted?.(value) ?? value };
}

/** Free text counts as it was typed unless it is a choice to the letter: a beginning must not become something else. */
function pick(name: string, arg: Argument, typed: string, choices: readonly Choice[]): Choice {
  const found = meant(choices, typed);
  const [only] = found;
  if (arg.free !== undefined) {
    if (found.length === 1 && only !== undefined && (only.value === typed || only.title === typed)) return only;
    const wrong = arg.free(typed);
    if (wrong !== undefined) throw new UsageError(`${name}: "${typed}": ${wrong}`);
    return { value: typed, title: typed };
  }
  if (found.length > 1)
    throw new UsageError(`${name}: "${typed}" may be any of these; give more of it\n${shown(found, () => '  ')}`);
  if (only === undefined)
    throw new UsageError(
      choices.length === 0
        ? `${name}: "${typed}": nothing there has that name`
        : `${name}: "${typed}" is not one of\n${shown(choices, () => '  ')}`,
    );
  return only;
}

function allowed(name: string, choice: Choice): Choice {
  if (choice.refused !== undefined) throw new Refused(`${name}: ${plainText(choice.title)}: ${choice.refused}`);
  return choice;
}
