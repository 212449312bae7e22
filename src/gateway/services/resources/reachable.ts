// Everything else that a person can reach: applications, databases, desktops, Kubernetes clusters, user groups, as their roles select them.
import * as z from 'zod/mini';
import { withoutPort } from '../../../contract/address.ts';
import { cloudOf } from '../../../contract/cloud-applications.ts';
import { userMakingProtocols } from '../../../contract/database-protocols.ts';
import { Failure } from '../../../contract/failure.ts';
import {
  type Application,
  application,
  type Database,
  type Desktop,
  database,
  databaseService,
  desktop,
  desktopService,
  type Kube,
  kube,
  type UserGroup,
  userGroup,
} from '../../../contract/resources.ts';
import type { ListQuery, Page } from '../../../contract/shapes.ts';
import type { LabelledKind } from '../../ports/rights.ts';
import type { Who } from '../../ports/who.ts';
import type { Resource, Resources } from '../../store/store.ts';
import { addressAt, applicationHost } from '../application-host.ts';
import { awsPartition, awsRolesOf } from '../aws-console.ts';
import { cloudIdentitiesOf } from '../cloud-identities.ts';
import { resourceQuery, type SortFields, shownLabels } from '../lists.ts';
import { TUNNEL_LABEL } from '../tunnel-way.ts';

/** Kinds that count as something to reach. */
const REACHABLE = ['node', 'app', 'db', 'kube_cluster', 'windows_desktop'] as const satisfies readonly LabelledKind[];

/** What rules call those that are read one by one. */
const readAs = {
  app: 'app_server',
  db: 'db_server',
  windows_desktop: 'windows_desktop',
  kube_cluster: 'kube_server',
} as const;
const showKube = ({ labels }: Pick<Resource, 'labels'>, { rights }: Who) => ({
  kubernetes_users: [...rights.principals('kubernetes_users', labels)],
  kubernetes_groups: [...rights.principals('kubernetes_groups', labels)],
});
/** Most groups or applications that one item names. */
const NEIGHBOURS_MOST = 100;

type ListedItem = Readonly<Record<string, unknown>>;

export interface ReachableParts {
  readonly resources: Pick<Resources, 'get' | 'list'>;
  readonly clusterName: string;
  /** Address of the console: applications without one of their own are below it. */
  readonly publicUrl: string;
  /** Why things with these labels cannot be reached now, by tunnel id. */
  readonly offline: (all: readonly Readonly<Record<string, string>>[]) => Promise<ReadonlyMap<string, string>>;
}
/** Pages of what a person's roles select; all throw Failure bad_request for a query that cannot be answered. */
export interface Reachable {
  apps(who: Who, query: ListQuery): Promise<Page<Application>>;
  databases(who: Who, query: ListQuery): Promise<Page<Database>>;
  databaseServices(who: Who, query: ListQuery): Promise<Page<z.output<typeof databaseService>>>;
  desktops(who: Who, query: ListQuery): Promise<Page<Desktop>>;
  desktopServices(who: Who, query: ListQuery): Promise<Page<z.output<typeof desktopService>>>;
  kubes(who: Who, query: ListQuery): Promise<Page<Kube>>;
  userGroups(who: Who, query: ListQuery): Promise<Page<UserGroup>>;
  /** One of them. Throws Failure not_found, also where no role selects it. */
  application(who: Who, name: string): Promise<Application>;
  database(who: Who, name: string): Promise<Database>;
  desktop(who: Who, name: string): Promise<Desktop>;
  kube(who: Who, name: string): Promise<Kube>;
  /** Whether there is anything at all. */
  any(who: Who): Promise<boolean>;
}

