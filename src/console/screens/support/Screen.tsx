import type { WebConfig } from '../../../contract/config.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { CallToAction } from '../CallToAction.tsx';
import { ListPage } from '../ListPage.tsx';
import { LinkTo, usePage } from '../page.tsx';
import { Bundle } from './Bundle.tsx';
import { Clicks } from './Clicks.tsx';
import { columnsFor } from './links.ts';
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

/** Help & Support: where to look and whom to ask, and what to say about this cluster when asking. */
export default function Support() {
  const { who, config, query } = usePage();
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
        {columnsFor({ who, config }, cluster.proxyVersion).map(({ title, entries }) => (
          <section key={title} className={styles.card} aria-labelledby={`support-${title}`}>
            <h2 id={`support-${title}`}>{title}</h2>
            <ul className={styles.links}>
              {entries.map(entry => (
                <li key={entry.kind === 'address' ? entry.href : entry.id}>
                  {entry.kind === 'command' && <CommandButton id={entry.id} showKeys />}
                  {entry.kind === 'page' && <LinkTo id={entry.id}>{entry.title}</LinkTo>}
                  {entry.kind === 'address' && (
                    <a href={entry.href} target="_blank" rel="noopener noreferrer">
                      {entry.title}
                    </a>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
        {config.isUsageBasedBilling && (
          <section className={styles.card} aria-labelledby="support-premium">
            <h2 id="support-premium">Premium Support</h2>
            <p>
              Premium support is not part of this cluster's plan. With it, whoever sold the plan answers your questions.
            </p>
            <CallToAction about="premiumSupport" />
          </section>
        )}
      </div>
      {query.bundle === 'yes' && <Bundle />}
      {query.clicks === 'yes' && <Clicks />}
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
        <Snippet label="the cluster information" text={facts.map(([name, value]) => `${name}: ${value}`).join(', ')} />
      </section>
    </ListPage>
  );
}
