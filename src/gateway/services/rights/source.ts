// Rights of a person as the store has their roles right now.
import { Failure } from '../../../contract/failure.ts';
import type { Rights } from '../../ports.ts';
import type { NewResource, Resource, Resources } from '../../store/store.ts';
import { createRights, type RightsUser } from './rights.ts';
import { parseRole, type Role } from './role.ts';

/** A role as it is stored: the YAML is kept as written. Throws Failure bad_request for YAML that is no role. */
export function roleResource(content: string): NewResource {
  const role = parseRole(content);
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

/** Reads roles from the store at every call; only the reading of unchanged YAML is spared. */
export interface RightsSource {
  rightsOf(user: RightsUser): Promise<Rights>;
  /** The roles that exist among these names, read. */
  roles(names: readonly string[]): Promise<readonly Role[]>;
}

/** Most roles kept read; beyond that the oldest is dropped. */
const KEPT_MOST_ROLES = 1000;

/** Reads from `resources`. A role that is gone gives nothing; one that cannot be read any more throws, since it might have denied. */
export function createRightsSource(resources: Pick<Resources, 'get'>): RightsSource {
  const kept = new Map<string, { readonly content: string; readonly role: Role }>();
  const read = (resource: Resource): Role => {
    const content = roleContent(resource);
    const known = kept.get(resource.name);
    if (known?.content === content) return known.role;
    const role = parseRole(content);
    kept.delete(resource.name);
    kept.set(resource.name, { content, role });
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MOST_ROLES && oldest !== undefined) kept.delete(oldest);
    return role;
  };
  const roles = async (names: readonly string[]): Promise<readonly Role[]> => {
    const found = await Promise.all([...new Set(names)].map(name => resources.get('role', name)));
    return found.flatMap(resource => (resource ? [read(resource)] : []));
  };
  return { roles, rightsOf: async user => createRights(await roles(user.roles), user) };
}
