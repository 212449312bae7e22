// Login rules for people: who may see and change them. What a rule may say is held to the same rules as YAML of the gateway's own machine.
import type { Verb } from '../../../contract/acl.ts';
import type { BodyOf } from '../../../contract/call.ts';
import { Failure } from '../../../contract/failure.ts';
import type { LoginRuleTest, testLoginRules } from '../../../contract/login-rule-calls.ts';
import type { LoginRuleSpec } from '../../../contract/login-rule-document.ts';
import type { ResourceItem } from '../../../contract/roles.ts';
import type { Traits } from '../../ports/rights.ts';
import type { Actor } from '../../ports/who.ts';
import type { Resources, Users } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { type DeclaredResources, refusedContent as refused, writeOne, writtenItem } from '../written-resources.ts';
import { inOrder, stepsOf } from './login-rules.ts';

interface LoginRuleParts {
  readonly resources: Pick<Resources, 'get' | 'list'>;
  readonly users: Pick<Users, 'get'>;
  readonly declared: DeclaredResources;
}

export interface WrittenLoginRules {
  /** Those that the person may list, in the order in which they are applied. */
  list(by: Actor): Promise<readonly ResourceItem[]>;
  /** Throws Failure not_found, denied. */
  get(name: string, by: Actor): Promise<ResourceItem>;
  /** Throws Failure bad_request that names line and column, denied, exists. */
  create(content: string, by: Actor): Promise<ResourceItem>;
  /** Throws Failure bad_request, denied, not_found. */
  update(name: string, content: string, by: Actor): Promise<ResourceItem>;
  /** What they would make of a user's traits. Throws Failure bad_request for a rule that cannot be read and for a bot, denied, not_found. */
  test(asked: BodyOf<typeof testLoginRules>, by: Actor): Promise<LoginRuleTest>;
  /** Throws Failure bad_request for what a static configuration holds, denied, not_found. */
  remove(name: string, by: Actor): Promise<void>;
}

export function createWrittenLoginRules({ resources, users, declared }: LoginRuleParts): WrittenLoginRules {
  const item = (name: string): Promise<ResourceItem> => writtenItem(declared, 'login_rule', name);
  async function existing(name: string, verb: Verb, by: Actor): Promise<void> {
    if ((await resources.get('login_rule', name)) === null)
      throw new Failure('not_found', `login rule "${name}" not found`);
    allow(by, verb, name);
  }
  async function write(content: string, by: Actor, check: (name: string) => Promise<void>): Promise<ResourceItem> {
    return item(await writeOne(declared, { kind: 'login_rule', noun: 'login rule' }, content, by.user, check));
  }

  /** A rule as it would be stored. Throws Failure bad_request that names line and column. */
  async function draftOf(content: string, by: Actor): Promise<{ readonly name: string; readonly spec: LoginRuleSpec }> {
    let spec: LoginRuleSpec | undefined;
    const kept = { kind: 'login_rule', noun: 'login rule' };
    const name = await writeOne(
      declared,
      kept,
      content,
      by.user,
      async (_name, value) => {
        ({ spec } = value as { readonly spec: LoginRuleSpec });
      },
      true,
    );
    if (spec === undefined) throw refused('one login rule expected');
    return { name, spec };
  }

  return {
    list: async by =>
      Promise.all(
        inOrder(await allOf(resources, 'login_rule'))
          .filter(({ name }) => may(by, 'list', name))
          .map(({ name }) => item(name)),
      ),
    async get(name, by) {
      await existing(name, 'read', by);
      return item(name);
    },
    create: (content, by) =>
      write(content, by, async name => {
        allow(by, 'create', name);
        if ((await resources.get('login_rule', name)) !== null)
          throw new Failure('exists', `login rule "${name}" exists already`);
      }),
    update: (name, content, by) =>
      write(content, by, async written => {
        await existing(name, 'update', by);
        if (written !== name) throw refused(`a login rule cannot be renamed: metadata.name must stay "${name}"`);
      }),
    async test({ user: name, content }, by) {
      if (by.rights && !by.rights.may('user', 'read', { resource: { name, labels: {} } }))
        throw new Failure('denied', 'access denied: it needs the right to read users, too');
      const stored = await allOf(resources, 'login_rule');
      const hidden = stored.find(rule => !may(by, 'read', rule.name));
      if (hidden) throw new Failure('denied', 'access denied: there are login rules that you may not read');
      const user = await users.get(name);
      if (user === null) throw new Failure('not_found', `user "${name}" not found`);
      if (user.isBot) throw new Failure('bad_request', `"${name}" is a bot: rules are not applied to its traits`);
      const draft = content === undefined ? [] : [await draftOf(content, by)];
      const rules = inOrder([...stored.filter(rule => rule.name !== draft[0]?.name), ...draft]);
      const answer: LoginRuleTest = { given: mutable(user.traits), steps: [] };
      try {
        for (const { rule, traits } of stepsOf(rules, user.traits))
          answer.steps.push({ rule, traits: mutable(traits) });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return { ...answer, refused: error.message };
      }
      return answer;
    },
    async remove(name, by) {
      await existing(name, 'delete', by);
      await declared.remove('login_rule', name, by.user);
    },
  };
}

const mutable = (traits: Traits): Record<string, string[]> =>
  Object.fromEntries(Object.entries(traits).map(([name, values]) => [name, [...values]]));

const may = ({ rights }: Actor, verb: Verb, name: string): boolean =>
  rights === null || rights.may('login_rule', verb, { resource: { name, labels: {} } });

function allow(by: Actor, verb: Verb, name: string): void {
  if (!may(by, verb, name)) throw new Failure('denied', `access denied to login rule "${name}"`);
}
