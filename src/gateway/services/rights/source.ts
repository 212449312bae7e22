// Rights of a person as the store has their roles right now.
import { Failure } from '../../../contract/failure.ts';
import type { Grant, Rights, RightsUser } from '../../ports/rights.ts';
import type { NewResource, Resource, Resources } from '../../store/store.ts';
import { type Delegation, delegatedRights } from './delegated.ts';
import { limitedTo } from './limited.ts';
import { isPower } from './powers.ts';
import { createRights } from './rights.ts';
import { parseRole, type Role, unreadableRole } from './role.ts';
import { checkBounds } from './role-bounds.ts';

/** A role as it is stored: the YAML is kept as written. Throws Failure bad_request for YAML that is no role, or one that takes too much work. */
export function roleResource(content: string): NewResource {
  const role = parseRole(content);
  checkBounds(role);
  return {
    kind: 'role',
    name: role.name,
    title: role.name,
    description: role.description,
    address: '',
    subtype: `v${role.version}`,
    labels: role.labels,
    words: [],
    spec: { content },
    expires: role.expires,
  };
}

/** The YAML of a stored role. */
export function roleContent(resource: Resource): string {
  const spec = resource.spec;
  const content = typeof spec === 'object' && spec !== null && 'content' in spec ? spec.content : undefined;
  if (typeof content !== 'string')
    throw new Failure('internal', `role ${resource.name}: the store holds no YAML for it`);
  return content;
}

/**
 * Rights as the store says them at every call: what they depend on is read again each time and compared, and only where nothing has changed is
 * the work of before used again. So they are right with several gateways on one store.
 */
export interface RightsSource {
  /** With `grants`: what access requests give as well. */
  rightsOf(user: RightsUser, grants?: readonly Grant[]): Promise<Rights>;
  /** The roles that exist among these names, read. */
  roles(names: readonly string[]): Promise<readonly Role[]>;
  /** The roles of a person, read, with those that access requests give: on the things alone for which they were given. */
  held(user: Pick<RightsUser, 'roles'>, grants: readonly Grant[]): Promise<readonly Role[]>;
  /** Whether a role could give rights to anybody; false for one that does not exist. */
  isPower(name: string): Promise<boolean>;
  /** Rights of an agent that this person has delegated. */
  delegated(user: RightsUser, given: Delegation): Promise<Rights>;
}

/** Most roles, and rights of people, that are kept; beyond that the oldest is dropped. */
const KEPT_MOST_ROLES = 1000;
const KEPT_MOST_RIGHTS = 1000;

/**
 * Reads from `resources`. A role that is gone gives nothing. One that cannot be read any more gives nothing and takes away what it may have
 * taken: `warn` hears why, once until it is written anew.
 */
export function createRightsSource(resources: Pick<Resources, 'named'>, warn: (problem: string) => void): RightsSource {
  const cachedRoles = new Map<string, Role>();
  const cachedRights = new Map<string, { readonly roles: readonly Role[]; readonly rights: Rights }>();
  const readable = (name: string, content: string): Role => {
    try {
      return parseRole(content);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      warn(`role "${name}" cannot be read and allows nothing until it is written anew: ${error.message}`);
      return unreadableRole(name, content);
    }
  };
  const read = (resource: Resource): Role => {
    const content = roleContent(resource);
    const known = cachedRoles.get(resource.name);
    if (known?.content === content) return known;
    const role = readable(resource.name, content);
    keep(cachedRoles, resource.name, role, KEPT_MOST_ROLES);
    return role;
  };
  const roles = async (names: readonly string[]): Promise<readonly Role[]> =>
    names.length === 0 ? [] : (await resources.named('role', [...new Set(names)])).map(read);
  return {
    roles,
    async held(user, grants) {
      const given = givenBy(user, grants);
      return heldOf(await roles(given.wanted), given);
    },
    isPower: async name => (await roles([name])).some(isPower),
    async delegated(user, given) {
      const read = await roles(user.roles);
      const key = JSON.stringify(['agent', user.name, user.roles, user.traits, given]);
      const known = cachedRights.get(key);
      if (known && sameItems(known.roles, read)) return known.rights;
      const rights = delegatedRights(read, user, given);
      keep(cachedRights, key, { roles: read, rights }, KEPT_MOST_RIGHTS);
      return rights;
    },
    async rightsOf({ name, roles: own, traits, inLists = false }, grants = []) {
      const user = { name, roles: own, traits, inLists };
      const given = givenBy(user, grants);
      const read = await roles(given.wanted);
      const key = JSON.stringify([user, given.whole, given.limited]);
      const known = cachedRights.get(key);
      if (known && sameItems(known.roles, read)) return known.rights;
      const rights = createRights(heldOf(read, given), { ...user, roles: given.names }, calledIn(read, user.roles));
      keep(cachedRights, key, { roles: read, rights }, KEPT_MOST_RIGHTS);
      return rights;
    },
  };
}

/** What requests give somebody beside their own roles: whole roles, and roles on single things. `wanted`: all of these, each once. */
function givenBy(user: Pick<RightsUser, 'roles'>, grants: readonly Grant[]) {
  const whole = grants.flatMap(grant => (grant.things === null ? grant.roles : []));
  const limited = grants.flatMap(({ roles, things }) => (things === null ? [] : [{ roles, things }]));
  const names = [...new Set([...user.roles, ...whole])];
  const wanted = [...new Set([...names, ...limited.flatMap(grant => grant.roles)])];
  return { whole, limited, names, wanted };
}
const calledIn = (read: readonly Role[], names: readonly string[]): readonly Role[] =>
  read.filter(({ name }) => names.includes(name));
const heldOf = (
  read: readonly Role[],
  { names, limited }: Pick<ReturnType<typeof givenBy>, 'names' | 'limited'>,
): readonly Role[] => [
  ...calledIn(read, names),
  ...limited.flatMap(({ roles, things }) => calledIn(read, roles).map(role => limitedTo(role, things))),
];

/** A role that has not changed is the very same object. */
const sameItems = (first: readonly Role[], second: readonly Role[]): boolean =>
  first.length === second.length && first.every((role, index) => role === second[index]);

function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
