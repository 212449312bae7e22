// What a schema refuses, in words: the key, what was given and what is allowed.
import type * as z from 'zod/v4/core';
import { keyHint } from './schema-keys.ts';
import { plainText } from './visible-text.ts';

type Issue = z.$ZodIssue;

/** A problem of one document: the path it concerns, whether the key itself is wrong, and the sentence. */
export interface Explained {
  readonly path: readonly PropertyKey[];
  readonly key: boolean;
  readonly text: string;
}

/** Longest value repeated in a problem, characters. */
const GIVEN_MOST_CHARACTERS = 80;

const expectations: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: '"key: value" lines',
  record: '"key: value" lines',
};

/** Most problems of a document that are explained: whoever has mended so many hears of the next. */
const PROBLEMS_MOST = 50;

/** One sentence for each thing that is wrong, as far as PROBLEMS_MOST; an unknown key is one each. */
export function explainIssues(issues: readonly Issue[], value: unknown, schema: z.$ZodType): readonly Explained[] {
  const explained: Explained[] = [];
  for (const issue of issues) {
    if (explained.length >= PROBLEMS_MOST) break;
    explained.push(...explainIssue(issue, value, schema));
  }
  return explained;
}

function explainIssue(issue: Issue, value: unknown, schema: z.$ZodType): readonly Explained[] {
  const { path } = issue;
  const given = valueAt(value, path);
  const said = (text: string, key = false): readonly Explained[] => [{ path, key, text: `${dotted(path)}: ${text}` }];
  switch (issue.code) {
    case 'unrecognized_keys': {
      return issue.keys.slice(0, PROBLEMS_MOST).map(name => {
        const text = `${dotted([...path, name])}: no such key${keyHint(name, schema, path)}`;
        return { path: [...path, name], key: true, text };
      });
    }
    case 'invalid_key': {
      const [inner] = issue.issues;
      return said(`this name is not allowed: ${inner?.message ?? issue.message}`, true);
    }
    case 'invalid_union': {
      // A union's own message says nothing; the branch that got furthest does.
      const inner = issue.errors.flat().sort((first, second) => second.path.length - first.path.length)[0];
      if (!inner) return said(`${shown(given)}: ${issue.message}`);
      return explainIssue({ ...inner, path: [...path, ...inner.path] } as Issue, value, schema);
    }
    case 'invalid_value': {
      const allowed = issue.values.map(one => String(one)).join(', ');
      const expected = issue.values.length === 1 ? `${allowed} expected` : `one of ${allowed} expected`;
      return said(given === undefined ? `missing: ${expected}` : `${shown(given)}: ${expected}`);
    }
    case 'invalid_type': {
      const expected = `${expectations[issue.expected] ?? issue.expected} expected`;
      if (given === undefined) return said(`missing: ${expected}`);
      const quotes = issue.expected === 'string' && (typeof given === 'number' || typeof given === 'boolean');
      return said(`${shown(given)}: ${expected}${quotes ? ' (write it in quotes)' : ''}`);
    }
    default:
      return said(`${shown(given)}: ${issue.message}`);
  }
}

/** A path as problems name it: `spec.roles[1]`. */
export const dotted = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('') || 'the document';

/** A value as a problem repeats it: cut short, without the password of an address and without what a terminal would obey. */
export function shown(value: unknown): string {
  const text = plainText((JSON.stringify(value) ?? String(value)).replaceAll(/:[^\s:@"]+@/g, ':…@'));
  return `given ${text.length > GIVEN_MOST_CHARACTERS ? `${text.slice(0, GIVEN_MOST_CHARACTERS).toWellFormed()}…` : text}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Readonly<Record<PropertyKey, unknown>>)[part];
  }
  return at;
}
