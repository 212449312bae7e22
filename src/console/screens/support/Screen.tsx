import type { WebConfig } from '../../../contract/config.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { CallToAction } from '../CallToAction.tsx';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import styles from './support.module.css';

/** How this cluster is deployed, in words; whoever is asked for help asks that first. */
function deploymentText({ isEnterprise, isCloud, isDashboard, isUsageBasedBilling }: WebConfig): string {
  const kinds = [
    isEnterprise && 'enterprise',
    isCloud && 'cloud',
    isDashboard && 'dashboard',
    isUsageBasedBilling && 'billed by use',
  ].filter(kind => kind !== false);
  return kinds.length === 0 ? 'self-hosted' : kinds.join(', ');
}

/** Help & Support: the keys, the API's own description, and what to say about this cluster when asking for help. */
export default function Support() {
  const { who, config } = usePage();
  if (who === null) return null;
  const { cluster } = who;
  const facts: readonly (readonly [string, string])[] = [
    ['Cluster Name', cluster.name],
    ['Gateway Version', cluster.proxyVersion],
    ['Public Address', cluster.publicURL],
    ['Deployment', deploymentText(config)],
    ...(config.tunnelPublicAddress === undefined ? [] : [['Public SSH Tunnel', config.tunnelPublicAddress] as const]),
  ];
  return (
    <ListPage title="Help & Support">
      <div className={styles.columns}>
        <section className={styles.card} aria-labelledby="support-help">
          <h2 id="support-help">Help</h2>
          <ul className={styles.links}>
            <li>
              <CommandButton id="help.open" showKeys />
            </li>
            <li>
              <CommandButton id="palette.open" showKeys />
            </li>
            <li>
              <a href="/v1/webapi/openapi.json">Description of the web API (OpenAPI)</a>
            </li>
          </ul>
        </section>
        {config.isUsageBasedBilling && (
          <section className={styles.card} aria-labelledby="support-premium">
            <h2 id="support-premium">Premium Support</h2>
            <p>
              Premium support is not part of this cluster's plan. With it, whoever sold the plan answers your questions.
            </p>
            <CallToAction about="premiumSupport" />
          </section>
        )}
        <section className={styles.card} aria-labelledby="support-cluster">
          <h2 id="support-cluster">Cluster Information</h2>
          <dl className={styles.facts}>
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <code>{value}</code>
                </dd>
              </div>
            ))}
          </dl>
          <Snippet
            label="the cluster information"
            text={facts.map(([name, value]) => `${name}: ${value}`).join(', ')}
          />
        </section>
      </div>
    </ListPage>
  );
}
