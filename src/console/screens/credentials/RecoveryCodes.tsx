import { Button } from '../../ui/Button.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import styles from './codes.module.css';

/** The one-time codes that bring a person back who lost everything else; shown once. */
export function RecoveryCodes({
  codes,
  created,
  user,
  isNew,
  onSaved,
}: {
  readonly codes: readonly string[];
  readonly created: string;
  readonly user: string;
  readonly isNew: boolean;
  readonly onSaved: () => void;
}) {
  return (
    <>
      <p>
        {codes.length} codes for <strong>{user}</strong>. Each works once. They are the only way back in when password
        and devices are lost.
        {isNew ? ' Your old codes no longer work.' : ''}
      </p>
      <Snippet label="the recovery codes" text={codes.join('\n')} />
      <p className={styles.printed}>Created {created}</p>
      <div className={styles.actions}>
        <Button onClick={() => globalThis.print()}>PRINT</Button>
        <Button kind="primary" onClick={onSaved}>
          {isNew ? 'I have saved my new Recovery Codes' : 'I have saved my Recovery Codes'}
        </Button>
      </div>
    </>
  );
}
