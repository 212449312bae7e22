// Roles for every door: who may see and change them, and what must hold before one changes or goes.
import type { Verb } from '../../../contract/acl.ts';
import type { BodyOf } from '../../../contract/call.ts';
import { Failure } from '../../../contract/failure.ts';
import type { previewRole, RoleEffects } from '../../../contract/role-preview.ts';
import type { ResourceItem } from '../../../contract/roles.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Changes } from '../../ports/changes.ts';
import type { Rights } from '../../ports/rights.ts';
import type { Actor } from '../../ports/who.ts';
import type { NewResource, Resource, Resources, Store, UserRecord, Users } from '../../store/store.ts';
import { allOf } from '../lists.ts';

export interface RoleParts {
  readonly resources: Pick<Resources, 'get' | 'list' | 'create' | 'put' | 'delete'>;
  readonly users: Pick<Users, 'list'>;
  readonly alone: Store['alone'];
  readonly audit: AuditLog;
  readonly changes: Pick<Changes, 'emit'>;
  /** How a role is read and kept. `toResource` throws Failure bad_request for YAML that is no role. */
  readonly yaml: {
    readonly toResource: (content: string) => NewResource;
    readonly contentOf: (resource: Resource) => string;
    /** What of it is kept and not enforced, a sentence each. */
    readonly notes: (content: string) => readonly string[];
  };
  readonly presets: readonly { readonly name: string; readonly content: string }[];
  /** Throws Failure bad_request when nobody would be left who can administer the cluster. */
  readonly keepAdministrator: (after: (user: UserRecord) => Promise<Rights | null>) => Promise<void>;
  /** Connectors that give a role to whoever signs in by them, by name. */
  readonly givenBy: (role: string) => Promise<readonly string[]>;
  /** A user's rights once some roles hold other YAML. */
  readonly rightsWith: (user: UserRecord, contents: ReadonlyMap<string, string>) => Promise<Rights>;
  /** Who would gain and lose what by other YAML of roles, or by their end (null). */
  readonly effects: (
    contents: ReadonlyMap<string, string | null>,
    by: Actor,
    startKey?: string,
  ) => Promise<RoleEffects>;
}
type RoleChange = 'created' | 'updated' | 'removed';

export interface Roles {
  /** Those that the person may list. */
  list(by: Actor): Promise<readonly ResourceItem[]>;
  /** Names of all, for whoever may ask for roles. */
  names(): Promise<readonly string[]>;
  presets(): readonly ResourceItem[];
  /** Throws Failure not_found, denied. */
  get(name: string, by: Actor): Promise<ResourceItem>;
  /** Throws Failure bad_request, denied, exists. */
  create(content: string, by: Actor): Promise<ResourceItem>;
  /** Without `name`: the role that the YAML names. Throws Failure bad_request, denied, not_found, changed. */
  update(content: string, by: Actor, name?: string): Promise<ResourceItem>;
  /** The dry run of a change: throws what the change would throw, and changes nothing. A role that somebody holds may be asked about, too. */
  preview(asked: BodyOf<typeof previewRole>, by: Actor): Promise<RoleEffects>;
  /** Throws Failure bad_request for a role that somebody holds, denied, not_found. */
  remove(name: string, by: Actor): Promise<void>;
  /** Throws Failure bad_request that names who holds it. */
  refuseHeld(name: string): Promise<void>;
  /** Tells the audit log and the bus what became of a role, also for what YAML files change. */
  note(change: RoleChange, role: NewResource, by: string): Promise<void>;
}

/** Holders named in a refusal. */
const HOLDERS_NAMED = 3;
const codes = { created: 'T9000I', updated: 'T9002I', removed: 'T9001I' } as const;