export function createReachable({ resources, clusterName, publicUrl, offline }: ReachableParts): Reachable {
  /** A page of one kind, each resource shown by `show` and held against the item's schema. */
  async function list<Item extends z.ZodMiniType>(
    asked: {
      readonly kind: LabelledKind | 'windows_desktop_service';
      readonly item: Item;
      readonly sort: SortFields;
    },
    query: ListQuery,
    who: Who,
    show: (resource: Resource) => ListedItem | Promise<ListedItem>,
  ): Promise<{ items: z.output<Item>[]; startKey: string; totalCount: number }> {
    const { kind, item, sort } = asked;
    const page = await resources.list(kind, resourceQuery(query, sort, who.rights.listing(kind)));
    const missing = await offline(page.items.map(({ labels }) => labels));
    const items = await Promise.all(
      page.items.map(async resource => {
        const why = missing.get(resource.labels[TUNNEL_LABEL] ?? '');
        const shown = { name: resource.name, labels: shownLabels(resource.labels), ...(await show(resource)) };
        return z.parse(item, { ...shown, ...(why !== undefined && { offline: why }) });
      }),
    );
    return { items, startKey: page.startKey, totalCount: page.totalCount };
  }

  /** One resource that the person's roles select. Throws Failure not_found, also for one that they do not. */
  async function find(
    kind: 'app' | 'db' | 'windows_desktop' | 'kube_cluster',
    name: string,
    who: Who,
  ): Promise<Resource> {
    const resource = await resources.get(kind, name);
    const reads =
      resource &&
      who.rights.selects(kind, resource.labels) &&
      who.rights.may(readAs[kind], 'read', { resource: { name, labels: resource.labels } });
    if (!reads) throw new Failure('not_found', `"${name}" was not found`);
    return resource;
  }

  /** Reads resources that others name, each once, and only those that the person's roles select. */
  function createFinder(kind: 'app' | 'user_group', who: Who) {
    const found = new Map<string, Promise<Resource | null>>();
    return async (names: readonly string[]): Promise<readonly Resource[]> => {
      const read = await Promise.all(
        names.slice(0, NEIGHBOURS_MOST).map(name => {
          const reading = found.get(name) ?? resources.get(kind, name);
          found.set(name, reading);
          return reading;
        }),
      );
      return read.flatMap(resource => (resource && who.rights.selects(kind, resource.labels) ? [resource] : []));
    };
  }

  async function showApplication(
    app: Resource,
    who: Who,
    groups: (names: readonly string[]) => Promise<readonly Resource[]>,
  ): Promise<ListedItem> {
    const { uri = '', friendly_name = '', user_groups = [], saml } = specOf(appSpec, app);
    const samlApp = saml !== undefined;
    const publicAddr = samlApp ? '' : applicationHost({ ...app, uri }, publicUrl);
    const partition = samlApp ? null : awsPartition(uri);
    const provider = samlApp ? null : cloudOf(uri);
    const named = await groups(user_groups);
    return {
      description: app.description,
      uri,
      publicAddr,
      fqdn: publicAddr,
      address: /^https?:/.test(uri) && publicAddr !== '' ? addressAt(publicUrl, publicAddr) : '',
      clusterId: clusterName,
      friendlyName: friendly_name,
      awsConsole: partition !== null,
      samlApp,
      awsRoles: partition ? awsRolesOf(who.rights, partition, app.labels) : [],
      ...(provider && { cloud: { provider, identities: cloudIdentitiesOf(who.rights, provider, app.labels) } }),
      userGroups: named.map(({ name, description }) => ({ name, description })),
    };
  }
  const apps: Reachable['apps'] = (who, query) => {
    const groups = createFinder('user_group', who);
    return list(
      { kind: 'app', item: application, sort: { name: 'name', description: 'description', publicAddress: 'address' } },
      query,
      who,
      app => showApplication(app, who, groups),
    );
  };

  const showDatabase = (db: Resource, who: Who): ListedItem => {
    const { protocol = '', uri = '', aws, admin_user: admin } = specOf(dbSpec, db);
    const users = who.rights.principals('db_users', db.labels);
    const isMade = admin !== undefined && userMakingProtocols.has(protocol) && who.rights.ownDatabaseUser(db.labels);
    return {
      desc: db.description,
      protocol,
      type: db.subtype,
      uri,
      hostname: hostOf(uri),
      database_users: isMade && !users.includes(who.user) ? [...users, who.user] : users,
      database_names: who.rights.principals('db_names', db.labels),
      ...(aws && { aws }),
    };
  };
  const showDesktop = (one: Resource, who: Who): ListedItem => ({
    addr: one.address,
    host_id: specOf(desktopSpec, one).host_id ?? '',
    logins: who.rights.principals('windows_desktop_logins', one.labels),
    protocol: one.subtype === 'vnc' ? 'vnc' : 'rdp',
  });
  const userGroups: Reachable['userGroups'] = (who, query) => {
    const named = createFinder('app', who);
    return list(
      { kind: 'user_group', item: userGroup, sort: { name: 'name', description: 'description' } },
      query,
      who,
      async group => {
        const { friendly_name = '', applications = [] } = specOf(groupSpec, group);
        const reached = await named(applications);
        return {
          description: group.description,
          friendlyName: friendly_name,
          applications: reached.map(app => ({
            name: app.name,
            friendlyName: specOf(appSpec, app).friendly_name ?? '',
          })),
        };
      },
    );
  };

  return {
    apps,
    async application(who, name) {
      const app = await find('app', name, who);
      const shown = await showApplication(app, who, createFinder('user_group', who));
      return z.parse(application, { name: app.name, labels: shownLabels(app.labels), ...shown });
    },
    userGroups,
    databases: (who, query) =>
      list(
        { kind: 'db', item: database, sort: { name: 'name', description: 'description', type: 'subtype' } },
        query,
        who,
        db => showDatabase(db, who),
      ),
    async database(who, name) {
      const db = await find('db', name, who);
      return z.parse(database, { name: db.name, labels: shownLabels(db.labels), ...showDatabase(db, who) });
    },
    databaseServices: (who, query) =>
      list({ kind: 'db_service', item: databaseService, sort: {} }, query, who, service =>
        specOf(databaseServiceSpec, service),
      ),
    desktops: (who, query) =>
      list({ kind: 'windows_desktop', item: desktop, sort: { name: 'name', address: 'address' } }, query, who, one =>
        showDesktop(one, who),
      ),
    async desktop(who, name) {
      const one = await find('windows_desktop', name, who);
      return z.parse(desktop, { name: one.name, labels: shownLabels(one.labels), ...showDesktop(one, who) });
    },
    desktopServices: (who, query) =>
      list({ kind: 'windows_desktop_service', item: desktopService, sort: { name: 'name' } }, query, who, service => ({
        hostname: service.title,
        addr: service.address,
      })),
    kubes: (who, query) =>
      list({ kind: 'kube_cluster', item: kube, sort: { name: 'name' } }, query, who, one => showKube(one, who)),
    async kube(who, name) {
      const one = await find('kube_cluster', name, who);
      return z.parse(kube, { name: one.name, labels: shownLabels(one.labels), ...showKube(one, who) });
    },
    async any(who) {
      for (const kind of REACHABLE) {
        const page = await resources.list(kind, { limit: 1, selection: who.rights.listing(kind), count: false });
        if (page.items.length > 0) return true;
      }
      return false;
    },
  };
}

/** What lists read of a stored spec. A spec that is another thing is shown as an empty one. */
const words = z.optional(z.array(z.string()));
const text = z.optional(z.string());
const appSpec = z.object({ uri: text, friendly_name: text, user_groups: words, saml: z.optional(z.unknown()) });
const dbSpec = z.object({
  protocol: text,
  uri: text,
  aws: z.optional(z.looseObject({})),
  admin_user: z.optional(z.looseObject({})),
});
const desktopSpec = z.object({ host_id: text });
const databaseServiceSpec = z.pick(databaseService, { resource_matchers: true });
const groupSpec = z.object({ friendly_name: text, applications: words });

function specOf<Schema extends z.ZodMiniType>(schema: Schema, { spec }: Resource): Partial<z.output<Schema>> {
  const read = z.safeParse(schema, spec);
  return read.success ? (read.data as z.output<Schema>) : {};
}

/** Host of host:port or of an address with a scheme. */
const hostOf = (uri: string): string => withoutPort(uri.replace(/^[a-z+]+:\/\//, '').replace(/[/?].*$/, ''));
