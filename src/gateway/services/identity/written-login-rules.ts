// Login rules for people: who may see and change them. What a rule may say is held to the same rules as YAML of the gateway's own machine.
import type { Verb } from '../../../contract/acl.ts';
import { Failure } from '../../../contract/failure.ts';
import type { ResourceItem } from '../../../contract/roles.ts';
import type { Actor } from '../../ports/who.ts';
import type { Resources } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { type DeclaredResources, refusedContent as refused, writeOne, writtenItem } from '../written-resources.ts';
import { inOrder } from './login-rules.ts';

interface LoginRuleParts {
  readonly resources: Pick<Resources, 'get' | 'list'>;
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
  /** Throws Failure bad_request for what a static configuration holds, denied, not_found. */
  remove(name: string, by: Actor): Promise<void>;
}

export function createWrittenLoginRules({ resources, declared }: LoginRuleParts): WrittenLoginRules {
  const item = (name: string): Promise<ResourceItem> => writtenItem(declared, 'login_rule', name);
  async function existing(name: string, verb: Verb, by: Actor): Promise<void> {
    if ((await resources.get('login_rule', name)) === null)
      throw new Failure('not_found', `login rule "${name}" not found`);
    allow(by, verb, name);
  }
  async function write(content: string, by: Actor, check: (name: string) => Promise<void>): Promise<ResourceItem> {
    return item(await writeOne(declared, { kind: 'login_rule', noun: 'login rule' }, content, by.user, check));
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
    async remove(name, by) {
      await existing(name, 'delete', by);
      await declared.remove('login_rule', name, by.user);
    },
  };
}

const may = ({ rights }: Actor, verb: Verb, name: string): boolean =>
  rights === null || rights.may('login_rule', verb, { resource: { name, labels: {} } });

function allow(by: Actor, verb: Verb, name: string): void {
  if (!may(by, verb, name)) throw new Failure('denied', `access denied to login rule "${name}"`);
}
