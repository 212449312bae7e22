import { X } from 'lucide-react';
import { useSnapshot } from 'valtio';
import type { Tools } from '../../../commands/command.ts';
import { createAwaited } from '../ui/lazy.tsx';
import styles from './notices.module.css';
import type { Notices } from './notices.ts';
import type { SessionFactors } from './session-factors.ts';

const LinkDialog = createAwaited(async () => (await import('./LinkDialog.tsx')).LinkDialog);
const SessionFactor = createAwaited(async () => (await import('./SessionFactor.tsx')).SessionFactor);
const Question = createAwaited(async () => (await import('./Question.tsx')).Question);

/** What just happened, said to screen readers too, and the questions that wait for an answer. */
export function NoticeList({
  notices,
  factors,
  copyText,
  whyOf,
}: {
  readonly notices: Notices;
  readonly factors: SessionFactors;
  readonly copyText: Tools['copyText'];
  /** Path of the page that explains a refusal; undefined where no rule is named. */
  readonly whyOf: (text: string) => string | undefined;
}) {
  const { notices: shown, question, link } = useSnapshot(notices.state);
  const [asked] = useSnapshot(factors.state).asked;
  return (
    <>
      <div className={styles.place} role="log" aria-live="polite" aria-label="Notices">
        {shown
          .map(notice => ({ ...notice, why: whyOf(notice.text) }))
          .map(notice => (
            <div key={notice.id} className={styles.notice}>
              <p className={styles.text}>
                {notice.text} {notice.why !== undefined && <a href={notice.why}>Why?</a>}
              </p>
              <button
                type="button"
                className={styles.close}
                aria-label="Dismiss"
                onClick={() => notices.drop(notice.id)}
              >
                <X aria-hidden="true" />
              </button>
            </div>
          ))}
      </div>
      {link !== null && <LinkDialog key={link.link} link={link} copyText={copyText} onClose={notices.putAway} />}
      {asked !== undefined && (
        <SessionFactor
          key={asked.id}
          asked={asked}
          onAnswer={assertion => factors.answer(asked.id, assertion)}
          onCancel={() => factors.cancel(asked.id)}
        />
      )}
      {question !== null && <Question question={question} onSettle={notices.settle} />}
    </>
  );
}
