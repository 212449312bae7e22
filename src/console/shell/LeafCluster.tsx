import { type ReactNode, useEffect, useState } from 'react';
import { toApiError } from '../../client/errors.ts';
import type { MakeCall } from '../../contract/call.ts';
import { listAlerts } from '../../contract/clusters.ts';
import type { ApiError } from '../../contract/failure.ts';
import { Button } from '../ui/Button.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { GenericPage } from './GenericPage.tsx';

/**
 * A page of another cluster than the gateway's own, drawn once the gateway has answered for that cluster; else what it answered, and the
 * same page of the root cluster. Asks for the alerts: everyone who is signed in may.
 */
export function LeafCluster({
  api,
  clusterId,
  rootId,
  onRoot,
  children,
}: {
  readonly api: MakeCall;
  readonly clusterId: string;
  readonly rootId: string;
  readonly onRoot: () => void;
  readonly children: ReactNode;
}) {
  const [answer, setAnswer] = useState<'asked' | 'known' | ApiError>('asked');
  const [attempt, setAttempt] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again.
  useEffect(() => {
    let gone = false;
    setAnswer('asked');
    api(listAlerts, { params: { clusterId } }).then(
      () => gone || setAnswer('known'),
      (error: unknown) => gone || setAnswer(toApiError(error)),
    );
    return () => {
      gone = true;
    };
  }, [api, clusterId, attempt]);
  if (answer === 'known') return children;
  if (answer === 'asked') return <Spinner />;
  return (
    <GenericPage
      title={answer.code === 'not_found' ? 'Cluster Not Found' : 'Cluster Not Reached'}
      actions={
        <>
          <Button kind="primary" size="large" onClick={onRoot}>
            Go to {rootId}
          </Button>
          {answer.code !== 'not_found' && (
            <Button size="large" onClick={() => setAttempt(before => before + 1)}>
              Try again
            </Button>
          )}
        </>
      }
    >
      <span role="alert">{answer.message}</span>
    </GenericPage>
  );
}
