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
import type { ListQuery, Page } from '../../contract/shapes.ts';
import type { Who } from '../ports/who.ts';
import type { AccessRequests } from '../services/requests/requests.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveResources(serve: Serve, { reachable, liveSessions, requests }: Services): void {
  const asking = searcher(requests);
  serve(listApps, async ({ query }, who) => onWire(await reachable.apps(await asking(who, query, 'app'), query)));
  serve(listDatabases, async ({ query }, who) =>
    onWire(await reachable.databases(await asking(who, query, 'db'), query)),
  );
  serve(getDatabase, ({ params }, who) => reachable.database(who, params.name));
  serve(listDatabaseServices, async ({ query }, who) =>
    onWire(await reachable.databaseServices(await asking(who, query, 'db_service'), query)),
  );
  serve(listDesktops, async ({ query }, who) =>
    onWire(await reachable.desktops(await asking(who, query, 'windows_desktop'), query)),
  );
  serve(getDesktop, ({ params }, who) => reachable.desktop(who, params.name));
  serve(isDesktopActive, async ({ params }, who) => {
    const { name } = await reachable.desktop(who, params.name);
    return { active: liveSessions.isDesktopActive(name) };
  });
  serve(listDesktopServices, async ({ query }, who) =>
    onWire(await reachable.desktopServices(await asking(who, query, 'windows_desktop_service'), query)),
  );
  serve(listKubes, async ({ query }, who) =>
    onWire(await reachable.kubes(await asking(who, query, 'kube_cluster'), query)),
  );
  serve(listUserGroups, async ({ query }, who) =>
    onWire(await reachable.userGroups(await asking(who, query, 'user_group'), query)),
  );
  serve(checkResources, async (_asked, who) => ({ hasResource: await reachable.any(who) }));
  serve(checkSiteResources, async (_asked, who) => ({ hasResource: await reachable.any(who) }));
}

/** Whose rights a list goes by: with `searchAsRoles` also those of the roles that the person may search as, to find what to ask for. */
export const searcher =
  (requests: Pick<AccessRequests, 'searching'>) =>
  async (who: Who, { searchAsRoles }: ListQuery, kind: string): Promise<Who> =>
    searchAsRoles === 'yes' || searchAsRoles === 'true' ? requests.searching(who, kind) : who;

/** A page as a reply, whose list is its own. */
export const onWire = <Item>({
  items,
  ...rest
}: Page<Item>): { items: Item[]; startKey: string; totalCount: number } => ({
  ...rest,
  items: [...items],
});
