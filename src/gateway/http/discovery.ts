// What other clients ask before signing in, and what watches over the gateway asks (contract/api.md 0.3).
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../contract/failure.ts';
import { hostAndPort } from './clusters.ts';
import { describeCalls } from './openapi.ts';
import type { Services } from './services.ts';

export function serveDiscovery(app: FastifyInstance, { config, store }: Services): void {
  const { auth } = config.webConfig;
  const about = {
    auth: {
      type: auth.authType,
      second_factor: auth.second_factor,
      allow_passwordless: auth.allowPasswordless,
      local: { name: auth.localConnectorName ?? '' },
      private_key_policy: auth.privateKeyPolicy,
      has_motd: auth.motd !== '',
    },
    proxy: {
      kube: { enabled: false },
      ssh: { listen_addr: '', public_addr: hostAndPort(config.publicUrl) },
      db: {},
      tls_routing_enabled: false,
      assist_enabled: config.webConfig.assistEnabled,
    },
    server_version: config.version,
    min_client_version: config.version,
    cluster_name: config.clusterName,
    automatic_upgrades: config.webConfig.automaticUpgrades,
  };
  for (const path of ['ping', 'ping/:connector', 'find']) app.get(`/v1/webapi/${path}`, async () => about);
  app.get('/v1/webapi/motd', async () => ({ text: auth.motd }));

  let described: object | undefined;
  app.get('/v1/webapi/openapi.json', async () => {
    described ??= describeCalls(config.version);
    return described;
  });

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async request => {
    try {
      await store.settings.get('identity.session_key');
    } catch (error) {
      request.log.error({ err: error }, 'the store does not answer');
      throw new Failure('unavailable', 'the store does not answer');
    }
    return { status: 'ok' };
  });
}
