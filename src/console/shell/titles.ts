// Page titles: '{clusterId} • {title}' when both exist, otherwise just the title (specification section 2).
import { readDesktopAddress } from '../../contract/desktop-address.ts';
import type { Matched } from '../../features/paths.ts';
import { features } from '../../features/table.ts';

const PRODUCT = 'Postern';

/** The title of a page; pages about one thing name it. */
export function pageTitle(found: Matched | null): string {
  if (found === null) return PRODUCT;
  const { clusterId, sid, login, serverId, desktopName, username } = found.params;
  const title = lockedTitle(found) ?? ownTitle(found.id, { sid, login, serverId, desktopName, username });
  return clusterId !== undefined ? `${clusterId} • ${title}` : title;
}

/** The title of a page's locked variant; undefined for any other. */
const lockedTitle = ({ id, locked }: Matched): string | undefined => (locked ? features[id].locked?.title : undefined);

/** The title as the top bar has it: without the cluster, and without the one thing it is about. */
export const barTitle = (found: Matched | null): string =>
  found === null ? '' : (lockedTitle(found) ?? features[found.id].title);

function ownTitle(
  id: Matched['id'],
  { sid, login, serverId, desktopName, username }: Record<string, string | undefined>,
): string {
  if (id === 'root') return PRODUCT;
  if (id === 'desktop') return `${username}@${desktopName}`;
  if (id === 'player' && sid !== undefined) return `Play ${sid}`;
  if (id === 'consoleConnect' && login !== undefined && serverId !== undefined)
    return `${login}@${readDesktopAddress(serverId) ?? serverId}`;
  return features[id].title;
}
