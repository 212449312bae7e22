import { useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import type { ReplyOf } from '../../../contract/call.ts';
import { sessionKeyChallenge } from '../../../contract/mfa.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import styles from './headless.module.css';

/**
 * A command line on this machine opens a session that asks for a hardware key: the gateway says which and where its answer may go, and the
 * browser takes it there.
 */
export function SessionKey({
  challenge,
  redirect,
  leave = address => location.assign(address),
}: {
  readonly challenge: string;
  readonly redirect: string;
  /** Goes to an address outside the console. */
  readonly leave?: (address: string) => void;
}) {
  const { api, who } = usePage();
  const [asked, setAsked] = useState<ReplyOf<typeof sessionKeyChallenge> | null>(null);
  const [isOver, setIsOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const fail = (error: unknown): void => {
    const { code, message } = toApiError(error);
    if (code === 'bad_request') setIsOver(true);
    else setProblem(message);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: one question for one link.
  useEffect(() => {
    let left = false;
    api(sessionKeyChallenge, { body: { challenge, redirect_url: redirect } }).then(
      found => left || setAsked(found),
      (error: unknown) => left || fail(error),
    );
    return () => {
      left = true;
    };
  }, [api, challenge, redirect]);

  const use = async (): Promise<void> => {
    if (asked === null) return;
    setBusy(true);
    setProblem('');
    try {
      const { askKey } = await import('../../wizards/credentials/hardware-key.ts');
      const back = new URL(asked.redirect_url);
      back.searchParams.set('assertion', JSON.stringify(await askKey(asked.challenge)));
      leave(back.href);
    } catch (error) {
      fail(error);
      setBusy(false);
    }
  };
  return (
    <ListPage title="Open a session with your hardware key">
      <section className={styles.card}>
        {problem !== '' && <Alert>{problem}</Alert>}
        {isOver ? (
          <p role="status">
            No session of {who?.userName} waits for a key here: it was answered already, the command line has gone, or
            somebody else is signed in there.
          </p>
        ) : asked === null ? (
          problem === '' && <p role="status">Asking the gateway what is to be opened.</p>
        ) : (
          <>
            <p>
              A command line on this machine opens <strong>{asked.title}</strong> as {who?.userName}. Use your key only
              if you have just asked for that yourself; otherwise close this page.
            </p>
            <div className={styles.actions}>
              <Button kind="primary" size="large" autoFocus disabled={busy} onClick={() => void use()}>
                Use hardware key
              </Button>
            </div>
          </>
        )}
      </section>
    </ListPage>
  );
}
