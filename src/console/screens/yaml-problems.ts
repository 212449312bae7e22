// What is wrong with a YAML text of a kind that has a schema, as the gateway would say it. Texts in languages of their own it reads alone.
import { LineCounter, parseDocument } from 'yaml';
import * as z from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import { explainIssues } from '../../contract/explain.ts';
import { documentErrors, documentValue, offsetOf, PARSING } from '../../contract/yaml-offset.ts';
import type { TextProblem } from '../ui/CodeField.tsx';

/** Every problem with its place; none where the text holds. */
export function yamlProblems(schema: $ZodType, text: string): readonly TextProblem[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...PARSING, lineCounter: lines });
  const at = (from: number, said: string): TextProblem => {
    const { line, col } = lines.linePos(from);
    const [word = ''] = /^\S*/.exec(text.slice(from)) ?? [];
    return { from, to: from + word.length, text: `line ${line}, column ${col}: ${said}` };
  };
  const [broken] = documentErrors(document);
  if (broken) return [at(broken.pos[0], `not readable as YAML: ${broken.message}`)];
  let value: unknown;
  try {
    value = documentValue(document);
  } catch (error) {
    return [at(0, `not readable as YAML: ${error instanceof Error ? error.message : String(error)}`)];
  }
  const issues = z.safeParse(schema, value).error?.issues ?? [];
  return explainIssues(issues, value, schema).map(({ text: said, path, key }) =>
    at(offsetOf(document.contents, path, key), said),
  );
}
