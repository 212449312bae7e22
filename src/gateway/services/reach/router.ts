// Which way out a destination takes: what is behind a tunnel is reached by that tunnel alone, a machine of EC2 that is to be reached through AWS by
// no other way, all else directly.
import type { Reach } from '../../ports/reach.ts';
import type { Instances } from '../../ports/servers.ts';
import { TunnelStream } from './tunnel-stream.ts';
import type { Tunnels } from './tunnels.ts';

/** A further way, such as through a leaf cluster, takes its place here, beside what it is named by in a destination. */
export function createReach(direct: Reach, tunnels: Pick<Tunnels, 'open'>, instances: Pick<Instances, 'open'>): Reach {
  return {
    open(to, receive) {
      const { way, aws, host, port } = to;
      if (aws) return new TunnelStream(() => instances.open(aws, host, port), receive);
      return way ? new TunnelStream(() => tunnels.open(way), receive) : direct.open(to, receive);
    },
    // What is `own` there is not ours: the address is one of the machine that has dialled in.
    stream: (to, own) => (to.way ? tunnels.open(to.way) : direct.stream(to, own)),
  };
}
