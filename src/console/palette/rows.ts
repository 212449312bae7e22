// Rows of the palette: what a command, a thing or an answer looks like, and what choosing it does.

import { choiceOf, textChoice } from '../../../commands/answer.ts';
import type { Argument, Choice, Command, Facts, Given, Thing } from '../../../commands/command.ts';
import { closedTo } from '../../../commands/gates.ts';
import { type Candidate, compareMatches, matchKinds, type Ranges, type Ranked } from '../../../commands/rank.ts';
import type { WholeCommand } from '../../../commands/read.ts';
import type { Label } from '../../contract/shapes.ts';
import { nouns } from '../../features/nouns.ts';
import { capital, type NounId } from '../../features/thing.ts';
import type { Offered } from './progress.ts';

/** A noun, the group of a command, or what kind of answer it is. */
export type RowIconName = NounId | `do ${Command['group']}` | 'manual' | 'choice' | 'free' | 'again';

/** A row as it is drawn. Rows are never changed, only replaced. */
export interface Row {
  /** Unique among the rows on screen, and the same for the same thing later: what is under the cursor is known by it. */
  readonly id: string;
  /** Decides the icon. */
  readonly icon: RowIconName;
  readonly title: string;
  /** Rows of one group stand together under this heading. */
  readonly group?: string;
  readonly ranges: Ranges;
  readonly detail?: string;
  readonly labels?: readonly Label[];
  /** Chord as rows spell it. */
  readonly keys?: string;
  /** Why it cannot be chosen. */
  readonly refused?: string;
  /** Explains why it cannot, where more can be said than the reason. */
  readonly why?: () => void;
  readonly destructive?: boolean;
  /** Tab puts its title into the field. */
  readonly completes?: boolean;
  /** The thing that it stands for. */
  readonly thing?: Thing;
  /** What Enter does, in a few words. */
  readonly enter: string;
  readonly choose: () => void;
  /** What Mod+Enter does, where it does something of its own. */
  readonly second?: { readonly title: string; readonly choose: () => void };
}

/** What ends or deletes stands by itself: better matches of its neighbours do not lift it above a page that matches as well. */
export const ENDING_GROUP = 'Commands that end or delete';
const PAGE_GROUP = 'Pages';
const COMMAND_GROUP = 'Commands';
const groupOf = ({ group, destructive }: Command): string =>
  destructive === true ? ENDING_GROUP : group === 'go' ? PAGE_GROUP : COMMAND_GROUP;
/** What titles of pages begin with: people look for what stands behind it. */
const GO_TO = 'Go to ';

/** A command made ready for ranking, as it stood when the palette opened. */
export interface CommandCandidate extends Candidate {
  readonly command: Command;
  readonly refused: string | undefined;
}

/** Commands that can be found: all visible ones but the palette itself. */
export function findable(
  commands: readonly Command[],
  facts: Facts,
  recencyOf: (command: Command) => number | undefined,
): CommandCandidate[] {
  return commands
    .filter(command => command.id !== 'palette.open' && (command.when === undefined || command.when(facts)))
    .map(command => {
      const recency = recencyOf(command);
      const refused = command.blocked?.(facts);
      return {
        command,
        title: command.title,
        ...(command.group === 'go' && command.title.startsWith(GO_TO) && { nameAt: GO_TO.length }),
        refused,
        ...(refused !== undefined
          ? { last: 'refused' as const }
          : command.destructive === true
            ? { last: 'destructive' as const }
            : {}),
        ...(command.words === undefined ? {} : { words: command.words }),
        ...(recency === undefined ? {} : { recency }),
      };
    });
}

export function commandRow(
  { item, ranges }: Ranked<CommandCandidate>,
  keys: string | undefined,
  start: (command: Command, given: Given) => void,
): Row {
  const { command, refused } = item;
  return {
    id: `command ${command.id}`,
    icon: `do ${command.group}`,
    title: command.title,
    group: groupOf(command),
    ranges,
    completes: true,
    enter: (command.args ?? []).length > 0 ? 'Next' : 'Run',
    choose: () => start(command, {}),
    ...(keys === undefined ? {} : { keys }),
    ...(refused === undefined ? {} : { refused, detail: refused }),
    ...(command.destructive === true ? { destructive: true } : {}),
  };
}

/** A command that was typed whole, with the answers it was given. */
export function wholeRow(
  { command, answers, missing }: WholeCommand,
  facts: Facts,
  start: (command: Command, given: Given, ahead: Readonly<Record<string, string>>) => void,
): Row {
  const said = Object.values(answers)
    .filter(text => text !== '')
    .join(', ');
  const refused = command.blocked?.(facts);
  return {
    id: `whole ${command.id}`,
    icon: `do ${command.group}`,
    title: said === '' ? command.title : `${command.title.replace(/…$/, '')}: ${said}`,
    ranges: [],
    completes: true,
    enter: missing.length > 0 ? 'Next' : 'Run',
    choose: () => start(command, {}, answers),
    ...(refused === undefined ? {} : { refused, detail: refused }),
    ...(command.destructive === true ? { destructive: true } : {}),
  };
}

export interface ThingActions {
  /** Command that Enter runs with it; absent: Enter shows it in its list. */
  readonly command: Command | undefined;
  readonly start: (command: Command, given: Given) => void;
  readonly show: (thing: Thing) => void;
  /** Explains why it cannot be opened; absent where nothing more is known. */
  readonly why: (() => void) | undefined;
}

