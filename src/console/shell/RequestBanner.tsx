import type { UserContext } from '../../contract/session.ts';
import { dateTime } from '../../features/times.ts';
import { CommandButton } from '../palette/CommandButton.tsx';
import { joined } from '../ui/joined.ts';
import styles from './banners.module.css';
import { assumedWords } from './status-text.ts';

/** While access requests are used: what they give and until when, with the way back. While one must be and none is: the way to it. */
export function RequestBanner({ who: { assumed, accessStrategy } }: { readonly who: UserContext }) {
  const [first] = [...assumed].sort((one, other) => (one.ends < other.ends ? -1 : 1));
  const [text, id, label] =
    first === undefined
      ? ([
          `Nothing opens before an access request of yours is approved and in use. ${accessStrategy.prompt}`,
          'requests.new',
          'Request access',
        ] as const)
      : ([
          `You use ${assumedWords(assumed)} by an access request, until ${dateTime(first.ends)} UTC`,
          'requests.drop',
          'Drop',
        ] as const);
  return (
    <div className={joined(styles.banner, styles.warning)} role="status">
      <p className={styles.text}>{text.trim()}</p>
      <CommandButton id={id} kind="quiet" size="dense">
        {label}
      </CommandButton>
    </div>
  );
}
