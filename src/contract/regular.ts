// Runs regular expressions that people write in roles and filters, in RE2's language: no look-around, no back references, and time
// linear in the text, where the engine's own RegExp could be made to run for ever.
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { measureRegular } from './regular-size.ts';

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

/** Whether the regular expression is found anywhere in the text. Throws PatternError. */
export function matchesRegular(source: string, text: string): boolean {
  return programOf(source).matcher(text).find();
}

/** Replaces every match; `$1`, `${name}` and `$$` as in Go. Null when nothing matched. Throws PatternError. */
export function replaceRegular(source: string, text: string, replacement: string): string | null {
  const program = programOf(source);
  const names = program.namedGroups();
  const matcher = program.matcher(text);
  const out: string[] = [];
  let at = 0;
  let matched = false;
  while (at <= text.length && matcher.find(at)) {
    matched = true;
    const [start, end] = [matcher.start(), matcher.end()];
    const group = (name: string): string => {
      const index = /^\d+$/.test(name) ? Number(name) : Object.hasOwn(names, name) ? names[name] : undefined;
      return index === undefined || index > program.groupCount() ? '' : (matcher.group(index) ?? '');
    };
    out.push(text.slice(at, start));
    out.push(
      replacement.replace(/\$(?:\$|\{(\w+)\}|(\w+))/g, (whole, braced?: string, bare?: string) => {
        const name = braced ?? bare;
        return name !== undefined ? group(name) : whole === '$$' ? '$' : whole;
      }),
    );
    at = end;
    if (end > start) continue;
    // An empty match moves on by one character, or it would be found for ever.
    const [next = ''] = text.slice(end, end + 2);
    out.push(next);
    at = end + Math.max(1, next.length);
  }
  return matched ? out.join('') + text.slice(at) : null;
}

/** Refuses an expression that could not be run. Throws PatternError. */
export function checkRegular(source: string): void {
  programOf(source);
}
