// What guards say of a statement. They only take away, so that what one role guards no other role frees.
import { effectWords, guardEffects, guardWords } from '../../../../contract/guards.ts';
import { matchesGlob } from '../../../../contract/pattern.ts';
import type { GuardMatch, Masked, StatementFacts } from '../../../ports/databases.ts';
import type { Guard } from '../../../ports/rights.ts';

/** The strictest guard that is about any of the statements; of what cannot be read (null), the strictest of all. Null: none is about them. */
export function matchGuards(guards: readonly Guard[], statements: readonly StatementFacts[] | null): GuardMatch | null {
  const about = guards.filter(guard => statements === null || statements.some(facts => fits(guard, facts)));
  const [guard] = about.toSorted((one, other) => strictness(other) - strictness(one));
  if (!guard) return null;
  const reviewers = about.flatMap(one => (one.effect === 'ask' && one.reviewers ? [one.reviewers] : []));
  const { name, role, effect, message } = guard;
  const what = statements === null ? 'what cannot be looked into' : guardWords(guard);
  const said = `guard "${name}" of role ${role} `;
  const text =
    effect === 'mask'
      ? `${said}masks ${guardWords(guard)}: ${statements === null ? 'what this does with it cannot be told' : 'it may be selected as it is, and used for nothing else'}`
      : `${said}${effectWords[effect]} ${what}`;
  // What goes round a mask is kept from the database.
  const does = effect === 'mask' ? 'block' : effect;
  return { effect: does, guard: name, role, text: message ? `${text}: ${message}` : text, reviewers };
}
const strictness = ({ effect }: Guard): number => guardEffects.indexOf(effect === 'mask' ? 'block' : effect);

/** What is hidden in the answer to statements of which no guard said otherwise; null: nothing. */
export function maskedIn(guards: readonly Guard[], statements: readonly StatementFacts[]): Masked | null {
  const masking = guards.filter(({ effect }) => effect === 'mask');
  const which = (guard: Guard, is: (pattern: string, facts: StatementFacts) => boolean): readonly string[] =>
    (guard.columns ?? []).filter(pattern => statements.some(facts => is(pattern, facts)));
  const patterns = masking.flatMap(guard => which(guard, namesTable));
  if (patterns.length === 0) return null;
  const told = masking.map(guard => ({ guard, columns: which(guard, names) })).filter(one => one.columns.length > 0);
  const hidden = patterns.map(partsOf);
  const isHidden = (name: string, of?: Parameters<Masked['hides']>[1]): boolean =>
    hidden.some(({ column, table }) => matchesGlob(column, name.toLowerCase()) && (!of || isTable(table, of)));
  return {
    columns: [...new Set(told.flatMap(one => one.columns))],
    texts: told.map(({ guard, columns }) => {
      const text = `guard "${guard.name}" of role ${guard.role} masks column ${columns.join(', ')}`;
      return guard.message ? `${text}: ${guard.message}` : text;
    }),
    // A name that could not be read may be any.
    hides: (name, of) =>
      name.includes('\ufffd') ||
      isHidden(name, of) ||
      statements.some(({ aliases }) => [...(aliases.get(name) ?? [])].some(one => isHidden(one, of))),
  };
}

/** All that a guard names must be so; one that masks is about what does more with a column than handing it out. */
const fits = (guard: Guard, facts: StatementFacts): boolean =>
  guard.effect === 'mask' ? goesRound(guard, facts) : isAbout(guard, facts);
const goesRound = ({ columns = [] }: Guard, facts: StatementFacts): boolean =>
  facts.renames ||
  columns.some(
    pattern => names(pattern, { ...facts, ...facts.used }) || (facts.kinds.has('ddl') && namesTable(pattern, facts)),
  );
const isAbout = ({ statements, tables, columns, commands, keys }: Guard, facts: StatementFacts): boolean =>
  (commands === undefined ||
    commands.some(pattern => facts.command?.names.some(name => matchesGlob(pattern.toLowerCase(), name)) === true)) &&
  (keys === undefined || mayTouch(keys, facts.command?.keys ?? null)) &&
  (statements === undefined || statements.some(kind => facts.kinds.has(kind))) &&
  (tables === undefined || tables.some(pattern => facts.tables.some(table => isTable(pattern, table)))) &&
  (columns === undefined || columns.some(pattern => names(pattern, facts)));

/** A key that could not be read may be any. */
const mayTouch = (patterns: readonly string[], keys: readonly string[] | null): boolean =>
  keys === null || keys.some(key => key.includes('\ufffd') || patterns.some(pattern => matchesGlob(pattern, key)));

/** Names are compared as PostgreSQL folds those without quotes. One without a schema may be of any, and so may a pattern without. */
function isTable(pattern: string, { schema, name }: StatementFacts['tables'][number]): boolean {
  const [last = '', of] = pattern.toLowerCase().split('.').reverse();
  return (
    matchesGlob(last, name.toLowerCase()) &&
    (of === undefined || schema === '' || matchesGlob(of, schema.toLowerCase()))
  );
}

/** A pattern of a column, taken apart. */
function partsOf(pattern: string): { readonly table: string; readonly column: string } {
  const at = pattern.lastIndexOf('.');
  return { table: pattern.slice(0, at), column: pattern.slice(at + 1).toLowerCase() };
}
const namesTable = (pattern: string, { tables }: Pick<StatementFacts, 'tables'>): boolean =>
  tables.some(one => isTable(partsOf(pattern).table, one));

/** Whether a statement may touch the column: it names its table, and it or all columns. */
function names(pattern: string, facts: Pick<StatementFacts, 'tables' | 'columns' | 'allColumns'>): boolean {
  const { column } = partsOf(pattern);
  return (
    namesTable(pattern, facts) &&
    (facts.allColumns || [...facts.columns].some(one => matchesGlob(column, one.toLowerCase())))
  );
}
