import { expect, test } from 'vitest';
import { parseRole } from '../../gateway/services/rights/role.ts';
import { roleSchema } from './roles/schema.ts';
import { yamlProblems } from './yaml-problems.ts';

const role = (spec: string): string => `kind: role\nversion: v7\nmetadata: {name: ops}\nspec:\n${spec}`;

test.each([
  [
    role('  allow:\n    logns: [root]\n'),
    'line 6, column 5: spec.allow.logns: no such key; did you mean logins?',
    'logns:',
  ],
  [
    role('  options:\n    logins: [root]\n'),
    'line 6, column 5: spec.options.logins: no such key; it belongs under spec.allow or spec.deny',
    'logins:',
  ],
  [role('  allow:\n    logins: root\n'), 'line 6, column 13: spec.allow.logins: given "root": a list expected', 'root'],
  [role('  options: [\n'), 'not readable as YAML', ''],
])('what is wrong stands where it is, in the words of saving: %j', (text, said, marked) => {
  const [problem] = yamlProblems(roleSchema, text);
  expect(problem?.text).toContain(said);
  if (marked !== '') expect(text.slice(problem?.from, problem?.to)).toBe(marked);
  // The gateway says the same of it, with its place behind.
  const words = said.replace(/^line \d+, column \d+: /, '');
  expect(() => parseRole(text)).toThrow(words);
});

test('several problems stand each at its own place, and a text that holds has none', () => {
  const both = yamlProblems(roleSchema, role('  alow: {}\n  options: {max_session_ttl: 8h, lok: strict}\n'));
  expect(both.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^line 6, column 34: .*did you mean lock\?/),
    expect.stringMatching(/^line 5, column 3: .*did you mean allow\?/),
  ]);
  expect(yamlProblems(roleSchema, role('  allow: {logins: [root]}\n'))).toEqual([]);
});

test('a text whose references grow without bound, or never end, is refused, not read', () => {
  expect(yamlProblems(roleSchema, 'kind: &a [*a]')[0]?.text).toMatch(/not readable as YAML/);
  expect(
    yamlProblems(
      roleSchema,
      `a: &a [1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d]\n`,
    )[0]?.text,
  ).toMatch(/not readable as YAML/);
});
