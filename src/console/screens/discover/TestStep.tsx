import { Check, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { BodyOf } from '../../../contract/call.ts';
import { diagnoseConnection, type Trace } from '../../../contract/diagnostics.ts';
import { assertion, authenticateChallenge, mfaRequired } from '../../../contract/mfa.ts';
import { traceTitles } from '../../../features/trace-words.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { usePage } from '../page.tsx';
import styles from './discover.module.css';
import { GuideStep, useFailed } from './GuideFrame.tsx';

type Wish = BodyOf<typeof diagnoseConnection>;
type Asked = Pick<Wish, 'resource_kind' | 'resource_name'> & Partial<Wish>;

/** Tries it as the person who asks, and shows every step of the way: rights, connectivity, principal. */
export function TestStep({
  asked,
  title,
  mfa,
  children,
  onNext,
  onBack,
  onSkip,
}: {
  readonly asked: Asked;
  /** What is tried: `root@db-3`. */
  readonly title: string;
  /** What asking for a proof of its own is about; absent where trials need none. */
  readonly mfa?: BodyOf<typeof mfaRequired> | undefined;
  /** Fields that say as whom. */
  readonly children: ReactNode;
  readonly onNext: () => void;
  readonly onBack: () => void;
  readonly onSkip: () => void;
}) {
  const { api, clusterId, sockets } = usePage();
  const { busy, problem, attempt } = useAttempt();
  const failed = useFailed();
  const [traces, setTraces] = useState<readonly Trace[] | null>(null);
  const good = traces?.every(({ status }) => status === 'SUCCESS') === true;
  /** The hardware key's answer, where sessions there ask for one. */
  async function proof(): Promise<Partial<Wish>> {
    if (mfa === undefined || sockets === null) return {};
    const { required } = await api(mfaRequired, { params: { clusterId }, body: mfa });
    if (!required) return {};
    const challenge = JSON.stringify(await api(authenticateChallenge));
    const answer = JSON.parse(await sockets.prove(title, challenge, () => undefined, false)) as unknown;
    return { mfa_response: { webauthn_response: assertion.parse(answer) } };
  }
  const test = (): Promise<void> =>
    attempt(async () => {
      setTraces(null);
      const body = { ...asked, ...(await proof()) };
      const { traces: told, success } = await api(diagnoseConnection, { params: { clusterId }, body });
      setTraces(told);
      if (!success) failed();
    });
  return (
    <GuideStep
      title="Test the connection"
      problem={problem}
      next={good ? 'Next' : traces === null ? 'Test connection' : 'Try again'}
      isBusy={busy}
      onNext={() => (good ? onNext() : void test())}
      onBack={onBack}
      onSkip={good ? undefined : onSkip}
    >
      {children}
      {busy && <Spinner delay="none" label={`Trying ${title}`} />}
      {traces !== null && (
        <>
          <Alert kind={good ? 'success' : 'danger'}>
            {good ? `${title} can be used.` : `${title} cannot be used yet: this is where it fails.`}
          </Alert>
          <ul className={styles.traces} aria-label="What was tried">
            {traces.map(trace => (
              <Step key={trace.traceType} {...trace} />
            ))}
          </ul>
        </>
      )}
      {good && (
        <div>
          <Button kind="quiet" onClick={() => void test()}>
            Test again
          </Button>
        </div>
      )}
    </GuideStep>
  );
}

/** A step of the trial; what the other side said stands behind a fold. */
function Step({ traceType, status, details, error }: Trace) {
  const good = status === 'SUCCESS';
  return (
    <li className={good ? styles.good : styles.bad}>
      {good ? <Check aria-label="Passed" /> : <X aria-label="Failed" />}
      <div>
        <strong>{traceTitles[traceType]}</strong>
        <p>{details}</p>
        {error !== undefined && (
          <details>
            <summary>What was answered</summary>
            <pre>{error}</pre>
          </details>
        )}
      </div>
    </li>
  );
}
