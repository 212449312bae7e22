// Holds documents against what is stored: what each would change, and what the store knows to be wrong about them.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { dotted } from '../../../contract/explain.ts';
import { Failure } from '../../../contract/failure.ts';
import { EC2_SUB_KIND } from '../../../contract/nodes.ts';
import type { AppliedResource } from '../../../contract/resource-documents.ts';
import { refusedUserName } from '../../../contract/user-name.ts';
import type { NewResource, Resource, Resources, UserRecord, Users } from '../../store/store.ts';
import type { ReadDocument } from './documents.ts';
import {
  isUserKind,
  managedLabels,
  ORIGIN_GATEWAY_LABEL,
  ORIGIN_LABEL,
  type StoredKind,
  type UserDocument,
  type UserKind,
  userNameOf,
} from './kinds.ts';

/** Where applied resources come from: people, or the static configuration of a gateway. */
export type Origin = { readonly kind: 'people' } | { readonly kind: 'config-file'; readonly gatewayId: string };

type Change = Exclude<AppliedResource['change'], 'removed'>;
interface ResourceStep {
  readonly kind: StoredKind;
  /** The document. */
  readonly value: unknown;
  readonly change: Change;
  readonly resource: NewResource;
  readonly before: Resource | null;
}
interface UserStep {
  readonly change: Change;
  readonly user: UserRecord;
}
export interface Plan {
  readonly resources: readonly ResourceStep[];
  readonly users: readonly UserStep[];
  readonly problems: readonly string[];
}

/** Resources read at once. */
const READ_AT_ONCE = 200;
/** Value of ORIGIN_LABEL on what the static configuration holds. */
export const CONFIG_FILE = 'config-file';

