// Clients of people of a root, who come in over its tunnel: each goes where one of this cluster's own people would, who has shown a certificate.
import type { Duplex } from 'node:stream';
import type { DatabaseClients } from './services/protocols/databases/clients.ts';
import { certifiedAs } from './services/protocols/identity.ts';
import type { ClusterClients } from './services/protocols/kubernetes/clients.ts';
import type { Tunnels } from './services/protocols/tcp/tunnels.ts';
import type { VisitingClient } from './services/trust/reception.ts';

export interface VisitingParts {
  readonly databases: Pick<DatabaseClients, 'serve' | 'engineOf'>;
  readonly takeCluster: ClusterClients['take'];
  readonly takeTunnel: Tunnels['take'];
}

export const takeVisiting =
  ({ databases, takeCluster, takeTunnel }: VisitingParts) =>
  (stream: Duplex, client: VisitingClient): void => {
    const { kind, target, userId, webSessionId, remoteAddr, device, protocol, number } = client;
    const identity = { userId, webSessionId, target, device };
    stream.on('error', () => stream.destroy());
    const tunnel = (['app', 'db'] as const).find(of => kind === certifiedAs[of]);
    if (kind === 'kube') takeCluster(stream, { identity, remoteAddr });
    else if (kind === 'db')
      void databases.serve(stream, { identity, remoteAddr, spoken: databases.engineOf(protocol, number) });
    else if (tunnel) takeTunnel(stream, { kind: tunnel, identity, remoteAddr });
    else stream.destroy();
  };