/** A thing of the gateway. `given` holds further answers that were typed with it. */
export function thingRow(
  { item, ranges }: Ranked<Candidate & { readonly thing: Thing }>,
  { command, start, show, why }: ThingActions,
): Row {
  const { thing } = item;
  const argument = command?.args?.find(({ takes }) => takes === thing.kind);
  const refused = closedTo(thing);
  const detail = refused ?? thing.detail;
  return {
    id: `${thing.kind} ${thing.id}`.trim(),
    icon: thing.kind,
    title: thing.title,
    group: capital(nouns[thing.kind].many),
    ranges,
    completes: true,
    thing,
    enter: command === undefined ? 'Show in its list' : (command.onThing?.label ?? command.title.replace(/…$/, '')),
    choose: () =>
      command === undefined || argument === undefined
        ? show(thing)
        : start(command, { [argument.name]: choiceOf(thing) }),
    ...(detail === undefined ? {} : { detail }),
    ...(thing.labels === undefined || refused !== undefined ? {} : { labels: thing.labels }),
    ...(refused === undefined ? {} : { refused, ...(why && { why }) }),
    ...(command === undefined ? {} : { second: { title: 'Show in its list', choose: () => show(thing) } }),
  };
}

/** A possible answer to the question on screen. */
function choiceRow(
  choice: Choice,
  ranges: Ranges,
  answer: (choice: Choice) => void,
  explainer: (thing: Thing) => (() => void) | undefined,
): Row {
  const why = choice.refused === undefined ? undefined : choice.thing && explainer(choice.thing);
  const detail = choice.refused ?? choice.detail;
  return {
    id: `choice ${choice.value}`.trim(),
    icon: choice.thing?.kind ?? 'choice',
    title: choice.title,
    ranges,
    completes: true,
    enter: 'Choose',
    choose: () => answer(choice),
    ...(detail === undefined ? {} : { detail }),
    ...(choice.thing?.labels === undefined || choice.refused !== undefined ? {} : { labels: choice.thing.labels }),
    ...(choice.refused === undefined ? {} : { refused: choice.refused, ...(why && { why }) }),
  };
}

/** What was typed, as an answer by itself; refused with what is wrong with it. */
export function typedRow(text: string, wrong: string | undefined, enter: string, choose: () => void): Row {
  return {
    id: 'free',
    icon: 'free',
    title: text,
    ranges: [],
    enter,
    choose,
    ...(wrong === undefined ? { detail: 'as typed' } : { refused: wrong, detail: wrong }),
  };
}

/** Rows of a question that has one answer. What was offered and begins like what was typed comes first: Enter then takes it, as completion does. */
export function answerRows(
  arg: Argument,
  typed: string,
  offered: readonly Offered[],
  take: (choice: Choice | null) => void,
  /** Explains why a thing cannot be chosen; undefined where nothing more is known. */
  explainer: (thing: Thing) => (() => void) | undefined,
): Row[] {
  const rows = offered.map(({ choice, ranges }) => choiceRow(choice, ranges, take, explainer));
  const text = typed.trim();
  if (text === '') {
    const skip: Row = {
      id: 'skip',
      icon: 'choice',
      title: 'Leave empty',
      ranges: [],
      enter: 'Continue',
      choose: () => take(null),
    };
    return arg.optional === true ? [skip, ...rows] : rows;
  }
  if (arg.free === undefined || rows.some(row => row.title === text)) return rows;
  return [...rows, typedRow(text, arg.free(text), 'Use this', () => take(textChoice(text)))];
}

/** A shell that was opened before: the same login on the same server, at once. */
export function againRow(thing: Thing, login: string, open: () => void): Row {
  return {
    id: `again ${thing.id} ${login}`,
    icon: 'server',
    title: `${login}@${thing.title}`,
    group: 'Recent',
    ranges: [],
    completes: true,
    thing,
    enter: 'Open a shell',
    choose: open,
    ...(thing.detail === undefined ? {} : { detail: thing.detail }),
    ...(thing.labels === undefined ? {} : { labels: thing.labels }),
  };
}

/** A row, and how well it matches. */
export interface RankedRow {
  readonly ranked: Ranked<Candidate>;
  readonly row: Row;
}

/**
 * Whether it is what was typed, a word of it, what begins so, or was used lately by a word that begins so. What ends or deletes is near by a
 * whole word alone: a page that matches as well stands before it.
 */
const isNear = ({ ranked: { kind, begins, item } }: RankedRow): boolean =>
  kind <= matchKinds.word ||
  (kind === matchKinds.wordStart && item.last === undefined && (begins || item.recency !== undefined));

/**
 * Ranked rows with those of a group together: the group of the best row comes first, and pages before other commands that match no better, unless
 * a whole word was typed, which says as well what is to be done. A group that is long does not take its far matches along: they stand behind the
 * near ones of all groups.
 */
export function arranged(found: readonly RankedRow[]): Row[] {
  const near = found.filter(isNear);
  const far = found.filter(one => !isNear(one));
  return [near, far].flatMap(rows => {
    const groups = Map.groupBy(rows, ({ row }) => row.group ?? '');
    const names = [...groups.keys()];
    const [page, command] = [groups.get(PAGE_GROUP)?.[0], groups.get(COMMAND_GROUP)?.[0]];
    const at = names.indexOf(COMMAND_GROUP);
    const isPartOfWord = page !== undefined && page.ranked.kind > matchKinds.word;
    if (isPartOfWord && command && at < names.indexOf(PAGE_GROUP) && compareMatches(page.ranked, command.ranked) <= 0)
      names.splice(at, 0, ...names.splice(names.indexOf(PAGE_GROUP), 1));
    return names.flatMap(name => (groups.get(name) ?? []).map(({ row }) => row));
  });
}

/** The same rows with those of a group together: the group of the best row comes first. */
export const grouped = (rows: readonly Row[]): Row[] => [...Map.groupBy(rows, row => row.group ?? '').values()].flat();
