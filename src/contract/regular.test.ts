import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { CONDITION_WORK, createBudget, TooMuchWork } from './budget.ts';
import * as pattern from './pattern.ts';
import * as regular from './regular.ts';
import { measureRegular } from './regular-size.ts';

const { checkPattern, matchesGlob } = pattern;
/** As much work as it takes. */
const unbounded = createBudget({ steps: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY });
const matchesRegular = (source: string, text: string) => regular.matchesRegular(source, text, unbounded);
const replaceRegular = (source: string, text: string, by: string) =>
  regular.replaceRegular(source, text, by, unbounded);
const fits = (one: string, text: string) => pattern.fits(one, text, unbounded);
const selectsLabels = (selector: Record<string, string[]>, labels: Record<string, string>) =>
  pattern.selectsLabels(selector, labels, unbounded);

/** Expressions over a small alphabet whose meaning the engine's RegExp shares. */
const expressions = fc.letrec<{ piece: string }>(tie => ({
  piece: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\d', '\\s', '^', '$', '\\b', 'ä'),
    fc.tuple(tie('piece'), tie('piece')).map(([first, second]) => first + second),
    fc.tuple(tie('piece'), tie('piece')).map(([first, second]) => `(${first}|${second})`),
    fc
      .tuple(tie('piece'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '+?'))
      .map(([piece, repeat]) => `(?:${piece})${repeat}`),
  ),
}));
const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' ', '-', 'ä', '😀'), maxLength: 12 });

test('it finds what the engine finds', () => {
  fc.assert(
    fc.property(expressions.piece, texts, (source, text) => {
      expect(matchesRegular(source, text)).toBe(new RegExp(source, 'u').test(text));
    }),
    { numRuns: 2000 },
  );
});

/** Without repetitions of what may be empty: there JavaScript and RE2 differ, and we are RE2. */
const plain = fc.letrec<{ piece: string }>(tie => ({
  piece: fc.oneof(
    { depthSize: 'small' },
    fc
      .tuple(
        fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', 'ä'),
        fc.constantFrom('', '', '*', '+', '?', '{2}', '*?', '+?'),
      )
      .map(parts => parts.join('')),
    fc.tuple(tie('piece'), tie('piece')).map(([first, second]) => first + second),
    fc.tuple(tie('piece'), tie('piece')).map(([first, second]) => `(${first}|${second})`),
  ),
}));

