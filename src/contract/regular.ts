// Runs regular expressions that people write in roles and filters, in RE2's language: no look-around, no back references, and time
// linear in the text, where the engine's own RegExp could be made to run for ever.
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import type { Budget } from './budget.ts';
import { measureRegular, type RegularSize } from './regular-size.ts';

/** Longest expression, characters, and largest program it may compile to, steps: they bound the work per character of text. */
const REGULAR_MOST_CHARACTERS = 1024;
const PROGRAM_MOST_STEPS = 4000;
/** What is measured before compiling may be this much too high. */
const MEASURED_MOST_STEPS = 4 * PROGRAM_MOST_STEPS;
const NESTING_MOST_LEVELS = 50;
/** Steps of all programs that are kept compiled; beyond that the one unused for longest goes. */
const KEPT_MOST_STEPS = 100_000;

/** What is wrong with a pattern, for people. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
  constructor(what: string) {
    super(`regular expression: ${what}`);
  }
}

const kept = new Map<string, RE2JS>();
let keptSteps = 0;

function programOf(source: string): RE2JS {
  const known = kept.get(source);
  const program = known ?? compile(source);
  // The last in the map is the one used last.
  kept.delete(source);
  kept.set(source, program);
  if (!known) keptSteps += program.programSize();
  for (const [other, unused] of kept) {
    if (keptSteps <= KEPT_MOST_STEPS) break;
    kept.delete(other);
    keptSteps -= unused.programSize();
  }
  return program;
}

function compile(source: string): RE2JS {
  if (source.length > REGULAR_MOST_CHARACTERS)
    throw new PatternError(`longer than ${REGULAR_MOST_CHARACTERS} characters`);
  if (/(?:^|[^\\])(?:\\\\)*\\Q/.test(source)) throw new PatternError('"\\Q" is not supported');
  const { steps, levels } = measureRegular(source);
  if (levels > NESTING_MOST_LEVELS) throw new PatternError(`more than ${NESTING_MOST_LEVELS} nested groups`);
  if (steps > MEASURED_MOST_STEPS) throw new PatternError('it repeats too much');
  try {
    const program = RE2JS.compile(source);
    if (program.programSize() > PROGRAM_MOST_STEPS) throw new PatternError('it repeats too much');
    return program;
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) throw new PatternError(error.getDescription() + hint(source));
    if (error instanceof RE2JSException) throw new PatternError(error.message);
    throw error;
  }
}

/** What people bring along from other languages. */
const hint = (source: string): string =>
  /\(\?<?[=!]|\\[1-9]/.test(source) ? ' (look-around and back references are not supported)' : '';

/** Whether the regular expression is found anywhere in the text. Throws PatternError, TooMuchWork. */
export function matchesRegular(source: string, text: string, budget: Budget): boolean {
  const program = programOf(source);
  budget.steps(program.programSize() * (text.length + 1));
  return program.matcher(text).find();
}

/** A replacement as it stands: texts, and the groups between them by name or number. */
type Part = { readonly text: string } | { readonly group: string };

/** `$1`, `${name}` and `$$` as in Go. */
export function replacementParts(replacement: string): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const found of replacement.matchAll(/\$(?:\$|\{(\w+)\}|(\w+))/g)) {
    const group = found[1] ?? found[2];
    parts.push({ text: replacement.slice(at, found.index) }, group === undefined ? { text: '$' } : { group });
    at = found.index + found[0].length;
  }
  return [...parts, { text: replacement.slice(at) }];
}

/** Replaces every match; see replacementParts. Null when nothing matched. Throws PatternError, TooMuchWork. */
export function replaceRegular(source: string, text: string, replacement: string, budget: Budget): string | null {
  const program = programOf(source);
  const names = program.namedGroups();
  const parts = replacementParts(replacement).map(part => {
    if ('text' in part) return part;
    const { group } = part;
    const index = /^\d+$/.test(group) ? Number(group) : Object.hasOwn(names, group) ? names[group] : undefined;
    return index === undefined || index > program.groupCount() ? { text: '' } : { index };
  });
  const matcher = program.matcher(text);
  const out: string[] = [];
  const add = (made: string): void => {
    budget.characters(made.length);
    out.push(made);
  };
  let at = 0;
  let matched = false;
  while (at <= text.length) {
    budget.steps(program.programSize() * (text.length - at + 1));
    if (!matcher.find(at)) break;
    matched = true;
    const [start, end] = [matcher.start(), matcher.end()];
    add(text.slice(at, start));
    for (const part of parts) add('text' in part ? part.text : (matcher.group(part.index) ?? ''));
    at = end;
    if (end > start) continue;
    // An empty match moves on by one character, or it would be found for ever.
    const [next = ''] = text.slice(end, end + 2);
    add(next);
    at = end + Math.max(1, next.length);
  }
  if (!matched) return null;
  add(text.slice(at));
  return out.join('');
}

/** Refuses an expression that could not be run, and answers its size. Throws PatternError. */
export function checkRegular(source: string): RegularSize {
  const steps = programOf(source).programSize();
  return { ...measureRegular(source), steps };
}
