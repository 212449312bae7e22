// What an access request would give, by name: what its person could reach with it, and cannot without.
import { type RequestableKind, type RequestGrants, requestableKinds } from '../../../contract/access-requests.ts';
import { type AclFlag, aclFlags, aclKeys } from '../../../contract/acl.ts';
import type { PrincipalKey, Rights } from '../../ports/rights.ts';
import type { Resource, Resources, Users } from '../../store/store.ts';
import type { AskParts } from './ask.ts';
import type { StoredRequest } from './stored.ts';

/** Things of one kind that are named. */
const NAMED_MOST = 50;
/** Rows of one kind that are looked at. */
const LOOKED_AT_MOST = 500;

const principalKeys: Readonly<Record<RequestableKind, readonly (PrincipalKey | 'logins')[]>> = {
  node: ['logins'],
  db: ['db_users', 'db_names'],
  kube_cluster: ['kubernetes_groups', 'kubernetes_users'],
  windows_desktop: ['windows_desktop_logins'],
  app: ['aws_role_arns', 'azure_identities', 'gcp_service_accounts'],
  user_group: [],
};

export interface GivenParts {
  readonly resources: Pick<Resources, 'list' | 'named'>;
  readonly users: Pick<Users, 'byId'>;
  readonly rights: Pick<AskParts['rights'], 'rightsOf'>;
}

/** Answers what a request gives; `seen`: by whose rights things are shown with address and labels. */

export function createGiven({
  resources,
  users,
  rights,
}: GivenParts): (request: StoredRequest, seen: Rights) => Promise<RequestGrants> {
  const candidates = async (
    kind: RequestableKind,
    { things }: StoredRequest,
    after: Rights,
  ): Promise<readonly Resource[]> => {
    if (things.length > 0)
      return resources.named(
        kind,
        things.filter(one => one.kind === kind).map(({ name }) => name),
      );
    const { items } = await resources.list(kind, {
      limit: LOOKED_AT_MOST,
      selection: after.selection(kind),
      sort: { field: 'title', descending: false },
      count: false,
    });
    return items;
  };
  return async (request, seen) => {
    const user = await users.byId(request.userId);
    if (user === null) return { things: [], isPart: false, rights: [] };
    const before = await rights.rightsOf(user);
    const after = await rights.rightsOf(user, [
      {
        request: request.id,
        roles: request.roles,
        things: request.things.length === 0 ? null : request.things,
        ends: new Date(request.ends),
      },
    ]);
    const things: RequestGrants['things'] = [];
    let isPart = false;
    for (const kind of requestableKinds) {
      const found = await candidates(kind, request, after);
      const more = found.flatMap(one => {
        const principals = usable(after, kind, one).filter(name => !usable(before, kind, one).includes(name));
        const isNew = after.selects(kind, one.labels) && !before.selects(kind, one.labels);
        return principals.length > 0 || isNew
          ? [{ kind, id: one.name, title: one.title, principals, ...(seen.selects(kind, one.labels) && shownAs(one)) }]
          : [];
      });
      isPart ||= more.length > NAMED_MOST || found.length >= LOOKED_AT_MOST;
      things.push(...more.slice(0, NAMED_MOST));
    }
    return { things, isPart, rights: moreRights(before, after) };
  };
}

/** As lists show it. */
const shownAs = ({ address, description, labels }: Resource): Pick<RequestGrants['things'][number], 'details'> => ({
  details: {
    address,
    description,
    labels: Object.entries(labels).map(([name, value]) => ({ name, value })),
  },
});
const usable = (rights: Rights, kind: RequestableKind, { labels }: Resource): readonly string[] =>
  principalKeys[kind].flatMap(key => (key === 'logins' ? rights.logins(labels) : rights.principals(key, labels)));

/** What could be done in the cluster itself, one line for each kind of resource. */
const moreRights = (before: Rights, after: Rights): string[] =>
  aclKeys.flatMap(key => {
    const flags = (Object.keys(aclFlags) as AclFlag[]).filter(flag => after.acl[key][flag] && !before.acl[key][flag]);
    return flags.length > 0 ? [`${key}: ${flags.join(', ')}`] : [];
  });
