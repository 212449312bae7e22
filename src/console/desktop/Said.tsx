import { type FormEvent, useState } from 'react';
import type { DesktopState } from '../../client/desktop-connection.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import styles from './desktop.module.css';

/** What stands in the place of a picture. `state` null: somebody else is on it. */
export function Said(props: {
  readonly state: DesktopState | null;
  readonly name: string;
  readonly onPassword: (password: string) => void;
  readonly onGoOn: () => void;
  readonly onAgain: () => void;
  readonly onLeave: () => void;
  /** What leaving one that is over comes to. */
  readonly leaving: string;
  /** It may take the keys. */
  readonly takesKeys: boolean;
}) {
  const { state, name, onPassword, onGoOn, onAgain, onLeave, leaving, takesKeys } = props;
  if (state === null)
    return (
      <div className={styles.said} role="alertdialog" aria-label="Another session is active">
        <h2>Another session is active</h2>
        <p>Somebody is on {name} now. Going on may end their session, or show both the same screen.</p>
        <p className={styles.actions}>
          <Button onClick={onLeave}>Abort</Button>
          <Button kind="primary" autoFocus={takesKeys} onClick={onGoOn}>
            Continue
          </Button>
        </p>
      </div>
    );
  if (state.kind === 'asks') return <Password why={state.why} {...{ onPassword, onLeave, takesKeys }} />;
  if (state.kind === 'over')
    return (
      <div className={styles.said} role="alert">
        <h2>Not connected</h2>
        <p>{state.why || 'The session on the desktop has ended.'}</p>
        <p className={styles.actions}>
          <Button onClick={onLeave}>{leaving}</Button>
          <Button kind="primary" autoFocus={takesKeys} onClick={onAgain}>
            Connect again
          </Button>
        </p>
      </div>
    );
  return (
    <div className={styles.said}>
      <Spinner delay="none" label="Connecting" />
      <p>{state.kind === 'lost' ? 'The connection was lost: it is tried again.' : `Connecting to ${name}…`}</p>
    </div>
  );
}

function Password(props: {
  readonly why: string;
  readonly onPassword: (password: string) => void;
  readonly onLeave: () => void;
  readonly takesKeys: boolean;
}) {
  const [password, setPassword] = useState('');
  const send = (event: FormEvent): void => {
    event.preventDefault();
    props.onPassword(password);
  };
  return (
    <form className={styles.said} onSubmit={send}>
      <h2>Password</h2>
      <p>{props.why} It is used once, and kept nowhere.</p>
      <Field
        label="Password of the desktop"
        type="password"
        autoFocus={props.takesKeys}
        autoComplete="off"
        value={password}
        onChange={event => setPassword(event.target.value)}
      />
      <p className={styles.actions}>
        <Button onClick={props.onLeave}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={password === ''}>
          Log in
        </Button>
      </p>
    </form>
  );
}
