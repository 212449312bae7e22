// One command on its way: what it still asks, the choices for it, and the answers so far.

import { textChoice } from '../../../commands/answer.ts';
import type { Argument, Choice, Command, Facts, Given, Tools } from '../../../commands/command.ts';
import { createIndex, matchKinds, type Ranges, rank } from '../../../commands/rank.ts';
import { type Recents, recentAnswer } from './recents.ts';

/** A choice with the letters of its title that were typed. */
export interface Offered {
  readonly choice: Choice;
  readonly ranges: Ranges;
  /** It fits what was typed only inside a word, by its further words or by initials. */
  readonly isWeak: boolean;
}

/** Answers in the order they were given, and texts that were typed ahead for questions still to come. */
export interface Progress {
  readonly command: Command;
  readonly given: Given;
  /** Names of optional questions that were passed over. */
  readonly skipped: readonly string[];
  readonly ahead: Readonly<Record<string, string>>;
}

export function begin(command: Command, given: Given, ahead: Readonly<Record<string, string>> = {}): Progress {
  const args = command.args ?? [];
  const isWhole =
    Object.keys(ahead).length > 0 &&
    args.every(({ name, optional }) => optional === true || ahead[name] !== undefined || given[name] !== undefined);
  const skipped = isWhole ? args.filter(({ aside }) => aside === true).map(({ name }) => name) : [];
  return { command, given, skipped, ahead };
}

/** The question that comes next; undefined when everything is answered. */
export function question({ command, given, skipped }: Progress): Argument | undefined {
  return (command.args ?? []).find(arg => given[arg.name] === undefined && !skipped.includes(arg.name));
}

/** Takes an answer; null passes over an optional question. */
export function answered(progress: Progress, name: string, choice: Choice | null): Progress {
  const { [name]: _used, ...ahead } = progress.ahead;
  if (choice === null) return { ...progress, ahead, skipped: [...progress.skipped, name] };
  return { ...progress, ahead, given: { ...progress.given, [name]: choice } };
}

/** Takes the last answer back, with its text when a person may want to mend it; null when there is none left to take. */
export function back(progress: Progress): { readonly progress: Progress; readonly text: string } | null {
  const args = progress.command.args ?? [];
  const last = args.findLast(arg => progress.given[arg.name] !== undefined || progress.skipped.includes(arg.name));
  if (last === undefined) return null;
  const { [last.name]: taken, ...given } = progress.given;
  const skipped = progress.skipped.filter(name => name !== last.name);
  const isTyped = last.free !== undefined && last.pasted === undefined;
  const text = isTyped && taken !== undefined && taken.thing === undefined ? taken.title : '';
  return { progress: { ...progress, given, skipped, ahead: {} }, text };
}

/** The answers as chips: what was asked, and what was answered. */
export function chips({ command, given, skipped }: Progress): { readonly name: string; readonly title: string }[] {
  return (command.args ?? []).flatMap(arg => {
    const choice = given[arg.name];
    if (choice !== undefined) return [{ name: arg.name, title: choice.title }];
    return skipped.includes(arg.name) ? [{ name: arg.name, title: '–' }] : [];
  });
}

/** The choice that a typed text names exactly; undefined when none does, or several do. */
export function exactly(arg: Argument, typed: string, choices: readonly Choice[]): Choice | undefined {
  const wanted = typed.trim().toLowerCase();
  const same = choices.filter(
    choice => choice.refused === undefined && (choice.title.toLowerCase() === wanted || choice.value === typed.trim()),
  );
  if (same.length === 1) return same[0];
  return same.length === 0 && arg.free !== undefined && arg.free(typed.trim()) === undefined
    ? textChoice(typed.trim())
    : undefined;
}

/** Choices with the ones last used first; once something is typed, the ones that fit it best first. */
export function offered(
  progress: Progress,
  arg: Argument,
  typed: string,
  choices: readonly Choice[],
  recents: Recents,
): Offered[] {
  const before = Object.values(progress.given).map(choice => choice.value);
  const ready = choices.map(choice => {
    const recency = recents.recencyOf(recentAnswer(progress.command.id, arg.name, before, choice.value));
    return {
      title: choice.title,
      words: [choice.detail ?? '', ...(choice.thing?.labels ?? []).map(({ name, value }) => `${name}: ${value}`)],
      choice,
      ...(recency === undefined ? {} : { recency }),
    };
  });
  if (typed.trim() === '') {
    const last = Number.POSITIVE_INFINITY;
    return ready
      .toSorted((a, b) => (a.recency ?? last) - (b.recency ?? last) || 0)
      .map(({ choice }) => ({ choice, ranges: [], isWeak: false }));
  }
  const ranked = rank(createIndex(ready), typed);
  return ranked.map(({ item, ranges, kind }) => ({ choice: item.choice, ranges, isWeak: kind > matchKinds.wordStart }));
}

/** Asks a question's choices; an answer that is there at once comes as a promise, too. Throws what the gateway answered. */
export async function choicesOf(
  arg: Argument,
  typed: string,
  progress: Progress,
  facts: Facts,
  asks: Pick<Tools, 'call'>,
): Promise<readonly Choice[]> {
  return arg.choices(typed, progress.given, facts, asks);
}
