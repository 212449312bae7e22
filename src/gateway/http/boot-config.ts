// What the page knows before anyone signs in: the deployment's settings, and the ways to sign in as the store has them now.
import type { WebConfig } from '../../contract/config.ts';
import type { Services } from './services.ts';

export async function bootConfig({ config, connectors }: Pick<Services, 'config' | 'connectors'>): Promise<WebConfig> {
  const { webConfig } = config;
  return { ...webConfig, auth: { ...webConfig.auth, ...(await connectors.auth()) } };
}
