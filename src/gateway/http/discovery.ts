// What other clients ask before signing in, and what watches over the gateway asks.
import type { FastifyInstance } from 'fastify';
import { webauthnProblem } from '../../contract/mfa.ts';
import { bootConfig } from './boot-config.ts';
import { hostAndPort } from './clusters.ts';
import { describeCalls } from './openapi.ts';
import type { Services } from './services.ts';

export function serveDiscovery(app: FastifyInstance, services: Services): void {
  const { config, identity, ready, sshDoor } = services;
  /** `wanted`: the connector that is asked about; otherwise the first one. */
  const about = async (wanted?: string) => {
    const { auth } = await bootConfig(services);
    const named = auth.providers.find(({ name }) => name === wanted);
    const connector = named ?? (auth.authType === 'local' ? undefined : auth.providers[0]);
    const { address: ssh } = await sshDoor.access();
    const [clusters, databases, mysql] = ['', 'postgres', 'mysql'].map(protocol => config.clientPorts?.(protocol));
    return {
      auth: {
        type: auth.authType,
        second_factor: auth.second_factor,
        allow_passwordless: auth.allowPasswordless,
        ...(auth.preferredLocalMfa !== undefined && { preferred_local_mfa: auth.preferredLocalMfa }),
        allow_headless: identity.factors.takes('webauthn') && webauthnProblem(config.publicUrl) === null,
        ...(webauthnProblem(config.publicUrl) === null && { webauthn: { rp_id: new URL(config.publicUrl).hostname } }),
        local: { name: auth.localConnectorName ?? '' },
        private_key_policy: auth.privateKeyPolicy,
        has_motd: auth.motd !== '',
        ...(connector && { [connector.type]: { name: connector.name, display: connector.displayName } }),
      },
      proxy: {
        kube: clusters ? { enabled: true, public_addr: `${clusters.host}:${clusters.tlsPort}` } : { enabled: false },
        ssh: {
          listen_addr: '',
          public_addr: hostAndPort(config.publicUrl),
          ...(ssh && { ssh_public_addr: `${ssh.host}:${ssh.port}` }),
        },
        db: {
          ...(databases && { postgres_public_addr: `${databases.host}:${databases.port}` }),
          ...(mysql && { mysql_public_addr: `${mysql.host}:${mysql.port}` }),
        },
        tls_routing_enabled: false,
        assist_enabled: config.webConfig.assistEnabled,
      },
      server_version: config.version,
      min_client_version: config.version,
      cluster_name: config.clusterName,
      automatic_upgrades: config.webConfig.automaticUpgrades,
    };
  };
  for (const path of ['ping', 'ping/:connector', 'find'])
    app.get<{ Params: { connector?: string } }>(`/v1/webapi/${path}`, ({ params }) => about(params.connector));
  app.get('/v1/webapi/motd', async () => ({ text: config.webConfig.auth.motd }));

  let described: object | undefined;
  app.get('/v1/webapi/openapi.json', async () => {
    described ??= describeCalls(config.version);
    return described;
  });

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const parts = await ready();
    const missing = Object.values(parts).filter(problem => problem !== null);
    return reply.code(missing.length === 0 ? 200 : 503).send({
      status: missing.length === 0 ? 'ok' : 'not ready',
      parts: Object.fromEntries(Object.entries(parts).map(([part, problem]) => [part, problem ?? 'ok'])),
    });
  });
}
