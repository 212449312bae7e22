// Which roles somebody from a root cluster has at its leaf: rules from the names of roles there to roles here.
import * as z from 'zod/mini';
import { type Budget, createBudget, FILLING_WORK, TooMuchWork } from './budget.ts';
import { described, named, shortText } from './document-parts.ts';
import { isRegular } from './pattern.ts';
import { checkRegular, PatternError, replacementParts, replaceRegular } from './regular.ts';

/** Rules of one map, and roles of one rule, at most. */
const RULES_MOST = 100;
const LOCAL_MOST = 100;

/** A pattern as an expression that holds the whole name; each `*` of a glob is a group. Null: a name to the letter. */
function expressionOf(remote: string): string | null {
  // In a group of its own: an alternative inside must not reach over either end.
  if (isRegular(remote)) return `^(?:${remote.slice(1, -1)})$`;
  if (!remote.includes('*')) return null;
  const parts = remote.split('*').map(part => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return `^${parts.join('(.*)')}$`;
}
function canRun(remote: string): boolean {
  const expression = expressionOf(remote);
  if (expression === null) return true;
  try {
    checkRegular(expression);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

const roleMapRule = z.strictObject({
  remote: described(
    'A role of the root: its name, a glob such as dev-*, or a ^regular expression$.',
    shortText.check(
      z.minLength(1, 'not empty'),
      z.refine(canRun, 'a name, a glob such as dev-*, or a ^regular expression$ in the language of RE2'),
    ),
  ),
  local: described(
    'Roles of this cluster; $1 stands for what the first group, or the first *, holds.',
    named('role', z.array(shortText.check(z.minLength(1, 'not empty')))).check(
      z.minLength(1, 'at least one role'),
      z.maxLength(LOCAL_MOST, `at most ${LOCAL_MOST} roles`),
    ),
  ),
});
export const roleMap = z
  .array(roleMapRule)
  .check(z.minLength(1, 'at least one rule'), z.maxLength(RULES_MOST, `at most ${RULES_MOST} rules`));
export type RoleMap = z.output<typeof roleMap>;

/** Whether what the root calls its role is part of the name of this one. */
const isCaptured = (local: string): boolean => replacementParts(local).some(part => 'group' in part);

/** A role by a map. `captured`: its name was made of what the root calls one of its roles. */
export interface MappedRole {
  readonly name: string;
  readonly captured: boolean;
}

/** The roles that a map gives whoever has these at the root, each once. What cannot be decided within the bounds of work gives none. */
export function mappedRoles(map: RoleMap, remotes: readonly string[]): readonly MappedRole[] {
  const budget = createBudget(FILLING_WORK);
  const found = new Map<string, MappedRole>();
  for (const rule of map)
    for (const remote of remotes)
      for (const one of byRule(rule, remote, budget)) {
        // Named to the letter by one rule is named to the letter.
        if (one.name !== '' && (!one.captured || !found.has(one.name))) found.set(one.name, one);
      }
  return [...found.values()];
}

function byRule({ remote, local }: RoleMap[number], role: string, budget: Budget): readonly MappedRole[] {
  const expression = expressionOf(remote);
  if (expression === null) return remote === role ? local.map(name => ({ name, captured: false })) : [];
  try {
    return local.flatMap(name => {
      const filled = replaceRegular(expression, role, name, budget);
      return filled === null ? [] : [{ name: filled, captured: isCaptured(name) }];
    });
  } catch (error) {
    if (error instanceof PatternError || error instanceof TooMuchWork) return [];
    throw error;
  }
}
