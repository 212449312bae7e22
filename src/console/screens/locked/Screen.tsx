import { features, type LockedId } from '../../../features/table.ts';
import { CallToAction } from '../CallToAction.tsx';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import styles from './locked.module.css';

/** What each feature that can be locked would give. A locked row without a line here does not compile. */
const gives: Readonly<Record<LockedId, readonly string[]>> = {
  accessRequests: [
    'Ask for a role, or for a single server or database, for as long as it takes.',
    'Have others review it, who see by name what it would give.',
    'Let it end by itself, in open sessions too.',
  ],
  activeSessions: [
    'See every shell that is running in the cluster, who is in it, and for how long.',
    'Join one to watch or to help.',
    'End one that should not go on.',
  ],
  trustedDevices: [
    'Let people in from the machines that you know, and from no others.',
    'Enroll a browser or a command line with a key that cannot be copied off it.',
    'Lock a lost laptop: everything that was begun with it ends at once.',
  ],
  authConnectors: [
    'Let people sign in with the account of their company: OpenID Connect, SAML or GitHub.',
    'Give them their roles by the groups that they are in there.',
    'Do without passwords here.',
  ],
};
const isLockable = (id: string): id is LockedId => id in gives;

/** Stands in for a feature that this cluster's plan does not have: what it is, what it would give, and the way to it. */
export default function Locked() {
  const { feature } = usePage();
  if (!isLockable(feature)) throw new Error(`The page ${feature} is never locked`);
  const title = features[feature].locked?.title ?? features[feature].title;
  return (
    <ListPage title={title}>
      <section className={styles.card} aria-labelledby="locked-title">
        <h2 id="locked-title">{title} is not part of this cluster's plan</h2>
        <p>With it you can:</p>
        <ul className={styles.gives}>
          {gives[feature].map(text => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        <CallToAction about={feature} />
      </section>
    </ListPage>
  );
}
