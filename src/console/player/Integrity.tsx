import { ShieldAlert, ShieldCheck } from 'lucide-react';
import type { RecordingSummary } from '../../contract/recordings.ts';
import { clockText } from './clock.ts';
import styles from './player.module.css';

/** Whether the recording is what was written: one word when it is, a sentence when it is not. */
export function Integrity({ summary }: { readonly summary: Pick<RecordingSummary, 'integrity' | 'state'> }) {
  const { integrity, state } = summary;
  if (!integrity.ok)
    return (
      <span className={styles.bad} role="alert">
        <ShieldAlert size={14} aria-hidden /> Not intact
        {integrity.at === undefined ? '' : ` from ${clockText(integrity.at)}`}:{' '}
        {integrity.problem ?? 'its hash chain does not hold'}. What is before that can be played.
      </span>
    );
  if (state === 'cut')
    return (
      <span className={styles.warn}>
        <ShieldAlert size={14} aria-hidden /> Cut short: the gateway stopped during this session. What was written is
        intact.
      </span>
    );
  return (
    <span
      className={styles.good}
      title={
        integrity.unread
          ? 'Read from its bucket part by part: each is compared with what was sealed at the end of the session'
          : 'The hash chain holds and the signature is right'
      }
    >
      <ShieldCheck size={14} aria-hidden />{' '}
      {integrity.unread ? 'Checked as it is read' : state === 'live' ? 'Intact so far' : 'Intact'}
    </span>
  );
}
