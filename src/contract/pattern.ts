// What label values and role names are compared with: literals, globs with `*`, and `^regular expressions$`.
import { type Budget, TooMuchWork } from './budget.ts';
import { checkRegular, matchesRegular, PatternError } from './regular.ts';

/** Whether a glob, in which `*` stands for any text, is the whole of the text. */
export function matchesGlob(glob: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < text.length; ) {
    if (at < glob.length && glob[at] === '*') {
      star = at++;
      resume = index;
    } else if (at < glob.length && glob[at] === text[index]) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resume;
    } else return false;
  }
  while (glob[at] === '*') at++;
  return at === glob.length;
}

/** A pattern that starts with `^` and ends with `$` is a regular expression. */
export const isRegular = (pattern: string): boolean =>
  pattern.length > 1 && pattern.startsWith('^') && pattern.endsWith('$');

/** Whether a label value, role name and the like fits: literal, glob with `*`, or `^regular expression$`. Throws PatternError, TooMuchWork. */
export function fits(pattern: string, text: string, budget: Budget): boolean {
  if (isRegular(pattern)) return matchesRegular(pattern, text, budget);
  budget.steps(pattern.includes('*') ? pattern.length * (text.length + 1) : 1);
  return matchesGlob(pattern, text);
}

/** Whether any of the patterns fits. Null: none does, and of one that cannot be run it cannot be said. */
export function anyFits(patterns: readonly string[], text: string, budget: Budget): boolean | null {
  let undecided = false;
  for (const pattern of patterns)
    try {
      if (fits(pattern, text, budget)) return true;
    } catch (error) {
      if (!(error instanceof PatternError || error instanceof TooMuchWork)) throw error;
      undecided = true;
    }
  return undecided ? null : false;
}

/** Refuses a pattern that `fits` could not run. Throws PatternError. */
export function checkPattern(pattern: string): void {
  if (isRegular(pattern)) checkRegular(pattern);
}

/**
 * Label key -> allowed values: every key must fit (and), any of its values (or). An empty selector selects nothing. Null: undecided, as in
 * `anyFits`.
 */
export function selectsLabels(
  selector: Readonly<Record<string, readonly string[]>>,
  labels: Readonly<Record<string, string>>,
  budget: Budget,
): boolean | null {
  const keys = Object.entries(selector);
  let answer: boolean | null = keys.length > 0;
  for (const [key, values] of keys) {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    const fit = key === '*' ? values.includes('*') : value === undefined ? false : anyFits(values, value, budget);
    if (fit === false) return false;
    if (fit === null) answer = null;
  }
  return answer;
}
