// The other resource lists: applications, databases, desktops, Kubernetes clusters, user groups.
import {
  checkResources,
  checkSiteResources,
  getDatabase,
  getDesktop,
  isDesktopActive,
  listApps,
  listDatabaseServices,
  listDatabases,
  listDesktopServices,
  listDesktops,
  listKubes,
  listUserGroups,
} from '../../contract/resources.ts';
import type { Page } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveResources(serve: Serve, { reachable, liveSessions }: Services): void {
  serve(listApps, async ({ query }, who) => onWire(await reachable.apps(who, query)));
  serve(listDatabases, async ({ query }, who) => onWire(await reachable.databases(who, query)));
  serve(getDatabase, ({ params }, who) => reachable.database(who, params.name));
  serve(listDatabaseServices, async ({ query }, who) => onWire(await reachable.databaseServices(who, query)));
  serve(listDesktops, async ({ query }, who) => onWire(await reachable.desktops(who, query)));
  serve(getDesktop, ({ params }, who) => reachable.desktop(who, params.name));
  serve(isDesktopActive, async ({ params }, who) => {
    const { name } = await reachable.desktop(who, params.name);
    return { active: liveSessions.isDesktopActive(name) };
  });
  serve(listDesktopServices, async ({ query }, who) => onWire(await reachable.desktopServices(who, query)));
  serve(listKubes, async ({ query }, who) => onWire(await reachable.kubes(who, query)));
  serve(listUserGroups, async ({ query }, who) => onWire(await reachable.userGroups(who, query)));
  serve(checkResources, async (_asked, who) => ({ hasResource: await reachable.any(who) }));
  serve(checkSiteResources, async (_asked, who) => ({ hasResource: await reachable.any(who) }));
}

/** A page as a reply, whose list is its own. */
export const onWire = <Item>({
  items,
  ...rest
}: Page<Item>): { items: Item[]; startKey: string; totalCount: number } => ({
  ...rest,
  items: [...items],
});
