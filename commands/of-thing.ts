// What can be done with one thing: its row's button, Enter, the row's menu and the palette read it here.
import { nouns } from '../src/features/nouns.ts';
import type { Command, Facts, Registry, Thing } from './command.ts';

/** Whether a person can do it now. */
const isOpen = (row: Command, facts: Facts): boolean =>
  (row.when?.(facts) ?? true) && row.blocked?.(facts) === undefined;

/** What is done with a thing first; undefined where that is nothing, or not this person's to do. */
export const primaryOf = (thing: Thing, facts: Facts, { byId }: Registry): Command | undefined =>
  nouns[thing.kind].primary
    ?.map(byId)
    .find(row => row !== undefined && (row.fits?.(thing) ?? true) && isOpen(row, facts));

/** The commands that begin with such a thing, in the order of the registry, what cannot be undone last. */
export const commandsOf = (thing: Thing, { rows }: Registry): readonly Command[] =>
  destructiveLast(rows.filter(({ args, fits }) => args?.[0]?.takes === thing.kind && (fits?.(thing) ?? true)));

export const destructiveLast = (rows: readonly Command[]): readonly Command[] =>
  rows.toSorted((one, other) => Number(one.destructive === true) - Number(other.destructive === true));
