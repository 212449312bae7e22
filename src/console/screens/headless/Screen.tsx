import { useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import type { BodyInput } from '../../../contract/call.ts';
import { answerHeadless, getHeadless, headlessStates } from '../../../contract/headless.ts';
import { authenticateChallenge } from '../../../contract/mfa.ts';
import { programText } from '../../../features/program.ts';
import { dateTime } from '../../../features/times.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import styles from './headless.module.css';
import { SessionKey } from './SessionKey.tsx';

interface Request {
  readonly user: string;
  readonly client_ip_address: string;
  readonly user_agent: string;
  readonly expires: string;
}
/** How it ended, in words. */
const ends = {
  approved: 'Approved. The machine that asked is signed in as you; this page can be closed now.',
  denied: 'Rejected. The machine that asked has not been signed in; if it was not you, somebody else has tried.',
  gone: 'There is no such request any more: it was answered already, or nobody answered it within three minutes.',
} as const;

/** What a command line asks of a hardware key: for a sign-in elsewhere, or, with the address that it listens at, for one session. */
export default function Headless() {
  const { params, query } = usePage();
  return query.redirect_url === undefined ? (
    <SignInElsewhere id={params.requestId ?? ''} />
  ) : (
    <SessionKey challenge={query.challenge ?? ''} redirect={query.redirect_url} />
  );
}

/** Somebody signs in on a machine without a browser: who, from where, until when; approved with a hardware key, or rejected. */
function SignInElsewhere({ id }: { readonly id: string }) {
  const { api } = usePage();
  const [request, setRequest] = useState<Request | null>(null);
  const [end, setEnd] = useState<keyof typeof ends | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    const leaving = new AbortController();
    let expiry: ReturnType<typeof setTimeout> | undefined;
    api(getHeadless, { params: { id }, signal: leaving.signal }).then(
      found => {
        if (found.state !== headlessStates.pending) {
          setEnd(found.state === headlessStates.approved ? 'approved' : 'denied');
          return;
        }
        setRequest(found);
        expiry = setTimeout(() => setEnd(now => now ?? 'gone'), Date.parse(found.expires) - Date.now());
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        const { code, message } = toApiError(error);
        if (code === 'bad_request') setEnd('gone');
        else setProblem(message);
      },
    );
    return () => {
      leaving.abort();
      clearTimeout(expiry);
    };
  }, [api, id]);

  const answer = async (given: () => Promise<BodyInput<typeof answerHeadless>>, done: 'approved' | 'denied') => {
    setBusy(true);
    setProblem('');
    try {
      await api(answerHeadless, { params: { id }, body: await given() });
      setEnd(done);
    } catch (error) {
      const { code, message } = toApiError(error);
      if (code === 'bad_request') setEnd('gone');
      else setProblem(message);
    } finally {
      setBusy(false);
    }
  };
  const accept = async (): Promise<BodyInput<typeof answerHeadless>> => {
    const { askKey } = await import('../../wizards/credentials/hardware-key.ts');
    const challenge = await api(authenticateChallenge);
    if (challenge.webauthn_challenge === null)
      throw new Error('Approving needs a hardware key, and you have none: add one in the account settings');
    return { action: 'accept', webauthnAssertionResponse: await askKey(challenge) };
  };
  return (
    <ListPage title="Approve a sign-in elsewhere">
      <section className={styles.card}>
        {problem !== '' && <Alert>{problem}</Alert>}
        {end !== null ? (
          <p role="status">{ends[end]}</p>
        ) : request === null ? (
          problem === '' && <p role="status">Waiting for the machine that asks.</p>
        ) : (
          <>
            <p>
              A machine without a browser wants to sign in as you. Approve it only if you have just asked for that
              there.
            </p>
            <dl className={styles.facts}>
              <dt>Who</dt>
              <dd>{request.user}</dd>
              <dt>From</dt>
              <dd>{programText({ userAgent: request.user_agent, remoteAddr: request.client_ip_address })}</dd>
              <dt>Until</dt>
              <dd>{dateTime(request.expires)}</dd>
            </dl>
            <div className={styles.actions}>
              <Button
                kind="primary"
                size="large"
                autoFocus
                disabled={busy}
                onClick={() => void answer(accept, 'approved')}
              >
                Approve with a hardware key
              </Button>
              <Button
                kind="danger"
                size="large"
                disabled={busy}
                onClick={() => void answer(async () => ({ action: 'denied' }), 'denied')}
              >
                Reject
              </Button>
            </div>
          </>
        )}
      </section>
    </ListPage>
  );
}
