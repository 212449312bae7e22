// Which way out a destination takes: what is behind a tunnel is reached by that tunnel alone, all else directly.
import type { Reach } from '../../ports/reach.ts';
import { TunnelStream } from './tunnel-stream.ts';
import type { Tunnels } from './tunnels.ts';

/** A further way, such as through a leaf cluster, takes its place here, beside what it is named by in a destination. */
export function createReach(direct: Reach, tunnels: Pick<Tunnels, 'open'>): Reach {
  return {
    open(to, receive) {
      const { way } = to;
      return way ? new TunnelStream(() => tunnels.open(way), receive) : direct.open(to, receive);
    },
    // What is `own` there is not ours: the address is one of the machine that has dialled in.
    stream: (to, own) => (to.way ? tunnels.open(to.way) : direct.stream(to, own)),
  };
}
