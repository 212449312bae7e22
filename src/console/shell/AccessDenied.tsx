import { Fragment } from 'react';
import { reaches } from '../../features/access.ts';
import type { Viewer } from '../../features/feature.ts';
import { to } from '../../features/paths.ts';
import { missingRule, ruleIn } from '../../features/reach.ts';
import { type FeatureId, features } from '../../features/table.ts';
import { GenericPage } from './GenericPage.tsx';
import { homeButton } from './pages.tsx';

/** A page of ours that this person's roles do not open: the rule that they lack, with links to them for whoever may see roles. */
export function AccessDenied({ id, viewer }: { readonly id: FeatureId; readonly viewer: Viewer }) {
  const { title, needs } = features[id];
  const missing = needs.rule === undefined ? `None of your roles opens ${title}` : missingRule(...needs.rule, title);
  const rule = ruleIn(missing);
  const own = reaches('roles', viewer) ? (viewer.who?.roles ?? []) : [];
  return (
    <GenericPage title="Access Denied" actions={homeButton}>
      <p>
        {missing}. Whoever manages roles in this cluster can change that.{' '}
        {rule && <a href={to('why', { clusterId: viewer.config.proxyCluster }, rule)}>Why?</a>}
      </p>
      {own.length > 0 && (
        <p>
          Your roles:{' '}
          {own.map((role, index) => (
            <Fragment key={role}>
              {index > 0 && ', '}
              <a href={to('roles', {}, { edit: role })}>{role}</a>
            </Fragment>
          ))}
        </p>
      )}
    </GenericPage>
  );
}