export function createRoles(parts: RoleParts): Roles {
  const { resources, users, audit, changes, yaml } = parts;

  async function existing(name: string, verb: Verb, by: Actor): Promise<Resource> {
    const role = await resources.get('role', name);
    // Which roles there are is known to those alone who may ask for any.
    allow(by, verb, role ?? { name, labels: {} });
    if (role === null) throw new Failure('not_found', `role "${name}" not found`);
    return role;
  }
  const item = (role: Resource): ResourceItem => itemOf(role.name, yaml.contentOf(role));
  const changed = (role: Resource): ResourceItem => {
    const notes = yaml.notes(yaml.contentOf(role));
    return { ...item(role), ...(notes.length > 0 && { notes: [...notes] }) };
  };

  /** What is stored and what would be, once that is known to be allowed. */
  async function checked(name: string, content: string, by: Actor) {
    const before = await existing(name, 'update', by);
    const role = yaml.toResource(content);
    if (role.name !== name)
      throw new Failure('bad_request', `a role cannot be renamed: metadata.name must stay "${name}"`, {
        content: 'metadata.name must not change',
      });
    await parts.keepAdministrator(user => parts.rightsWith(user, new Map([[name, content]])));
    return { before, role };
  }

  const note: Roles['note'] = async (change, { name, expires }, by) => {
    changes.emit({ kind: change === 'removed' ? 'roleRemoved' : 'roleChanged', role: name });
    await audit.emit({
      code: codes[change],
      name,
      user: by,
      ...(expires && { expires: expires.toISOString() }),
      ...(change === 'updated' && { updated_by: by }),
    });
  };
  const refuseHeld: Roles['refuseHeld'] = async name => {
    const holders = [
      ...(await users.list()).filter(user => user.roles.includes(name)).map(user => user.name),
      ...(await parts.givenBy(name)),
    ];
    if (holders.length === 0) return;
    const more = holders.length - HOLDERS_NAMED;
    const named = holders.slice(0, HOLDERS_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
    throw new Failure('bad_request', `role "${name}" is in use: ${named}`);
  };

  return {
    note,
    refuseHeld,
    list: async by => (await allOf(resources, 'role')).filter(role => may(by, 'list', role)).map(item),
    names: async () => (await allOf(resources, 'role')).map(({ name }) => name),
    presets: () => parts.presets.map(({ name, content }) => itemOf(name, content)),
    get: async (name, by) => item(await existing(name, 'read', by)),
    async create(content, by) {
      const role = yaml.toResource(content);
      allow(by, 'create', role);
      const stored = await resources.create(role);
      await note('created', stored, by.user);
      return changed(stored);
    },
    update: (content, by, given) =>
      parts.alone(async () => {
        const name = given ?? yaml.toResource(content).name;
        const { before, role } = await checked(name, content, by);
        const stored = await resources.put(role, before.revision);
        await note('updated', stored, by.user);
        return changed(stored);
      }),
    async preview({ name, content, startKey }, by) {
      if (content === undefined) {
        const gone = await existing(name ?? '', 'delete', by);
        return parts.effects(new Map([[gone.name, null]]), by, startKey);
      }
      const role = name === undefined ? yaml.toResource(content) : (await checked(name, content, by)).role;
      if (name === undefined) {
        allow(by, 'create', role);
        if ((await resources.get('role', role.name)) !== null)
          throw new Failure('exists', `role ${role.name} already exists`);
      }
      return parts.effects(new Map([[role.name, content]]), by, startKey);
    },
    remove: (name, by) =>
      parts.alone(async () => {
        const role = await existing(name, 'delete', by);
        await refuseHeld(name);
        if (!(await resources.delete('role', name))) throw new Failure('not_found', `role "${name}" not found`);
        await note('removed', role, by.user);
      }),
  };
}

const may = ({ rights }: Actor, verb: Verb, { name, labels }: Pick<Resource, 'name' | 'labels'>): boolean =>
  rights === null || rights.may('role', verb, { resource: { name, labels } });

function allow(by: Actor, verb: Verb, role: Pick<Resource, 'name' | 'labels'>): void {
  if (!may(by, verb, role)) throw new Failure('denied', `access denied to role "${role.name}"`);
}

const itemOf = (name: string, content: string): ResourceItem => ({ id: `role:${name}`, kind: 'role', name, content });