test('it replaces what the engine replaces, groups and all', () => {
  fc.assert(
    fc.property(plain.piece, texts, (source, text) => {
      const expected = text.replace(new RegExp(`(${source})`, 'gu'), '<$1>');
      expect(replaceRegular(source, text, '<$0>') ?? text).toBe(expected);
      // biome-ignore lint/suspicious/noTemplateCurlyInString: replacements are written so in the language
      expect(replaceRegular(`(${source})`, text, '<${1}>') ?? text).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

test('expressions that make other machines run for ever end at once', () => {
  const long = `${'a'.repeat(3000)}!`;
  for (const source of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(.*)*x', '^(a?){100}a{100}$', '^a*a*a*a*a*a*b$'])
    expect(matchesRegular(source, long)).toBe(false);
});

test.each([
  '(',
  ')',
  '[a',
  'a**',
  '*',
  'a{2,1}',
  'a{1001}',
  '(?=a)',
  '(?<!a)',
  '\\1',
  '\\q',
  '[z-a]',
  '\\p{Nothing}',
  'a\\',
  '(?z)',
  '((a{1000}){1000})',
  'a'.repeat(1025),
  '('.repeat(60),
])('an expression that is none is refused (%#)', source =>
  expect(() => matchesRegular(source, 'a')).toThrow('regular expression'),
);

test('flags, classes and captures as RE2 has them', () => {
  expect(matchesRegular('(?i)^HELLO$', 'hello')).toBe(true);
  expect(matchesRegular('^a(?i:B)c$', 'abc')).toBe(true);
  expect(matchesRegular('^a(?i:B)c$', 'abC')).toBe(false);
  expect(matchesRegular('^[[:alpha:]]+[[:^digit:]]$', 'ab-')).toBe(true);
  expect(matchesRegular('^\\p{L}+\\p{Greek}$', 'äω')).toBe(true);
  expect(matchesRegular('(?s)^a.b$', 'a\nb')).toBe(true);
  expect(matchesRegular('^a.b$', 'a\nb')).toBe(false);
  expect(matchesRegular('(?m)^b$', 'a\nb')).toBe(true);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: replacements are written so in the language
  expect(replaceRegular('^(?P<local>[^@]+)@(.*)$', 'ann@example.com', '${local} at $2 for $$5, $9')).toBe(
    'ann at example.com for $5, ',
  );
  expect(replaceRegular('x', 'abc', 'y')).toBeNull();
});

test('globs match the whole text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }),
      (glob, text) => {
        expect(matchesGlob(glob, text)).toBe(new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(text));
      },
    ),
  );
});

test('a pattern is a literal, a glob, or an expression between ^ and $', () => {
  expect(fits('prod', 'prod')).toBe(true);
  expect(fits('prod', 'production')).toBe(false);
  expect(fits('pr*d', 'prod')).toBe(true);
  expect(fits('^(prod|dev)$', 'dev')).toBe(true);
  expect(fits('p.od', 'prod')).toBe(false);
  expect(() => checkPattern('^($')).toThrow('regular expression');
});

test('a label selector: all keys, any value, an empty one nothing, * everything', () => {
  const labels = { env: 'prod', tier: 'web' };
  expect(selectsLabels({}, labels)).toBe(false);
  expect(selectsLabels({ '*': ['*'] }, {})).toBe(true);
  expect(selectsLabels({ env: ['dev', 'prod'], tier: ['web'] }, labels)).toBe(true);
  expect(selectsLabels({ env: ['prod'], tier: ['db'] }, labels)).toBe(false);
  expect(selectsLabels({ missing: ['*'] }, labels)).toBe(false);
  expect(selectsLabels({ constructor: ['*'] }, labels)).toBe(false);
});

test('what is measured before compiling is never less than what is compiled, and no match is shorter than measured', () => {
  fc.assert(
    fc.property(fc.oneof(expressions.piece, plain.piece), texts, (source, text) => {
      const { steps, shortest } = measureRegular(source);
      expect(RE2JS.compile(source).programSize()).toBeLessThanOrEqual(steps + 4);
      const match = new RegExp(source, 'u').exec(text)?.[0];
      if (match !== undefined) expect([...match].length).toBeGreaterThanOrEqual(shortest);
    }),
    { numRuns: 2000 },
  );
});

test('a replacement is refused before it is made, and a search before it is run', () => {
  const budget = () => createBudget(CONDITION_WORK);
  expect(() => regular.replaceRegular('a', 'a'.repeat(1000), '$0'.repeat(500), budget())).toThrow(TooMuchWork);
  expect(() => regular.matchesRegular('^(a?){100}a{100}$', 'a'.repeat(3000), budget())).toThrow(TooMuchWork);
  const small = budget();
  expect(regular.replaceRegular('^(.*)@example\\.com$', 'ann@example.com', '$1', small)).toBe('ann');
  expect(small.spent()).toBeLessThan(CONDITION_WORK.steps / 100);
});

test('of patterns of which one cannot be run, it cannot be said that none fits', () => {
  const budget = () => createBudget(CONDITION_WORK);
  expect(pattern.anyFits(['x', '^($', 'prod'], 'prod', budget())).toBe(true);
  expect(pattern.anyFits(['x', '^($'], 'prod', budget())).toBe(null);
  expect(pattern.anyFits(['x'], 'prod', budget())).toBe(false);
  expect(pattern.selectsLabels({ a: ['^($'], b: ['1'] }, { a: 'x', b: '1' }, budget())).toBe(null);
  expect(pattern.selectsLabels({ a: ['^($'], b: ['1'] }, { a: 'x', b: '2' }, budget())).toBe(false);
});
