// Choices and answers: how a thing becomes one, and how free text does.
import type { NounId, Thing } from '../src/features/thing.ts';
import type { Argument, Choice, Facts, Given, Tools } from './command.ts';

/** Thrown by a command that the person called off, or whose failure is on screen already: nobody needs to be told. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}
/** Asks before something that cannot be undone. Throws Cancelled. */
export async function confirmed(
  tools: Pick<Tools, 'confirm'>,
  question: Parameters<Tools['confirm']>[0],
): Promise<void> {
  if (!(await tools.confirm(question))) throw new Cancelled();
}

/** Most choices a step shows, rows. */
export const CHOICES_MOST = 50;

/** A thing as an answer: its id is passed on, its title is shown. */
export function choiceOf(thing: Thing): Choice {
  return {
    value: thing.id,
    title: thing.title,
    thing,
    ...(thing.detail === undefined ? {} : { detail: thing.detail }),
    ...(thing.refused === undefined ? {} : { refused: thing.refused }),
  };
}

/** Free text as an answer. */
export const textChoice = (text: string): Choice => ({ value: text, title: text });

/** An answer that the palette has made sure of; throws when a command is run without it. */
export function answer(given: Given, name: string): Choice {
  const found = given[name];
  if (found === undefined) throw new Error(`This command needs ${name}`);
  return found;
}

/** The choice that is taken without asking, for a question that allows it. */
export function soleChoice(arg: Pick<Argument, 'sole'>, choices: readonly Choice[]): Choice | undefined {
  const open = choices.filter(choice => choice.refused === undefined);
  return arg.sole === true && open.length === 1 ? open[0] : undefined;
}

/** Choices with what is marked on screen first, as far as it fits what was typed. */
export function selectedFirst(kind: NounId, facts: Facts, typed: string, choices: readonly Choice[]): Choice[] {
  const wanted = typed.toLowerCase();
  const marked = facts.selection
    .filter(thing => thing.kind === kind && thing.title.toLowerCase().includes(wanted))
    .map(choiceOf);
  const ids = new Set(marked.map(choice => choice.value));
  return [...marked, ...choices.filter(choice => !ids.has(choice.value))].slice(0, CHOICES_MOST);
}
