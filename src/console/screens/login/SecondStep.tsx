import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import type { MakeCall } from '../../../contract/call.ts';
import { beginSignIn, type Challenge, finishSignIn } from '../../../contract/mfa.ts';
import { signIn } from '../../../contract/session.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { BackButton } from '../../wizards/credentials/BackButton.tsx';
import { askKey } from '../../wizards/credentials/hardware-key.ts';
import { usePage } from '../page.tsx';
import { signInRefused } from './refused.ts';

export { isAsked } from '../../../contract/mfa.ts';

/** What is asked of somebody with the right password. Throws ApiError. */
export const begin = (api: MakeCall, user: string, pass: string): Promise<Challenge> =>
  api(beginSignIn, { body: { user, pass } });

/** What is asked after a right password: a code, or the touch of a hardware key, which is asked for at once. */
export function SecondStep({
  user,
  pass,
  challenge,
  onBack,
  onKeyPolicy,
}: {
  readonly user: string;
  readonly pass: string;
  readonly challenge: Challenge;
  readonly onBack: () => void;
  /** Called when no browser may sign this person in. */
  readonly onKeyPolicy: () => void;
}) {
  const { api, enter, query } = usePage();
  const [isKey, setKey] = useState(challenge.webauthn_challenge !== null);
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const field = useRef<HTMLInputElement>(null);
  /** Good for one answer; asked for again after that. */
  const asked = useRef<Challenge | null>(challenge);
  const redirect = query.redirect_uri ?? '';

  const fail = useCallback(
    (thrown: unknown): void => {
      const error = toApiError(thrown);
      setBusy(false);
      if (error.code === 'hardware_key') onKeyPolicy();
      else setProblem(signInRefused(error));
    },
    [onKeyPolicy],
  );
  const touch = useCallback(
    async (signal?: AbortSignal): Promise<void> => {
      setBusy(true);
      setProblem('');
      try {
        const question = asked.current ?? (await begin(api, user, pass));
        asked.current = null;
        const webauthnAssertionResponse = await askKey(question, signal);
        enter(redirect, await api(finishSignIn, { body: { user, webauthnAssertionResponse } }));
      } catch (error) {
        if (signal?.aborted !== true) fail(error);
      }
    },
    [api, enter, fail, redirect, user, pass],
  );
  useEffect(() => {
    if (!isKey) return;
    const leaving = new AbortController();
    // After React has looked twice, as it does while developing: a browser asks for one key at a time.
    const soon = setTimeout(() => void touch(leaving.signal));
    return () => {
      clearTimeout(soon);
      leaving.abort();
    };
  }, [isKey, touch]);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isKey) return touch();
    setTried(true);
    if (code.trim() === '') return field.current?.focus();
    setBusy(true);
    setProblem('');
    try {
      enter(redirect, await api(signIn, { body: { user, pass, second_factor_token: code.trim() } }));
    } catch (error) {
      setCode('');
      setTried(false);
      fail(error);
      field.current?.focus();
    }
  };
  const hasBoth = challenge.webauthn_challenge !== null && challenge.totp_challenge;

  return (
    <form method="post" onSubmit={event => void submit(event)} noValidate>
      {problem !== '' && <Alert>{problem}</Alert>}
      {isKey ? (
        problem === '' && <p role="status">Touch your hardware key, or follow what your browser asks.</p>
      ) : (
        <Field
          ref={field}
          label="Authenticator Code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          mono
          value={code}
          error={tried && code.trim() === '' ? 'Token is required' : undefined}
          onChange={event => setCode(event.target.value)}
        />
      )}
      <Button kind="primary" size="large" type="submit" disabled={busy}>
        {isKey ? 'Use hardware key' : 'Sign in'}
      </Button>
      {hasBoth && (
        <Button
          onClick={() => {
            setProblem('');
            setBusy(false);
            setKey(!isKey);
          }}
        >
          {isKey ? 'Use an authenticator code' : 'Use a hardware key'}
        </Button>
      )}
      <BackButton onClick={onBack} />
    </form>
  );
}
