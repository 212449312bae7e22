// What label values and role names are compared with: literals, globs with `*`, and `^regular expressions$`.
import { checkRegular, matchesRegular } from './regular.ts';

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

/** A pattern that starts with `^` and ends with `$` is a regular expression (contract/roles.md 2). */
export const isRegular = (pattern: string): boolean =>
  pattern.length > 1 && pattern.startsWith('^') && pattern.endsWith('$');

/** Whether a label value, role name and the like fits: literal, glob with `*`, or `^regular expression$`. Throws PatternError. */
export function fits(pattern: string, text: string): boolean {
  return isRegular(pattern) ? matchesRegular(pattern, text) : matchesGlob(pattern, text);
}

/** Refuses a pattern that `fits` could not run. Throws PatternError. */
export function checkPattern(pattern: string): void {
  if (isRegular(pattern)) checkRegular(pattern);
}

/** Label key -> allowed values: every key must fit (and), any of its values (or). An empty selector selects nothing (contract/roles.md 2). */
export function selectsLabels(
  selector: Readonly<Record<string, readonly string[]>>,
  labels: Readonly<Record<string, string>>,
): boolean {
  const keys = Object.entries(selector);
  return (
    keys.length > 0 &&
    keys.every(([key, values]) => {
      if (key === '*') return values.includes('*');
      const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
      return value !== undefined && values.some(pattern => fits(pattern, value));
    })
  );
}
