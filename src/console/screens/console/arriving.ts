// What the address of a console page means.
import type { Mode } from '../../../contract/live-sessions.ts';
import { modeIn } from '../../../features/join-modes.ts';
import type { FeatureId } from '../../../features/table.ts';

export type Arriving =
  | { readonly serverId: string; readonly login: string }
  | { readonly sid: string; readonly mode?: Mode }
  | null;

/** A new session on a server, a session to join, or just the terminals that are open. An unknown mode counts as none. */
export function arriving(
  feature: FeatureId,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
): Arriving {
  const { serverId, login, sid } = params;
  if (feature === 'consoleConnect' && serverId !== undefined && login !== undefined) return { serverId, login };
  if (feature === 'consoleSession' && sid !== undefined) {
    const mode = modeIn(query.mode ?? '');
    return mode === undefined ? { sid } : { sid, mode };
  }
  return null;
}
