import type { UserContext } from '../../contract/session.ts';
import { dateTime } from '../../features/times.ts';
import { CommandButton } from '../palette/CommandButton.tsx';
import { joined } from '../ui/joined.ts';
import styles from './banners.module.css';
import { assumedWords } from './status-text.ts';

/** While access requests are used: what they give and until when, with the way back. */
export function AssumedBanner({ assumed }: { readonly assumed: UserContext['assumed'] }) {
  const [first] = [...assumed].sort((one, other) => (one.ends < other.ends ? -1 : 1));
  if (first === undefined) return null;
  return (
    <div className={joined(styles.banner, styles.warning)} role="status">
      <p className={styles.text}>
        You use {assumedWords(assumed)} by an access request, until {dateTime(first.ends)} UTC
      </p>
      <CommandButton id="requests.drop" kind="quiet" size="dense">
        Drop
      </CommandButton>
    </div>
  );
}
