import { expect, test } from 'vitest';
import { isPower } from './powers.ts';
import { presetRoles } from './presets.ts';
import { parseRole } from './role.ts';

const power = (spec: string): boolean =>
  isPower(parseRole(`kind: role\nversion: v7\nmetadata: {name: some}\nspec: ${spec}\n`));
const rule = (resource: string, verb: string, where = ''): string =>
  `{allow: {rules: [{resources: ['${resource}'], verbs: ['${verb}']${where && `, where: '${where}'`}}]}}`;

test('whoever may make or change what decides about rights has power, also under a condition; who may only look at it has none', () => {
  for (const resource of ['*', 'user', 'role', 'token', 'github', 'auth_connector', 'access_list', 'login_rule', 'bot'])
    for (const verb of ['*', 'create', 'update'])
      expect([resource, verb, power(rule(resource, verb))]).toEqual([resource, verb, true]);
  expect(power(rule('*', '*', 'equals(user.metadata.name, "ann")'))).toBe(true);
  expect(power(rule('user', 'read'))).toBe(false);
  expect(power(rule('*', 'list'))).toBe(false);
  expect(power(rule('node', 'create'))).toBe(false);
});

test('whoever may act as others, or decide about what others ask for, has power; what a role takes away gives none', () => {
  expect(power('{allow: {impersonate: {users: [robot], roles: [deploys]}}}')).toBe(true);
  expect(power('{allow: {review_requests: {roles: [access]}}}')).toBe(true);
  expect(power("{deny: {rules: [{resources: ['*'], verbs: ['*']}], impersonate: {users: ['*'], roles: ['*']}}}")).toBe(
    false,
  );
});

test('of the roles that a store begins with, the editor alone has power', () => {
  const names = presetRoles.filter(({ content }) => isPower(parseRole(content))).map(({ name }) => name);
  expect(names).toEqual(['editor']);
});
