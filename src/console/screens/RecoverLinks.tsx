import { lostThings } from '../../contract/sign-in-form.ts';
import { LinkTo, usePage } from './page.tsx';
import styles from './recover-links.module.css';

const titles = { password: 'Forgot Password?', device: 'Lost Two-Factor Device?' } as const;

/** The ways back for whoever has a recovery code; nothing where the cluster gives out none. */
export function RecoverLinks() {
  const lost = lostThings(usePage().config);
  return (
    lost.length > 0 && (
      <p className={styles.links} data-recover="">
        {lost.map(what => (
          <LinkTo key={what} id="recover" params={{ lost: what }}>
            {titles[what]}
          </LinkTo>
        ))}
      </p>
    )
  );
}