export async function planChanges(
  parts: {
    readonly resources: Pick<Resources, 'get'>;
    readonly users: Pick<Users, 'get' | 'known'>;
    readonly now: Date;
    /** Users that the static configuration of this store's gateways holds. */
    readonly staticUsers: readonly string[];
  },
  documents: readonly ReadDocument[],
  origin: Origin,
): Promise<Plan> {
  const problems: string[] = [];
  const steps: ResourceStep[] = [];
  const users: UserStep[] = [];
  const roles = new Set(documents.flatMap(({ kind, name }) => (kind.kind === 'role' ? [name] : [])));

  const known = new Map<string, boolean>();
  const roleExists = async (name: string): Promise<boolean> => {
    const found = roles.has(name) || known.get(name) || (await parts.resources.get('role', name)) !== null;
    known.set(name, found);
    return found;
  };

  const isThere = async (kind: 'user' | 'access_list', name: string): Promise<boolean> =>
    documents.some(one => one.kind.kind === kind && one.name === name) ||
    (kind === 'user' ? await parts.users.known(name) : await parts.resources.get(kind, name)) !== null;

  async function planUser(document: ReadDocument, kind: UserKind): Promise<void> {
    const { place } = document;
    const name = userNameOf(kind, document.name);
    const isBot = kind.kind === 'bot';
    const { spec } = document.value as UserDocument;
    const problem = (path: readonly PropertyKey[], text: string) =>
      void problems.push(`${place(path)}: ${kind.kind}/${document.name}: ${text}`);
    const before = await parts.users.get(name);
    if (origin.kind === 'people' && parts.staticUsers.includes(name)) return problem(['metadata', 'name'], FROM_CONFIG);
    const refused = before ? null : refusedUserName(name);
    if (refused !== null)
      return problem(['metadata', 'name'], `metadata.name: given ${JSON.stringify(name)}: ${refused}`);
    if (before && isBot && !before.isBot)
      return problem(['metadata', 'name'], `there is a user "${name}" already, who is no bot`);
    if (before && before.authType !== 'local')
      return problem(['metadata', 'name'], `signs in by ${before.authType}; such users are not changed here`);
    for (const [index, role] of spec.roles.entries())
      if (!(await roleExists(role))) {
        const path = ['spec', 'roles', index];
        problem(path, unknownRole(path, role));
      }
    const traits = Object.fromEntries(Object.entries(spec.traits ?? {}).filter(([, values]) => values.length > 0));
    const user: UserRecord = {
      id: randomUUID(),
      name,
      authType: 'local',
      isBot,
      created: parts.now,
      ...before,
      roles: [...new Set(spec.roles)],
      traits,
    };
    const same = before && isDeepStrictEqual([before.roles, before.traits], [user.roles, user.traits]);
    users.push({ user, change: before ? (same ? 'unchanged' : 'updated') : 'created' });
  }

  async function planResource(document: ReadDocument, kind: StoredKind): Promise<void> {
    const { name, place, value, source } = document;
    const problem = (text: string) =>
      void problems.push(`${place(['metadata', 'name'])}: ${kind.kind}/${name}: ${text}`);
    const before = stored.get(document) ?? null;
    let made: NewResource;
    try {
      made = await kind.toResource(value, source, before);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return problem(error.message);
    }
    for (const { path, role } of kind.roles?.(value) ?? [])
      if (!(await roleExists(role))) problems.push(`${place(path)}: ${kind.kind}/${name}: ${unknownRole(path, role)}`);
    for (const { path, kind: of, name: holder } of kind.holders?.(value) ?? [])
      if (!(await isThere(of, holder)))
        problems.push(`${place(path)}: ${kind.kind}/${name}: ${unknownHolder(path, of, holder)}`);
    if (before?.kind === 'node' && before.subtype !== 'openssh')
      return problem(
        before.subtype === EC2_SUB_KIND
          ? 'this server was added through an integration with AWS; it cannot be declared'
          : 'this server joined by itself; it cannot be declared',
      );
    if (before && origin.kind === 'people' && before.labels[ORIGIN_LABEL] === CONFIG_FILE) return problem(FROM_CONFIG);
    if (made.expires && made.expires <= parts.now)
      return void problems.push(
        `${place(['metadata', 'expires'])}: ${kind.kind}/${name}: metadata.expires: given ${JSON.stringify(made.expires.toISOString())}: a time to come expected`,
      );
    const labels = {
      ...(before && managedLabels(kind.kind, before.labels)),
      ...made.labels,
      ...(origin.kind === 'config-file' && {
        [ORIGIN_LABEL]: CONFIG_FILE,
        [ORIGIN_GATEWAY_LABEL]: origin.gatewayId,
      }),
    };
    const resource: NewResource = { ...made, labels };
    const isSame = before && same(before, resource) && !(await kind.differs?.(value, before));
    steps.push({ kind, value, before, resource, change: before ? (isSame ? 'unchanged' : 'updated') : 'created' });
  }

  const stored = new Map<ReadDocument, Resource | null>();
  for (let from = 0; from < documents.length; from += READ_AT_ONCE)
    await Promise.all(
      documents.slice(from, from + READ_AT_ONCE).map(async document => {
        const { kind, name } = document;
        if (!isUserKind(kind)) stored.set(document, await parts.resources.get(kind.kind, name));
      }),
    );
  for (const document of documents) {
    const { kind } = document;
    if (isUserKind(kind)) await planUser(document, kind);
    else await planResource(document, kind);
  }
  return { resources: steps, users, problems };
}

const unknownRole = (path: readonly PropertyKey[], role: string): string =>
  `${dotted(path)}: given ${JSON.stringify(role)}: the name of a role expected, stored or in these files`;

const unknownHolder = (path: readonly PropertyKey[], kind: 'user' | 'access_list', name: string): string =>
  `${dotted(path)}: given ${JSON.stringify(name)}: the name of ${kind === 'user' ? 'a user' : 'an access list'} expected, stored or in these files`;

const FROM_CONFIG = 'comes from the static configuration of a gateway: change it there';

function same(before: Resource, after: NewResource): boolean {
  const { revision: _revision, created: _created, updated: _updated, ...kept } = before;
  // What people write and leave around a role's YAML is no change.
  const bare = (resource: NewResource) => {
    const { spec } = resource;
    const content = (spec as { readonly content?: unknown } | null)?.content;
    return { ...resource, spec: typeof content === 'string' ? { content: content.trim() } : spec };
  };
  return isDeepStrictEqual(JSON.parse(JSON.stringify(bare(kept))), JSON.parse(JSON.stringify(bare(after))));
}
