import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import styles from './recovery-codes.module.css';

/** The one-time codes that bring a person back who lost everything else; shown once. */
export function RecoveryCodes({
  codes,
  created,
  user,
  isNew,
  onUse = () => undefined,
  onSaved,
}: {
  readonly codes: readonly string[];
  /** RFC 3339. */
  readonly created: string;
  readonly user: string;
  /** They replace others. */
  readonly isNew: boolean;
  /** Hears which of the two ways to keep them was taken. */
  readonly onUse?: (way: 'copy' | 'print') => void;
  readonly onSaved: () => void;
}) {
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    onUse('copy');
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      setSaid('Copied');
    } catch (error) {
      setSaid(`Cannot copy to clipboard. Use Ctrl/Cmd + C. ${error instanceof Error ? error.message : ''}`);
    }
  };
  return (
    <div className={styles.columns}>
      <div className={styles.codes}>
        <p>{`Recovery codes (${codes.length} total)`}</p>
        <ol className={styles.list}>
          {codes.map(code => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <p className={styles.printed}>
          {`Recovery codes of ${user}, created on ${created.slice(0, 10)} ${created.slice(11, 19)} UTC`}
        </p>
        <p className={styles.actions} role="status">
          <Button autoFocus onClick={() => void copy()}>
            COPY
          </Button>
          <Button
            onClick={() => {
              onUse('print');
              globalThis.print();
            }}
          >
            PRINT
          </Button>{' '}
          {said}
        </p>
        <Button kind="primary" size="large" className={styles.saved} onClick={onSaved}>
          {`${isNew ? 'I have saved my new Recovery Codes' : 'I have saved my Recovery Codes'} (${user})`}
        </Button>
      </div>
      <aside className={styles.why}>
        <h2>Why do I need these codes?</h2>
        <p>They are the only way back in when your password or your two-factor device is lost.</p>
        <h2>How long do the codes last?</h2>
        <p>Each code can be used only once. You get new ones when you use one to recover your account.</p>
        {isNew && (
          <>
            <h2>What about my old codes?</h2>
            <p>Your old recovery codes are no longer valid: replace them with these new ones.</p>
          </>
        )}
      </aside>
    </div>
  );
}
