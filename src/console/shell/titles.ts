// Page titles: '{clusterId} • {title}' when both exist, otherwise just the title (specification section 2).
import type { Matched } from '../../features/paths.ts';
import { features } from '../../features/table.ts';

const PRODUCT = 'Postern';

/** The title of a page; pages about one thing name it. */
export function pageTitle(found: Matched | null): string {
  if (found === null) return PRODUCT;
  const { clusterId, sid, login, serverId } = found.params;
  const title = ownTitle(found.id, { sid, login, serverId });
  return clusterId !== undefined ? `${clusterId} • ${title}` : title;
}

function ownTitle(id: Matched['id'], { sid, login, serverId }: Record<string, string | undefined>): string {
  if (id === 'root') return PRODUCT;
  if (id === 'player' && sid !== undefined) return `Play ${sid}`;
  if (id === 'consoleConnect' && login !== undefined && serverId !== undefined) return `${login}@${serverId}`;
  return features[id].title;
}
