import { type FormEvent, useCallback, useEffect, useId, useRef, useState } from 'react';
import type { Assertion, Challenge } from '../../../contract/mfa.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { useAttempt } from '../use-attempt.ts';
import { askKey } from './hardware-key.ts';
import type { Method } from './methods.ts';
import styles from './prove-dialog.module.css';

/** An answer to a challenge: a typed code, or what a hardware key said. Nothing where nothing was asked. */
export interface Proof {
  readonly code?: string;
  readonly assertion?: Assertion;
}

/** Asks somebody again who they are: for the code of their app, or for their hardware key, at once where there is nothing to choose. */
export function ProveDialog({
  title,
  challenge,
  askAgain,
  onProof,
  onCancel,
}: {
  readonly title: string;
  readonly challenge: Challenge;
  /** A challenge is good for one answer. */
  readonly askAgain: () => Promise<Challenge>;
  /** What it rejects with is said here, and asked again. */
  readonly onProof: (proof: Proof) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const id = useId();
  const methods: readonly Method[] = [
    ...(challenge.webauthn_challenge === null ? [] : (['Hardware Key'] as const)),
    ...(challenge.totp_challenge ? (['Authenticator App'] as const) : []),
  ];
  const [method, setMethod] = useState(methods[0]);
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const { busy, problem, attempt, forget } = useAttempt();
  const unanswered = useRef<Challenge | null>(challenge);
  const isKey = method === 'Hardware Key';

  const give = useCallback(
    (proof: () => Promise<Proof>): Promise<void> => attempt(async () => onProof(await proof())),
    [attempt, onProof],
  );
  const touch = useCallback(async (): Promise<Proof> => {
    const asked = unanswered.current ?? (await askAgain());
    unanswered.current = null;
    return { assertion: await askKey(asked) };
  }, [askAgain]);
  const isKeyAlone = isKey && methods.length === 1;
  const begun = useRef(false);
  useEffect(() => {
    if (!isKeyAlone || begun.current) return;
    begun.current = true;
    void give(touch);
  }, [isKeyAlone, give, touch]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isKey) void give(touch);
    else if (code.trim() !== '') void give(async () => ({ code: code.trim() }));
  };
  return (
    <Dialog
      title={title}
      actions={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button kind="primary" type="submit" form={id} disabled={busy}>
            {isKey ? 'Use hardware key' : 'Continue'}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} onSubmit={submit} noValidate>
        {problem !== '' && <Alert>{problem}</Alert>}
        <p role="status">
          {isKey && busy ? 'Touch your hardware key, or follow what your browser asks.' : 'Prove first that it is you.'}
        </p>
        {methods.length > 1 && (
          <Select
            label="Two-Factor Method"
            name="method"
            choices={methods}
            value={method}
            onChange={event => {
              setMethod(event.target.value as Method);
              setCode('');
              setTried(false);
              forget();
            }}
          />
        )}
        {!isKey && (
          <Field
            label="Authenticator Code"
            name="proof"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus={methods.length === 1}
            mono
            value={code}
            error={tried && code.trim() === '' ? 'Token is required' : undefined}
            onChange={event => setCode(event.target.value)}
          />
        )}
      </form>
    </Dialog>
  );
}
