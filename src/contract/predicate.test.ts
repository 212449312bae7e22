import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONDITION_WORK, createBudget, FILLING_WORK, TooMuchWork } from './budget.ts';
import {
  decide,
  type Expression,
  PredicateError,
  parsePredicate,
  parseTemplate,
  printPredicate,
  valuesOf,
} from './predicate.ts';
import { growth } from './predicate-growth.ts';
import { readExpression } from './predicate-syntax.ts';

const holds = (source: string, scope: Record<string, unknown> = {}) =>
  decide(parsePredicate(source), scope, createBudget(CONDITION_WORK));
const server = {
  labels: { env: 'prod', 'app.tier': 'web' },
  name: 'web-1',
  resource: { kind: 'node', spec: { hostname: 'web-1', port: 22 }, metadata: { labels: { env: 'prod' } } },
};

const text = fc.string({ unit: 'binary', maxLength: 12 });
const word = fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/);
const trees = fc.letrec<{ value: Expression; claim: Expression }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text.map(value => ({ kind: 'literal' as const, value })),
    fc
      .tuple(fc.constantFrom('name', 'resource', 'x'), fc.array(fc.oneof(word, text), { maxLength: 3 }))
      .map(([root, rest]) => ({ kind: 'field' as const, path: [root, ...rest] })),
    text.map(key => ({ kind: 'field' as const, path: ['labels', key] })),
    fc
      .tuple(fc.constantFrom('f', 'email.local'), fc.array(tie('value'), { maxLength: 3 }))
      .map(([name, args]) => ({ kind: 'call' as const, name, args })),
  ),
  claim: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .tuple(fc.constantFrom('exists', 'search'), fc.array(tie('value'), { maxLength: 3 }))
      .map(([name, args]) => ({ kind: 'call' as const, name, args })),
    fc
      .tuple(fc.constantFrom('equal' as const, 'unequal' as const), tie('value'), tie('value'))
      .map(([kind, left, right]) => ({ kind, left, right })),
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), tie('claim'), tie('claim'))
      .map(([kind, left, right]) => ({ kind, left, right })),
    tie('claim').map(of => ({ kind: 'not' as const, of })),
  ),
}));

test('an expression that is printed and read again is the same', () => {
  fc.assert(
    fc.property(trees.claim, tree => {
      const printed = printPredicate(tree);
      if (printed.length < 4000) expect(readExpression(printed).expression).toEqual(tree);
    }),
    { numRuns: 500 },
  );
});

