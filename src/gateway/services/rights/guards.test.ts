import { expect, test } from 'vitest';
import { Failure } from '../../../contract/failure.ts';
import { createRights } from './rights.ts';
import { parseRole, unreadableRole } from './role.ts';

const yaml = (guards: string, more = '') =>
  `kind: role\nversion: v7\nmetadata: { name: careful }\nspec:\n${more}  guards:\n${guards}`;
const refusal = (guards: string): string => {
  try {
    parseRole(yaml(guards));
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
  return 'accepted';
};
const named = (content: string, labels: Record<string, string>, traits = {}): readonly string[] =>
  createRights([parseRole(content)], { name: 'ann', roles: ['careful'], traits })
    .guards('db', labels)
    .map(({ name }) => name);

test('a guard is about the databases that its labels select, or about all, whether or not its role leads there', () => {
  const content = yaml(`    - { name: all, statements: [ddl], effect: block }
    - { name: prod, db_labels: { env: prod }, statements: [ddl], effect: block }
    - { name: mine, db_labels: { team: '{{external.team}}' }, statements: [ddl], effect: warn }
    - { name: unsure, db_labels: { team: '^(a+)+$' }, statements: [ddl], effect: warn }
`);
  expect(named(content, {})).toEqual(['all']);
  expect(named(content, { env: 'prod' })).toEqual(['all', 'prod']);
  expect(named(content, { team: 'shop' }, { team: ['shop'] })).toEqual(['all', 'mine']);
});

test('a guard of what is done in clusters is about clusters alone', () => {
  const content = yaml(`    - { name: prod, kubernetes_labels: { env: prod }, verbs: [delete], effect: ask }
    - { name: secrets, kinds: [secrets], effect: block }
`);
  expect(named(content, { env: 'prod' })).toEqual([]);
  const rights = createRights([parseRole(content)], { name: 'ann', roles: ['careful'], traits: {} });
  expect(rights.guards('kube_cluster', { env: 'prod' }).map(({ name }) => name)).toEqual(['prod', 'secrets']);
  expect(rights.guards('kube_cluster', {}).map(({ name }) => name)).toEqual(['secrets']);
});

test('a guard of which its labels cannot be worked out is about every database', () => {
  const nested = (depth: number): string =>
    depth === 0 ? 'external.team' : `regexp.replace(${nested(depth - 1)}, ".", "$0$0$0$0$0$0$0$0$0$0")`;
  const content = yaml(
    `    - { name: heavy, db_labels: { team: '{{${nested(1)}}}' }, statements: [ddl], effect: block }\n`,
  );
  expect(named(content, { team: 'other' }, { team: Array.from({ length: 50 }, () => 'x'.repeat(60_000)) })).toEqual([
    'heavy',
  ]);
});

test.each([
  ['    - { name: x, effect: block }\n', 'at least one of statements, tables and columns'],
  ['    - { name: x, statements: [], effect: block }\n', 'at least one of statements, tables and columns'],
  ['    - { name: x, statements: [drop], effect: block }\n', 'statements'],
  ['    - { name: x, columns: [card], effect: block }\n', 'a table and its column'],
  ['    - { name: x, tables: ["a b"], effect: block }\n', 'a name such as customers'],
  ['    - { name: x, statements: [ddl], effect: deny }\n', 'effect'],
  ['    - { name: x, statements: [ddl], effect: block, verbs: [x] }\n', 'verbs'],
  ['    - { name: x, statements: [ddl], effect: block, verbs: [delete] }\n', 'go in guards of their own'],
  ['    - { name: x, names: [a], effect: block }\n', 'or of verbs and kinds'],
  ['    - { name: x, verbs: [delete], effect: mask }\n', 'the effect mask goes with columns alone'],
  ['    - { name: x, columns: [a.b], tables: [a], effect: mask }\n', 'the effect mask goes with columns alone'],
] as const)('%j is refused', (guards, why) => expect(refusal(guards)).toContain(why));

test('a stored role that cannot be read still guards, and denies everything where its guards cannot be read either', () => {
  const guards = '    - { name: kept, statements: [ddl], effect: block }\n';
  const user = { name: 'ann', roles: ['careful'], traits: {} };
  const broken = unreadableRole('careful', yaml(guards, '  allow: { nonsense: 1 }\n'));
  expect(createRights([broken], user).guards('db', {})).toMatchObject([{ name: 'kept', role: 'careful' }]);
  const worse = unreadableRole('careful', yaml('    - { nonsense: 1 }\n'));
  expect(createRights([worse], user).selects('db', {})).toBe(false);
  expect(worse.deny.selectors.db).toBeDefined();
});
