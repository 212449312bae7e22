// What one login rule has changed of the traits that it was given.

export type Traits = Readonly<Record<string, readonly string[]>>;
interface TraitChange {
  readonly name: string;
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/** The traits of which a value came or went, by name. */
export function changedTraits(before: Traits, after: Traits): readonly TraitChange[] {
  const without = (values: readonly string[] = [], others: readonly string[] = []) =>
    values.filter(value => !others.includes(value));
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .map(name => ({ name, gained: without(after[name], before[name]), lost: without(before[name], after[name]) }))
    .filter(({ gained, lost }) => gained.length + lost.length > 0);
}