test('anything typed is read or refused with a PredicateError, quickly', () => {
  const pieces = fc.array(
    fc.constantFrom(
      'labels',
      '["a"]',
      '(',
      ')',
      '!',
      '==',
      '&&',
      '||',
      'search',
      ',',
      '"x"',
      '`',
      '.',
      ' ',
      '"',
      '\\',
      'name',
      '1',
      '=',
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        pieces.map(all => all.join('')),
      ),
      source => {
        try {
          holds(source, server);
        } catch (error) {
          expect(error).toBeInstanceOf(PredicateError);
          expect((error as Error).message).toMatch(/^failed to parse predicate expression: /);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

describe('the query language', () => {
  test.each([
    ['labels["env"] == "prod"', true],
    ['labels.env == `prod`', true],
    ['labels.app.tier == "web"', true],
    ['labels["nothing"] == ""', true],
    ['labels["env"] != "prod"', false],
    ['name == "web-1" && labels.env == "prod"', true],
    ['name == "x" || labels.env == "prod"', true],
    ['!(name == "x") && !exists(labels["x"])', true],
    ['exists(labels["env"])', true],
    ['equals(labels["env"], "prod")', true],
    ['hasPrefix(name, "web-")', true],
    ['hasPrefix(name, "db-")', false],
    ['resource.kind == "node"', true],
    ['resource.spec.hostname == "web-1"', true],
    ['resource.spec.port == "22"', true],
    ['resource.metadata.labels["env"] == "prod"', true],
    ['name == "a" || name == "web-1" && labels.env == "dev"', false],
    ['(name == "web-1" || name == "a") && labels.env == "prod"', true],
  ])('%s is %s', (source, expected) => expect(holds(source, server)).toBe(expected));

  test('search() wants every word, in any case, in any of the searchable texts', () => {
    const scope = { searchable: ['Web-1', 'two words', 'prod'] };
    expect(holds('search("web", "PROD")', scope)).toBe(true);
    expect(holds('search("two words")', scope)).toBe(true);
    expect(holds('search("web", "missing")', scope)).toBe(false);
  });

  test('a field never reaches what an object inherits', () => {
    expect(holds('exists(labels["constructor"])', { labels: {} })).toBe(false);
    expect(holds('resource.__proto__.toString == ""', { resource: {} })).toBe(true);
  });
});

describe('label expressions', () => {
  const scope = {
    labels: { team: 'ops', env: 'staging', 'aws/region': 'eu', 'aws/zone': 'eu-1' },
    user: { spec: { traits: { teams: ['ops', 'dev'], mail: ['ann@example.com', 'nobody'] } } },
  };
  test.each([
    ['contains(user.spec.traits["teams"], labels["team"])', true],
    ['contains(user.spec.traits["nothing"], labels["team"])', false],
    ['contains_any(user.spec.traits["teams"], labels["team"])', true],
    ['contains_all(user.spec.traits["teams"], user.spec.traits["teams"])', true],
    ['contains_all(labels["team"], user.spec.traits["teams"])', false],
    ['regexp.match(labels["env"], "^(staging|test)$")', true],
    ['regexp.match(user.spec.traits["teams"], "^d")', true],
    ['regexp.match(labels["env"], "^prod")', false],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: replacements are written so in the language
    ['contains(regexp.replace(user.spec.traits["teams"], "^(.)p(.)$", "$2${1}"), "so")', true],
    ['contains(email.local(user.spec.traits["mail"]), "ann")', true],
    ['contains(email.local(user.spec.traits["mail"]), "nobody")', false],
    ['contains(strings.upper(user.spec.traits["teams"]), "OPS")', true],
    ['contains(strings.lower(labels["team"]), "ops")', true],
    ['contains_all(labels_matching("aws/*"), "eu-1")', true],
    ['contains(labels_matching("^aws/z.*$"), "eu")', false],
  ])('%s is %s', (source, expected) =>
    expect(decide(parsePredicate(source, 'labels'), scope, createBudget(CONDITION_WORK))).toBe(expected),
  );
});

describe('what cannot be read', () => {
  test.each([
    ['', 'a value expected, the end found (character 1)'],
    ['labels["a"] = "b"', 'unexpected "=", did you mean ==? (character 13)'],
    ['name', 'a comparison or a function that is true or false expected, a value found (character 1)'],
    ['name == "a', 'a text without its closing quote (character 9)'],
    ['name == "\\q"', 'unknown escape "\\q" in a text (character 10)'],
    ['(name == "a"', '")" expected, the end found (character 13)'],
    ['name == "a" name', 'nothing more expected, "name" found (character 13)'],
    ['labels[env] == "a"', 'a text expected after "[", "env" found (character 8)'],
    ['hasPrefix(name)', 'hasPrefix() takes 2 arguments, 1 given (character 1)'],
    ['nonsense(name)', 'unknown function nonsense; known here: equals, exists, hasPrefix, search (character 1)'],
    ['nothing == "a"', 'unknown field nothing; known here: labels["…"], name, resource.… (character 1)'],
    ['labels == "a"', 'unknown field labels; known here'],
    ['name.x == "a"', 'unknown field name.x; known here'],
    ["name == 'a'", 'unexpected "\'", texts stand in "double" or `back` quotes (character 9)'],
  ])('%s', (source, what) =>
    expect(() => parsePredicate(source, 'query')).toThrow(`failed to parse predicate expression: ${what}`),
  );

  test('a field that is misspelt is refused in roles, where nobody would notice', () => {
    expect(() => parsePredicate('contains(user.spec.trait["a"], "b")', 'labels')).toThrow(
      'unknown field user.spec.trait.a; known here: labels["…"], user.spec.traits["…"]',
    );
    expect(() => parsePredicate('equals(user.name, "b")', 'where')).toThrow(
      'unknown field user.name; known here: user.metadata.name',
    );
  });
  test('the place is told as a number too', () => {
    try {
      parsePredicate('name == ');
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ name: 'PredicateError', at: 8 });
    }
  });
  test('a regular expression that cannot be run is refused while parsing', () =>
    expect(() => parsePredicate('regexp.match(labels["a"], "(")')).toThrow('regular expression'));
  test('depth, length and number of parts are bounded', () => {
    expect(() => parsePredicate(`${'('.repeat(40)}name == "a"${')'.repeat(40)}`)).toThrow('nested more than 32 deep');
    expect(() => parsePredicate(`${'!'.repeat(5000)}exists(name)`)).toThrow('longer than 4096 characters');
    expect(() => parsePredicate(Array.from({ length: 300 }, () => 'name=="a"').join('&&'))).toThrow(
      'more than 512 parts',
    );
  });
});

test('a template stands for the values of a trait', () => {
  const budget = createBudget(FILLING_WORK);
  const scope = { external: { email: ['ann@example.com', 'bob@example.com'] } };
  expect(valuesOf(parseTemplate('email.local(external.email)'), scope, budget)).toEqual(['ann', 'bob']);
  expect(valuesOf(parseTemplate('regexp.replace(external["email"], "^(a.*)@.*$", "$1")'), scope, budget)).toEqual([
    'ann',
  ]);
  expect(valuesOf(parseTemplate('external.nothing'), scope, budget)).toEqual([]);
  expect(() => parseTemplate('labels.env')).toThrow(
    'unknown field labels["env"]; known here: internal["…"], external["…"]',
  );
});

describe('work', () => {
  const small = () => createBudget({ steps: 20, characters: 20 });
  const long = { labels: { a: 'x'.repeat(100), b: 'y' } };
  test('what takes more than it may is undecided, unless it does not matter', () => {
    const heavy = 'regexp.match(labels["a"], "^x+$")';
    const answer = (source: string) => decide(parsePredicate(source, 'labels'), long, small());
    expect(answer(heavy)).toBe(null);
    expect(answer(`!${heavy}`)).toBe(null);
    expect(answer(`labels["b"] == "y" || ${heavy}`)).toBe(true);
    expect(answer(`${heavy} && labels["b"] == "z"`)).toBe(false);
    expect(answer(`${heavy} && labels["b"] == "y"`)).toBe(null);
  });
  test('characters are counted before they are made', () =>
    expect(() =>
      valuesOf(parseTemplate('strings.upper(external.a)'), { external: { a: ['x'.repeat(1000)] } }, small()),
    ).toThrow(TooMuchWork));
  test('how far a value can grow is told from the expression', () => {
    const nested = (levels: number, replacement: string): string =>
      levels === 0
        ? 'external.a'
        : `regexp.replace(${nested(levels - 1, replacement)}, "(.)", ${JSON.stringify(replacement)})`;
    const told = (source: string) => growth(parseTemplate(source));
    expect(told(nested(7, '$1$1$1$1'))).toContain('more than 16384 characters');
    expect(told(nested(7, '$1'))).toBe(null);
    expect(told('regexp.replace(external.a, "^(.*)@example.com$", "$1-x")')).toBe(null);
    expect(
      told('regexp.replace(external.a, "", "0123456789012345678901234567890123456789012345678901234567890123")'),
    ).not.toBe(null);
    expect(
      growth(parsePredicate(`contains(${nested(7, '$1$1$1$1').replace('external.a', 'labels["a"]')}, "x")`)),
    ).not.toBe(null);
  });
});
