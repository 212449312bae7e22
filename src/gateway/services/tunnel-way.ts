// By which tunnel something is reached, and by what name there: told by a label of the gateway's own that no person and no file can set.
import type { TunnelWay } from '../ports/reach.ts';

/** Label of whatever is reached over a tunnel: the id of the tunnel. */
export const TUNNEL_LABEL = 'postern.internal/tunnel';

/** Kinds that a tunnel leads to, and their names in it. */
const paths = {
  node: () => '/postern/ssh',
  db: (name: string) => `/postern/db/${name}`,
  app: (name: string) => `/postern/app/${name}`,
} as const satisfies Record<string, (name: string) => string>;
export type TunnelledKind = keyof typeof paths;

/** Name of a remote socket, as `ssh -R` gives it. */
export const tunnelPath = (kind: TunnelledKind, name: string): string => paths[kind](name);

/** Null for what the gateway dials itself. */
export function tunnelWay(
  kind: TunnelledKind,
  name: string,
  labels: Readonly<Record<string, string>>,
): TunnelWay | null {
  const tunnel = labels[TUNNEL_LABEL];
  return tunnel === undefined ? null : { tunnel, path: tunnelPath(kind, name) };
}
