// The blanks in a snippet: {{name}}, {{name=default}}, {{name=one|two|three}}.

/** Blanks of one snippet that are asked for; further ones stay as they are written. */
const VARIABLES_MOST = 20;
const BLANK = /\{\{ *([A-Za-z][\w-]{0,39}) *(?:=([^{}\n]{0,400}))?\}\}/g;

export interface Variable {
  readonly name: string;
  /** What it begins with: '' where nothing is said. */
  readonly value: string;
  /** What is chosen from; empty: any text. */
  readonly choices: readonly string[];
}

/** The blanks of a snippet in their order, each once; what stands behind the first `=` of a name counts. */
export function variablesOf(text: string): readonly Variable[] {
  const found = new Map<string, Variable>();
  for (const [, name = '', given] of text.matchAll(BLANK)) {
    const known = found.get(name);
    if (known === undefined ? found.size >= VARIABLES_MOST : known.value !== '' || given === undefined) continue;
    const choices = (given ?? '').split('|').map(choice => choice.trim());
    found.set(name, { name, value: choices[0] ?? '', choices: choices.length > 1 ? choices : [] });
  }
  return [...found.values()];
}

/** The text with its blanks filled; those without a value are left as they are written. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(BLANK, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? whole) : whole));

/** The text with what its blanks begin with; those without a default are left to be written over. */
export const withDefaults = (text: string): string =>
  filled(
    text,
    Object.fromEntries(variablesOf(text).flatMap(({ name, value }) => (value === '' ? [] : [[name, value]]))),
  );
