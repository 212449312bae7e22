// How a desktop is named where the id of a server stands: in tabs beside terminals, in addresses of the console, in workspaces.
import { readSlashed, slashed } from './prompt-address.ts';

const PREFIX = 'desktop';

/** No id and no host has a slash: it can be taken for neither. */
export const desktopAddress = (name: string): string => slashed(PREFIX, name);

/** The desktop's name; null for what names none. */
export function readDesktopAddress(serverId: string): string | null {
  const [name, ...rest] = readSlashed(PREFIX, serverId) ?? [];
  return name && rest.length === 0 ? name : null;
}
