// Certificates for tunnels: TCP applications, and databases whose protocol the gateway does not speak.
import { Failure } from '../../contract/failure.ts';
import { createTunnelCertificate, type TunnelKind, tunnelKeyChallenge } from '../../contract/tunnels.ts';
import { certifiedAs } from '../services/protocols/identity.ts';
import { otherCluster } from './leaf.ts';
import { certifyForLeaf, provenDevice, sessionScope } from './leaf-certificates.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveTunnels(serve: Serve, services: Services): void {
  const { tunnels, identity, config } = services;
  serve(tunnelKeyChallenge, ({ params: { kind, name }, request }, who) => {
    const scope = scopeOf(kind, name, otherCluster(request, config.clusterName));
    return identity.factors.challenge(who.userId, 'session', scope);
  });
  serve(createTunnelCertificate, async ({ params, body, request }, who) => {
    const { kind, name } = params;
    const { publicKey, azureIdentity, gcpServiceAccount, webauthnAssertionResponse: assertion } = body;
    const chosen = { azure: azureIdentity ?? undefined, gcp: gcpServiceAccount ?? undefined };
    const leaf = otherCluster(request, config.clusterName);
    const device = await provenDevice(services, who, assertion, scopeOf(kind, name, leaf));
    if (leaf === undefined)
      return tunnels.issue(who, kind, name, { publicKey, chosen, ...(device !== undefined && { device }) });
    const { said, at, made } = await certifyForLeaf(services, createTunnelCertificate, who, {
      ...{ leaf, kind: certifiedAs[kind], name, params, publicKey, device },
      route: ({ cloud }) => {
        if (cloud)
          throw new Failure(
            'unsupported',
            `${name} is the API of a cloud, which is not reached through a root cluster: sign in at ${leaf}`,
          );
        return kind === 'app' ? { route_to_app: { name } } : { route_to_database: { service_name: name } };
      },
    });
    return { ...said, ...made, host: at.host, tlsPort: at.tlsPort };
  });
}

const scopeOf = (kind: TunnelKind, name: string, leaf: string | undefined): string =>
  sessionScope(`${kind === 'app' ? 'application' : 'database'} ${name}`, leaf, 'tunnel ');
