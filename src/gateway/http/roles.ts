// Roles as YAML resources.

import type { Verb } from '../../contract/acl.ts';
import { Failure } from '../../contract/failure.ts';
import {
  createRole,
  deleteRole,
  getRole,
  listPresetRoles,
  listRoles,
  type ResourceItem,
  updateNamedRole,
  updateRole,
} from '../../contract/roles.ts';
import { OK } from '../../contract/shapes.ts';
import type { Who } from '../ports.ts';
import { presetRoles } from '../services/rights/presets.ts';
import { createRights } from '../services/rights/rights.ts';
import { parseRole } from '../services/rights/role.ts';
import { roleContent, roleResource } from '../services/rights/source.ts';
import type { Resource, Resources, UserRecord } from '../store/store.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

/** Roles read from the store at once. */
const PAGE = 500;
/** Holders named in a refusal. */
const HOLDERS_NAMED = 3;

/** Every role of the store. */
export async function allRoles(resources: Pick<Resources, 'list'>): Promise<readonly Resource[]> {
  const found: Resource[] = [];
  let startKey = '';
  do {
    const page = await resources.list('role', { limit: PAGE, startKey, selection: null, count: false });
    found.push(...page.items);
    startKey = page.startKey;
  } while (startKey !== '');
  return found;
}

export function serveRoles(serve: Serve, { store, audit, identity, rights }: Services): void {
  const { resources, users } = store;

  async function existing(who: Who, verb: Verb, name: string): Promise<Resource> {
    const role = await resources.get('role', name);
    if (role === null) throw new Failure('not_found', `role "${name}" not found`);
    allow(who, verb, role);
    return role;
  }

  /** What a user may do once a role holds other YAML. */
  async function rightsAfter(user: UserRecord, name: string, content: string) {
    if (!user.roles.includes(name)) return rights.rightsOf(user);
    const others = await rights.roles(user.roles.filter(role => role !== name));
    return createRights([...others, parseRole(content)], user);
  }

  serve(listRoles, async (_asked, who) => (await allRoles(resources)).filter(role => may(who, 'list', role)).map(item));
  serve(listPresetRoles, () => presetRoles.map(({ name, content }) => itemOf(name, content)));
  serve(getRole, async ({ params }, who) => item(await existing(who, 'read', params.name)));

  serve(createRole, async ({ body }, who) => {
    const role = roleResource(body.content);
    allow(who, 'create', role);
    const stored = await resources.create(role);
    await audit.emit({ code: 'T9000I', name: stored.name, user: who.user });
    return item(stored);
  });

  /** Without `name`: the role that the YAML names. */
  async function update(who: Who, content: string, name = roleResource(content).name): Promise<ResourceItem> {
    const before = await existing(who, 'update', name);
    const role = roleResource(content);
    if (role.name !== name) {
      throw new Failure('bad_request', `a role cannot be renamed: metadata.name must stay "${name}"`, {
        content: 'metadata.name must not change',
      });
    }
    await identity.accounts.keepAdministrator(user => rightsAfter(user, role.name, content));
    const stored = await resources.put(role, before.revision);
    await audit.emit({ code: 'T9002I', name: stored.name, user: who.user });
    return item(stored);
  }
  serve(updateRole, ({ params, body }, who) => update(who, body.content, params.name));
  serve(updateNamedRole, ({ body }, who) => update(who, body.content, body.name));

  serve(deleteRole, async ({ params }, who) => {
    const role = await existing(who, 'delete', params.name);
    const holders = (await users.list()).filter(user => user.roles.includes(role.name)).map(({ name }) => name);
    if (holders.length > 0) {
      const named =
        holders.slice(0, HOLDERS_NAMED).join(', ') +
        (holders.length > HOLDERS_NAMED ? ` and ${holders.length - HOLDERS_NAMED} more` : '');
      throw new Failure('bad_request', `role "${role.name}" is in use: ${named}`);
    }
    if (!(await resources.delete('role', role.name))) throw new Failure('not_found', `role "${role.name}" not found`);
    await audit.emit({ code: 'T9001I', name: role.name, user: who.user });
    return OK;
  });
}

const may = (who: Who, verb: Verb, { name, labels }: Pick<Resource, 'name' | 'labels'>): boolean =>
  who.rights.may('role', verb, { resource: { name, labels } });

function allow(who: Who, verb: Verb, role: Pick<Resource, 'name' | 'labels'>): void {
  if (!may(who, verb, role)) throw new Failure('denied', `access denied to role "${role.name}"`);
}

const item = (role: Resource): ResourceItem => itemOf(role.name, roleContent(role));
const itemOf = (name: string, content: string): ResourceItem => ({ id: `role:${name}`, kind: 'role', name, content });
