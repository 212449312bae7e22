// Login rules as YAML resources: what the traits of a sign-in become.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { content, resourceItem } from './roles.ts';
import { name, ok } from './shapes.ts';

const params = z.object({ name });

export const listLoginRules = call('GET', 'loginrules', {
  summary: 'All login rules, in the order in which they are applied.',
  access: { resource: 'login_rule', verb: 'list' },
  reply: z.array(resourceItem),
});
export const getLoginRule = call('GET', 'loginrules/:name', {
  summary: 'One login rule.',
  access: { resource: 'login_rule', verb: 'read' },
  params,
  reply: resourceItem,
});
export const createLoginRule = call('POST', 'loginrules', {
  summary: 'Create a login rule from YAML.',
  access: { resource: 'login_rule', verb: 'create' },
  body: content,
  reply: resourceItem,
});
export const updateLoginRule = call('PUT', 'loginrules/:name', {
  summary: 'Replace a login rule; renaming is refused.',
  access: { resource: 'login_rule', verb: 'update' },
  params,
  body: content,
  reply: resourceItem,
});
export const deleteLoginRule = call('DELETE', 'loginrules/:name', {
  summary: 'Delete a login rule.',
  access: { resource: 'login_rule', verb: 'delete' },
  params,
  reply: ok,
});
