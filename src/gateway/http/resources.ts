// The other resource lists: applications, databases, desktops, Kubernetes clusters, user groups.
import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { Failure } from '../../contract/failure.ts';
import {
  application,
  checkResources,
  checkSiteResources,
  database,
  databaseService,
  desktop,
  desktopService,
  getDatabase,
  getDesktop,
  isDesktopActive,
  kube,
  listApps,
  listDatabaseServices,
  listDatabases,
  listDesktopServices,
  listDesktops,
  listKubes,
  listUserGroups,
  userGroup,
} from '../../contract/resources.ts';
import type { ListQuery } from '../../contract/shapes.ts';
import type { LabelledKind, Who } from '../ports.ts';
import type { Resource, SortField } from '../store/store.ts';
import { resourceQuery, shownLabels } from './lists.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

/** Kinds that count as something to reach. */
const REACHABLE = ['node', 'app', 'db', 'kube_cluster', 'windows_desktop'] as const satisfies readonly LabelledKind[];

/** Most groups or applications that one item names. */
const NEIGHBOURS_MOST = 100;

type Shown = Readonly<Record<string, unknown>>;

export function serveResources(serve: Serve, { store, config, sessions }: Services): void {
  /** A page of one kind, each resource shown by `show` and held against the item's schema. */
  async function list<Item extends z.ZodMiniType>(
    asked: {
      readonly kind: LabelledKind | 'windows_desktop_service';
      readonly item: Item;
      readonly sort: Readonly<Record<string, SortField>>;
    },
    query: ListQuery,
    who: Who,
    show: (resource: Resource) => Shown | Promise<Shown>,
  ): Promise<{ items: z.output<Item>[]; startKey: string; totalCount: number }> {
    const { kind, item, sort } = asked;
    const page = await store.resources.list(kind, resourceQuery(query, sort, who.rights.listing(kind)));
    const items = await Promise.all(
      page.items.map(async resource =>
        z.parse(item, { name: resource.name, labels: shownLabels(resource.labels), ...(await show(resource)) }),
      ),
    );
    return { items, startKey: page.startKey, totalCount: page.totalCount };
  }

  /** One resource that the person's roles select. Throws Failure not_found, also for one that they do not. */
  async function find(kind: 'db' | 'windows_desktop', name: string, who: Who): Promise<Resource> {
    const resource = await store.resources.get(kind, name);
    const reads =
      resource &&
      who.rights.selects(kind, resource.labels) &&
      who.rights.may(kind === 'db' ? 'db_server' : kind, 'read', { resource: { name, labels: resource.labels } });
    if (!reads) throw new Failure('not_found', `"${name}" was not found`);
    return resource;
  }

  /** Reads resources that others name, each once, and only those that the person's roles select. */
  function createFinder(kind: 'app' | 'user_group', who: Who) {
    const found = new Map<string, Promise<Resource | null>>();
    return async (names: readonly string[]): Promise<readonly Resource[]> => {
      const resources = await Promise.all(
        names.slice(0, NEIGHBOURS_MOST).map(name => {
          const reading = found.get(name) ?? store.resources.get(kind, name);
          found.set(name, reading);
          return reading;
        }),
      );
      return resources.flatMap(resource => (resource && who.rights.selects(kind, resource.labels) ? [resource] : []));
    };
  }

  serve(listApps, ({ query }, who) => {
    const groups = createFinder('user_group', who);
    return list(
      { kind: 'app', item: application, sort: { name: 'name', description: 'description', publicAddress: 'address' } },
      query,
      who,
      async app => {
        const { uri = '', friendly_name = '', user_groups = [] } = specOf(appSpec, app);
        const publicAddr = app.address || publicAddrOf(app.name, uri, config.publicUrl);
        const awsConsole =
          /^https:\/\/([a-z0-9-]+\.)?console\.(aws\.amazon\.com|amazonaws-us-gov\.com|amazonaws\.cn)([/?#]|$)/.test(
            uri,
          );
        const named = await groups(user_groups);
        return {
          description: app.description,
          uri,
          publicAddr,
          fqdn: publicAddr,
          clusterId: config.clusterName,
          friendlyName: friendly_name,
          awsConsole,
          awsRoles: awsConsole ? who.rights.principals('aws_role_arns', app.labels).map(awsRole) : [],
          userGroups: named.map(({ name, description }) => ({ name, description })),
        };
      },
    );
  });

  const showDatabase = (db: Resource, who: Who): Shown => {
    const { protocol = '', uri = '', aws } = specOf(dbSpec, db);
    return {
      desc: db.description,
      protocol,
      type: db.subtype,
      uri,
      hostname: hostOf(uri),
      database_users: who.rights.principals('db_users', db.labels),
      database_names: who.rights.principals('db_names', db.labels),
      ...(aws && { aws }),
    };
  };
  serve(listDatabases, ({ query }, who) =>
    list(
      { kind: 'db', item: database, sort: { name: 'name', description: 'description', type: 'subtype' } },
      query,
      who,
      db => showDatabase(db, who),
    ),
  );
  serve(getDatabase, async ({ params }, who) => {
    const db = await find('db', params.name, who);
    return z.parse(database, { name: db.name, labels: shownLabels(db.labels), ...showDatabase(db, who) });
  });
  serve(listDatabaseServices, ({ query }, who) =>
    list({ kind: 'db_service', item: databaseService, sort: {} }, query, who, service =>
      specOf(databaseServiceSpec, service),
    ),
  );

  const showDesktop = (one: Resource, who: Who): Shown => ({
    addr: one.address,
    host_id: specOf(desktopSpec, one).host_id ?? '',
    logins: who.rights.principals('windows_desktop_logins', one.labels),
  });
  serve(listDesktops, ({ query }, who) =>
    list({ kind: 'windows_desktop', item: desktop, sort: { name: 'name', address: 'address' } }, query, who, one =>
      showDesktop(one, who),
    ),
  );
  serve(getDesktop, async ({ params }, who) => {
    const one = await find('windows_desktop', params.name, who);
    return z.parse(desktop, { name: one.name, labels: shownLabels(one.labels), ...showDesktop(one, who) });
  });
  serve(isDesktopActive, async ({ params }, who) => {
    const { name } = await find('windows_desktop', params.name, who);
    const active = sessions.list().some(({ session }) => session.kind === 'desktop' && session.desktop_name === name);
    return { active };
  });
  serve(listDesktopServices, ({ query }, who) =>
    list({ kind: 'windows_desktop_service', item: desktopService, sort: { name: 'name' } }, query, who, service => ({
      hostname: service.title,
      addr: service.address,
    })),
  );
  serve(listKubes, ({ query }, who) =>
    list({ kind: 'kube_cluster', item: kube, sort: { name: 'name' } }, query, who, ({ labels }) => ({
      kubernetes_users: who.rights.principals('kubernetes_users', labels),
      kubernetes_groups: who.rights.principals('kubernetes_groups', labels),
    })),
  );
  serve(listUserGroups, ({ query }, who) => {
    const apps = createFinder('app', who);
    return list(
      { kind: 'user_group', item: userGroup, sort: { name: 'name', description: 'description' } },
      query,
      who,
      async group => {
        const { friendly_name = '', applications = [] } = specOf(groupSpec, group);
        const named = await apps(applications);
        return {
          description: group.description,
          friendlyName: friendly_name,
          applications: named.map(app => ({
            name: app.name,
            friendlyName: specOf(appSpec, app).friendly_name ?? '',
          })),
        };
      },
    );
  });

  async function anyReachable(who: Who): Promise<{ hasResource: boolean }> {
    for (const kind of REACHABLE) {
      const page = await store.resources.list(kind, { limit: 1, selection: who.rights.listing(kind), count: false });
      if (page.items.length > 0) return { hasResource: true };
    }
    return { hasResource: false };
  }
  serve(checkResources, (_asked, who) => anyReachable(who));
  serve(checkSiteResources, (_asked, who) => anyReachable(who));
}

/** What lists read of a stored spec. A spec that is another thing is shown as an empty one. */
const words = z.optional(z.array(z.string()));
const text = z.optional(z.string());
const appSpec = z.object({ uri: text, friendly_name: text, user_groups: words });
const dbSpec = z.object({ protocol: text, uri: text, aws: z.optional(z.looseObject({})) });
const desktopSpec = z.object({ host_id: text });
const databaseServiceSpec = z.pick(databaseService, { resource_matchers: true });
const groupSpec = z.object({ friendly_name: text, applications: words });

function specOf<Schema extends z.ZodMiniType>(schema: Schema, { spec }: Resource): Partial<z.output<Schema>> {
  const read = z.safeParse(schema, spec);
  return read.success ? (read.data as z.output<Schema>) : {};
}

/**
 * Where an application is reached when it has no address of its own: below the gateway's name. Cloud and TCP applications have none, and
 * nothing is below an IP address.
 */
function publicAddrOf(name: string, uri: string, publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return /^(cloud|tcp):/.test(uri) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 ? '' : `${name}.${hostname}`;
}

/** Host of host:port or of an address with a scheme. */
const hostOf = (uri: string): string =>
  uri
    .replace(/^[a-z+]+:\/\//, '')
    .replace(/[/?].*$/, '')
    .replace(/:\d{1,5}$/, '');

/** `arn:aws:iam::123456789012:role/path/Name` -> its name. */
const awsRole = (arn: string): { readonly arn: string; readonly display: string } => ({
  arn,
  display: arn.split('/').at(-1) ?? arn,
});
