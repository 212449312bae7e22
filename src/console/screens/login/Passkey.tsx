import { useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { beginSignIn, finishSignIn } from '../../../contract/mfa.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { askKey, isFirefox } from '../../wizards/credentials/hardware-key.ts';
import { usePage } from '../page.tsx';
import { signInRefused } from './refused.ts';

/** Signing in with a passkey, which says by itself whose it is. */
export function Passkey({
  isFirst,
  onKeyPolicy,
  onDrawn,
}: {
  readonly isFirst: boolean;
  /** Called when no browser may sign this person in. */
  readonly onKeyPolicy: () => void;
  /** Called once it is there, which may be later than the card around it. */
  readonly onDrawn: () => void;
}) {
  const { api, enter, query } = usePage();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  useEffect(onDrawn, [onDrawn]);
  const touch = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      const webauthnAssertionResponse = await askKey(await api(beginSignIn, { body: { passwordless: true } }));
      enter(query.redirect_uri ?? '', await api(finishSignIn, { body: { user: '', webauthnAssertionResponse } }));
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.code === 'hardware_key') return onKeyPolicy();
      setBusy(false);
      setProblem(signInRefused(error));
    }
  };
  return (
    <>
      {problem !== '' && <Alert>{problem}</Alert>}
      <Button
        kind={isFirst ? 'primary' : 'secondary'}
        size="large"
        autoFocus={isFirst}
        disabled={busy}
        onClick={() => void touch()}
      >
        Sign in with a passkey
      </Button>
      {isFirefox() && <p>Firefox may not support passwordless login. Please try Chrome or Safari.</p>}
    </>
  );
}
