// Stored resources as lists of names, and as the documents that people would write.

import { BOT_PREFIX } from '../../../contract/bots.ts';
import { Failure } from '../../../contract/failure.ts';
import type { Resource, ResourceKind, Resources, Store } from '../../store/store.ts';
import { allOf } from '../lists.ts';
import { type AnyKind, isUserKind, ORIGIN_LABEL, userNameOf } from './kinds.ts';
import { CONFIG_FILE } from './plan.ts';

/** Most rows a list answers. */
const ROWS_MOST = 10_000;

export interface ListedResource {
  readonly kind: string;
  readonly name: string;
  readonly title: string;
  readonly labels: Readonly<Record<string, string>>;
  /** 'config-file', or 'dynamic' for what people made. */
  readonly origin: string;
}

/** What there is of these kinds. `staticUsers` are those that come from static configuration: users have no labels. */
export async function listResources(
  { resources, users }: Pick<Store, 'resources' | 'users'>,
  kinds: readonly AnyKind[],
  staticUsers: ReadonlySet<string>,
): Promise<readonly ListedResource[]> {
  const found: ListedResource[] = [];
  for (const kind of kinds) {
    if (isUserKind(kind))
      for (const { name: user, isBot } of await users.list()) {
        if (isBot !== (kind.kind === 'bot')) continue;
        const name = isBot ? user.slice(BOT_PREFIX.length) : user;
        const origin = staticUsers.has(user) ? CONFIG_FILE : 'dynamic';
        found.push({ kind: kind.kind, name, title: name, labels: {}, origin });
      }
    else
      for (const { name, title, labels } of await allOf(resources, kind.kind))
        found.push({ kind: kind.kind, name, title, labels, origin: labels[ORIGIN_LABEL] ?? 'dynamic' });
  }
  return found.slice(0, ROWS_MOST);
}

/**
 * The resource of a name. A server is meant by its host name too: the id of one that was added by hand is nothing that people know. Null
 * when there is none. Throws Failure bad_request when several servers have the host name.
 */
export async function resourceCalled(resources: Resources, kind: ResourceKind, name: string): Promise<Resource | null> {
  const exact = await resources.get(kind, name);
  if (exact || kind !== 'node') return exact;
  const query = {
    kind: 'call' as const,
    name: 'equals',
    args: [
      { kind: 'field' as const, path: ['name'] },
      { kind: 'literal' as const, value: name },
    ],
  };
  const found = await allOf(resources, 'node', { query });
  if (found.length > 1)
    throw new Failure(
      'bad_request',
      `several servers are called "${name}"; use the id: ${found
        .slice(0, 5)
        .map(server => server.name)
        .join(', ')}`,
    );
  return found[0] ?? null;
}

/** A resource as people would write it; null when there is none. */
export async function documentOf(
  kind: AnyKind,
  name: string,
  { resources, users }: Pick<Store, 'resources' | 'users'>,
): Promise<object | string | null> {
  if (!isUserKind(kind)) {
    const resource = await resourceCalled(resources, kind.kind, name);
    return resource && kind.toDocument(resource);
  }
  const user = await users.get(userNameOf(kind, name));
  if (!user || (kind.kind === 'bot' && !user.isBot)) return null;
  const traits = Object.keys(user.traits).length > 0 ? { traits: user.traits } : {};
  const version = kind.kind === 'bot' ? 'v1' : 'v2';
  return { kind: kind.kind, version, metadata: { name }, spec: { roles: user.roles, ...traits } };
}
