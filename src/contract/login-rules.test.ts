// The language of login rules: what it makes of traits, what it refuses to read, and where it stops.
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { loginRuleDocument } from './login-rule-document.ts';
import { applyLoginRule, LoginRuleError, readLoginRule } from './login-rules.ts';

const given = { email: ['Ann@Example.com'], groups: ['dev', 'ops'], 'is.admin': ['yes'] };
const byExpression = (traits_expression: string) =>
  applyLoginRule(readLoginRule({ priority: 0, traits_expression }), given);
const byMap = (traits_map: Record<string, string[]>) =>
  applyLoginRule(readLoginRule({ priority: 0, traits_map }), given);

test.each([
  ['external', given],
  ['internal', given],
  ['dict()', {}],
  ['dict(pair("groups", "a", set("b", "a")), pair("groups", "c"))', { groups: ['a', 'b', 'c'] }],
  ['dict(pair("x", external.missing))', {}],
  ['external.put("groups", strings.upper(external.groups))', { ...given, groups: ['DEV', 'OPS'] }],
  ['external.add("groups", set("dev", "all"))', { ...given, groups: ['dev', 'ops', 'all'] }],
  ['external.remove("email", "is.admin")', { groups: ['dev', 'ops'] }],
  ['union(dict(pair("a", "1")), dict(pair("a", "2"), pair("b", "3")))', { a: ['1', '2'], b: ['3'] }],
  ['ifelse(contains(external.groups, "ops"), dict(pair("logins", "root")), external)', { logins: ['root'] }],
  ['ifelse(!(external["is.admin"] == "yes") || contains(external.groups, "x"), external, dict())', {}],
  ['dict(pair("logins", strings.lower(email.local(external.email))))', { logins: ['ann'] }],
] as const)('%s', (source, made) => expect(byExpression(source)).toEqual(made));

test('a map names the traits of the session, and what it does not name is gone', () => {
  expect(
    byMap({
      logins: ['regexp.replace(email.local(external.email), "^(.*)$", "u-$1")', '"guest"'],
      groups: ['ifelse(contains(external.groups, "dev"), union(external.groups, "all"), set())'],
      none: [],
    }),
  ).toEqual({ logins: ['u-Ann', 'guest'], groups: ['dev', 'ops', 'all'] });
});

test.each([
  ['external.groups', 'what stands for all traits expected'],
  ['"x"', 'what stands for all traits expected'],
  ['dict("a")', 'pair("trait", values) expected'],
  ['dict(pair(external.x, "a"))', 'the name of a trait expected'],
  ['dict(pair("__proto__", "a"))', 'the name of a trait expected'],
  ['external.put("a")', 'takes 2 arguments'],
  ['ifelse(external.groups, external, external)', 'true or false expected'],
  ['ifelse(contains(external.groups, "a"), external)', 'takes 3 arguments'],
  ['dict(pair("a", user.metadata.name))', 'unknown field user.metadata.name'],
  ['dict(pair("a", exec("rm")))', 'unknown function exec'],
  ['dict(pair("a", regexp.replace(external.a, external.b, "c")))', 'written out in quotes'],
  ['dict(pair("a", regexp.replace(external.a, "(", "c")))', 'regexp.replace'],
  ['external.', 'a name expected'],
])('%s cannot be read: %s', (source, why) => {
  const read = () => readLoginRule({ priority: 0, traits_expression: source });
  expect(read).toThrow(LoginRuleError);
  if (why !== 'regexp.replace') expect(read).toThrow(why);
});

test('what cannot be read in a map is found where it stands', () => {
  try {
    byMap({ logins: ['"a"', 'email.local('] });
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ path: ['traits_map', 'logins', 1] });
  }
});

test('a rule that makes too much, or works too much, fails rather than cut anything', () => {
  const many = Array.from({ length: 1001 }, (_, index) => String(index));
  const rule = (text: string) => readLoginRule({ priority: 0, traits_expression: text });
  expect(() => applyLoginRule(rule('external'), { a: many })).toThrow('more than 1000 values');
  expect(() => applyLoginRule(rule('external'), { a: ['x'.repeat(256)] })).toThrow('more than 255 characters');
  const wide = Object.fromEntries(many.slice(0, 101).map(name => [name, ['x']]));
  expect(() => applyLoginRule(rule('external'), wide)).toThrow('more than 100 traits');
  const heavy = readLoginRule({
    priority: 0,
    traits_map: { a: Array.from({ length: 100 }, () => `union(${Array(60).fill('external.a').join(', ')})`) },
  });
  expect(() => applyLoginRule(heavy, { a: many.slice(0, 1000) })).toThrow('more work than a login rule may');
});

test('a document has one of the two forms, a whole priority, and nothing else', () => {
  const takes = (spec: object) =>
    z.safeParse(loginRuleDocument, { kind: 'login_rule', version: 'v1', metadata: { name: 'a' }, spec }).success;
  expect(takes({ priority: -5, traits_map: { a: ['"b"'] } })).toBe(true);
  expect(takes({ priority: 1, traits_expression: 'external' })).toBe(true);
  for (const spec of [
    { priority: 1 },
    { traits_map: {} },
    { priority: 1.5, traits_map: {} },
    { priority: 1, traits_map: {}, traits_expression: 'external' },
    { priority: 1, traits_map: { a: 'b' } },
    { priority: 1, traits_map: {}, when: 'x' },
  ])
    expect(takes(spec)).toBe(false);
});
