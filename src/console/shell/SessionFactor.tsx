import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { readJson } from '../../contract/json.ts';
import { type Assertion, type Challenge, challenge } from '../../contract/mfa.ts';
import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { askKey } from '../wizards/credentials/hardware-key.ts';
import type { FactorAsked } from './session-factors.ts';

/** Asks for the hardware key of one session: at once, and again as often as it goes wrong. Closing it opens no session, or leaves the one that is open. */
export function SessionFactor({
  asked,
  onAnswer,
  onCancel,
  ask = askKey,
}: {
  readonly asked: FactorAsked;
  readonly onAnswer: (assertion: Assertion) => void;
  readonly onCancel: () => void;
  /** Asks the browser for a key. */
  readonly ask?: (challenge: Challenge, signal: AbortSignal) => Promise<Assertion>;
}) {
  const [tries, setTries] = useState(1);
  const [problem, setProblem] = useState('');
  const latest = useRef({ onAnswer, ask });
  latest.current = { onAnswer, ask };
  const read = z.safeParse(challenge, readJson(asked.challenge));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a try is one question to the browser, with the challenge that there is.
  useEffect(() => {
    if (!read.success) return setProblem('The gateway asked for a key in a way that cannot be read');
    const trying = new AbortController();
    setProblem('');
    latest.current.ask(read.data, trying.signal).then(
      assertion => trying.signal.aborted || latest.current.onAnswer(assertion),
      (error: unknown) => {
        if (!trying.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
      },
    );
    return () => trying.abort();
  }, [tries]);
  return (
    <Dialog
      title={`Touch your hardware key to ${asked.again ? 'stay in' : 'open'} ${asked.title}`}
      onEscape={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          {problem !== '' && (
            <Button kind="primary" autoFocus disabled={!read.success} onClick={() => setTries(times => times + 1)}>
              Try again
            </Button>
          )}
        </>
      }
    >
      <p style={{ marginBottom: 'var(--space-3)' }}>
        {asked.again
          ? 'Your roles ask moderators for their hardware key every minute.'
          : 'Your roles ask for a hardware key for each session.'}
        {read.data?.totp_challenge === true && ' A code of your authenticator app does not do here.'}
      </p>
      {problem === '' ? <p role="status">Waiting for the key…</p> : <Alert>{problem}</Alert>}
    </Dialog>
  );
}
