// What guards say of a statement. They only take away, so that what one role guards no other role frees.
import { effectWords, guardEffects, guardWords } from '../../../../contract/guards.ts';
import { matchesGlob } from '../../../../contract/pattern.ts';
import type { StatementFacts, Verdict } from '../../../ports/databases.ts';
import type { Guard } from '../../../ports/rights.ts';

/** The strictest guard that is about any of the statements; of what cannot be read (null), the strictest of all. Null: none is about them. */
export function verdictOf(guards: readonly Guard[], statements: readonly StatementFacts[] | null): Verdict | null {
  const about = guards.filter(guard => statements === null || statements.some(facts => fits(guard, facts)));
  const [guard] = about.toSorted((one, other) => strictness(other) - strictness(one));
  if (!guard) return null;
  const reviewers = about.flatMap(one => (one.effect === 'ask' && one.reviewers ? [one.reviewers] : []));
  const { name, role, effect, message } = guard;
  const what = statements === null ? 'what cannot be looked into' : guardWords(guard);
  const text = `guard "${name}" of role ${role} ${effectWords[effect]} ${what}`;
  return { effect, guard: name, role, text: message ? `${text}: ${message}` : text, reviewers };
}
const strictness = ({ effect }: Guard): number => guardEffects.indexOf(effect);

/** All that a guard names must be so. */
const fits = ({ statements, tables, columns }: Guard, facts: StatementFacts): boolean =>
  (statements === undefined || statements.some(kind => facts.kinds.has(kind))) &&
  (tables === undefined || tables.some(pattern => facts.tables.some(table => isTable(pattern, table)))) &&
  (columns === undefined || columns.some(pattern => names(pattern, facts)));

/** Names are compared as PostgreSQL folds those without quotes. One without a schema may be of any, and so may a pattern without. */
function isTable(pattern: string, { schema, name }: StatementFacts['tables'][number]): boolean {
  const [last = '', of] = pattern.toLowerCase().split('.').reverse();
  return (
    matchesGlob(last, name.toLowerCase()) &&
    (of === undefined || schema === '' || matchesGlob(of, schema.toLowerCase()))
  );
}

/** Whether a statement may touch the column: it names its table, and it or all columns. */
function names(pattern: string, { tables, columns, allColumns }: StatementFacts): boolean {
  const at = pattern.lastIndexOf('.');
  const [table, column] = [pattern.slice(0, at), pattern.slice(at + 1).toLowerCase()];
  return (
    tables.some(one => isTable(table, one)) &&
    (allColumns || [...columns].some(one => matchesGlob(column, one.toLowerCase())))
  );
}
