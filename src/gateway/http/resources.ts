// The other resource lists: applications, databases, desktops, Kubernetes clusters, user groups (contract/api.md 2).
import * as z from 'zod/mini';
import {
  application,
  checkResources,
  database,
  desktop,
  kube,
  listApps,
  listDatabases,
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

/** Kinds that count as something to reach (contract/api.md 2, resources/check). */
const REACHABLE = ['node', 'app', 'db', 'kube_cluster', 'windows_desktop'] as const satisfies readonly LabelledKind[];

export function serveResources(serve: Serve, { store, config }: Services): void {
  /** A page of one kind. What a resource's `spec` holds is laid under its columns and held against the item's schema. */
  async function list<Item extends z.ZodMiniType>(
    asked: { readonly kind: LabelledKind; readonly item: Item; readonly sort: Readonly<Record<string, SortField>> },
    query: ListQuery,
    who: Who,
    columns: (resource: Resource) => Readonly<Record<string, unknown>>,
  ): Promise<{ items: z.output<Item>[]; startKey: string; totalCount: number }> {
    const page = await store.resources.list(
      asked.kind,
      resourceQuery(query, asked.sort, who.rights.selection(asked.kind)),
    );
    const items = page.items.map(resource => {
      const spec = typeof resource.spec === 'object' && resource.spec !== null ? resource.spec : {};
      return z.parse(asked.item, { ...spec, labels: shownLabels(resource.labels), ...columns(resource) });
    });
    return { items, startKey: page.startKey, totalCount: page.totalCount };
  }

  serve(listApps, ({ query }, who) =>
    list(
      { kind: 'app', item: application, sort: { name: 'name', description: 'description', publicAddress: 'address' } },
      query,
      who,
      app => ({
        name: app.name,
        description: app.description,
        publicAddr: app.address,
        clusterId: config.clusterName,
      }),
    ),
  );
  serve(listDatabases, ({ query }, who) =>
    list(
      { kind: 'db', item: database, sort: { name: 'name', description: 'description', type: 'subtype' } },
      query,
      who,
      db => ({
        name: db.name,
        desc: db.description,
        type: db.subtype,
      }),
    ),
  );
  serve(listDesktops, ({ query }, who) =>
    list({ kind: 'windows_desktop', item: desktop, sort: { name: 'name', address: 'address' } }, query, who, one => ({
      name: one.name,
      addr: one.address,
    })),
  );
  serve(listKubes, ({ query }, who) =>
    list({ kind: 'kube_cluster', item: kube, sort: { name: 'name' } }, query, who, ({ name }) => ({ name })),
  );
  serve(listUserGroups, ({ query }, who) =>
    list(
      { kind: 'user_group', item: userGroup, sort: { name: 'name', description: 'description' } },
      query,
      who,
      group => ({
        name: group.name,
        description: group.description,
      }),
    ),
  );

  serve(checkResources, async (_asked, who) => {
    for (const kind of REACHABLE) {
      const page = await store.resources.list(kind, { limit: 1, selection: who.rights.selection(kind), count: false });
      if (page.items.length > 0) return { hasResource: true };
    }
    return { hasResource: false };
  });
}
