// Running a command by its id: the gate, the questions, and one place where a failure is said.
import { Cancelled, choiceOf } from '../../../commands/answer.ts';
import type { Argument, Choice, Command, Facts, Given, Thing, Tools } from '../../../commands/command.ts';
import { type Recents, recentAnswer, recentCommand, recentThing } from './recents.ts';

export interface RunnerPorts {
  /** A command by its id, which may have to be fetched first; undefined when there is none. */
  readonly commandById: (id: string) => Command | undefined | Promise<Command | undefined>;
  readonly facts: () => Facts;
  /** The tools, for a command where one uses them: what is said names it. */
  readonly tools: (from?: Command) => Tools;
  /** Opens the palette at the first question that has no answer yet. */
  readonly ask: (command: Command, given: Given) => void;
  readonly recents: Recents;
}

/** Whoever follows a run: wraps the tools that it uses, and hears why it failed. */
interface Watch {
  readonly tools: (tools: Tools) => Tools;
  readonly failed: (why: string) => void;
}

/** What a command asks for and has no answer yet; the first of them is asked next. */
export function unanswered(command: Command, given: Given): readonly Argument[] {
  return (command.args ?? []).filter(arg => given[arg.name] === undefined);
}

/** What a person reads when something went wrong. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'Something went wrong';
}

/** Keys under which a run is remembered: the command, the things it was given, and each answer. */
function usedKeys(command: Command, given: Given): readonly string[] {
  const answered: [Argument, Choice][] = (command.args ?? []).flatMap(arg => {
    const choice = given[arg.name];
    return choice === undefined || arg.pasted || (arg.free !== undefined && arg.optional === true)
      ? []
      : [[arg, choice]];
  });
  const values = answered.map(([, choice]) => choice.value);
  return [
    ...answered.map(([arg, choice], index) => recentAnswer(command.id, arg.name, values.slice(0, index), choice.value)),
    ...answered.flatMap(([, { thing }]) => (thing === undefined ? [] : [recentThing(thing.kind, thing.id)])),
    recentCommand(command.id),
  ];
}

/** Runs commands for buttons, menus, keys and the palette alike. */
export function createRunner(ports: RunnerPorts) {
  /**
   * Runs a command that has all its answers. What it throws is said; what was called off stays silent. `watch` sees what it uses, and says in
   * place of a notice why it failed.
   */
  async function execute(command: Command, given: Given, watch?: Watch): Promise<void> {
    const facts = ports.facts();
    const refused = command.blocked?.(facts);
    const own = ports.tools(command);
    const tools = watch?.tools(own) ?? own;
    const failed = watch?.failed ?? own.notify;
    if (refused !== undefined) return failed(refused);
    try {
      await command.run(given, facts, tools);
      // List movements are no choice of a person's that they would look for again.
      if (command.group !== 'list') ports.recents.use(...usedKeys(command, given));
    } catch (error) {
      if (!(error instanceof Cancelled)) failed(messageOf(error));
    }
  }

  /**
   * Runs a command by id, asking for what it needs. Hidden commands do nothing; refused ones say why. `things` answer its questions
   * of their kind, unless `given` does.
   */
  async function run(id: string, given: Given = {}, things: readonly Thing[] = []): Promise<void> {
    const found = ports.commandById(id);
    // What is known runs in the turn of its key.
    const command = found instanceof Promise ? await found : found;
    if (command === undefined) throw new Error(`There is no command ${id}`);
    const facts = ports.facts();
    if (command.when !== undefined && !command.when(facts)) return;
    const refused = command.blocked?.(facts);
    if (refused !== undefined) return ports.tools(command).notify(refused);
    const known = withSelection(command, { ...givenOf(command, ...things), ...given }, facts);
    const open = unanswered(command, known);
    const begun = (command.args ?? []).some(arg => known[arg.name] !== undefined);
    if (open.some(arg => arg.optional !== true) || (open.length > 0 && !begun)) ports.ask(command, known);
    else await execute(command, known);
  }

  return { run, execute };
}

/**
 * A row in a list is the first argument of a command that takes such a thing: its question is not asked. `ahead` names questions
 * whose answers were typed. Several marked rows answer nothing: the command asks which.
 */
export function withSelection(
  command: Command,
  given: Given,
  { selection }: Pick<Facts, 'selection'>,
  ahead: Readonly<Record<string, string>> = {},
): Given {
  const [thing] = selection;
  const first = (command.args ?? []).find(arg => arg.takes !== undefined);
  if (thing === undefined || selection.length > 1 || first?.takes !== thing.kind) return given;
  if (given[first.name] !== undefined || ahead[first.name] !== undefined) return given;
  if (thing.refused !== undefined || thing.modes?.length === 0) return given;
  return { ...given, [first.name]: choiceOf(thing) };
}

/** Answers a command's first question of a kind with a thing, as a row's button or menu does. */
export function givenOf(command: Command, ...things: readonly Thing[]): Given {
  const given: Record<string, Choice> = {};
  for (const thing of things) {
    const arg = (command.args ?? []).find(({ takes, name }) => takes === thing.kind && given[name] === undefined);
    if (arg !== undefined) given[arg.name] = choiceOf(thing);
  }
  return given;
}
