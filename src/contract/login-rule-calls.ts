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
const traits = z.record(z.string(), z.array(z.string()));
const loginRuleTest = z.object({
  /** What the rules are given: what a provider has said of the person, or what was written for them. */
  given: traits,
  /** What each rule makes of what the one before made, in the order in which they are applied. */
  steps: z.array(z.object({ rule: z.string(), traits })),
  /** Why nobody would be signed in: the rule after these steps fails. */
  refused: z.optional(z.string()),
});
export type LoginRuleTest = z.infer<typeof loginRuleTest>;
export const testLoginRules = call('POST', 'loginrules/test', {
  summary:
    'What the rules would make of the traits of a user at the next sign-in; with `content`, as if that rule were written. Nobody is signed in, and nothing is kept.',
  access: { resource: 'login_rule', verb: 'read' },
  body: z.object({ user: name, content: z.optional(content.shape.content) }),
  reply: loginRuleTest,
});
export const deleteLoginRule = call('DELETE', 'loginrules/:name', {
  summary: 'Delete a login rule.',
  access: { resource: 'login_rule', verb: 'delete' },
  params,
  reply: ok,
});
