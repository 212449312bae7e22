// Roles in tests of database users that are made for people's sessions, whatever the engine.
import type { Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

const roleOf = (name: string, option: boolean, roles: string): string => `kind: role
version: v7
metadata: { name: ${name} }
spec:
  options: { reach_loopback: true, create_db_user: ${option} }
  allow: { db_labels: { team: shop }, db_names: [orders], db_roles: [${roles}] }
`;
/** Those that give users with the roles readers, writers and one that is not there, and one that makes none; `more`: name and what it gives. */
export async function addMakingRoles({ store }: Rig, more: readonly (readonly [string, string])[] = []): Promise<void> {
  for (const [name, roles] of [
    ['reading', 'readers'],
    ['writing', 'writers'],
    ['wrong', 'nobody-has-this'],
    ...more,
  ] as const)
    await store.resources.create(roleResource(roleOf(name, true, roles)));
  await store.resources.create(roleResource(roleOf('without', false, '')));
}
