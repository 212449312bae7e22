import { Copy } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import type { ReplyOf } from '../../../contract/call.ts';
import { ApiError } from '../../../contract/failure.ts';
import { FACTOR_MISSING } from '../../../contract/mfa.ts';
import { describePod } from '../../../contract/pods.ts';
import { items } from '../../../features/items.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { CodeField } from '../../ui/CodeField.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useAgain } from '../again.ts';
import { copied } from '../Copyable.tsx';
import { ListPage } from '../ListPage.tsx';
import { LinkTo, usePage } from '../page.tsx';
import styles from './kubes.module.css';
import { Log } from './Log.tsx';
import { useLive } from './use-live.ts';

const views = { logs: 'Log', yaml: 'YAML' } as const;

/** One pod: what it prints, and what the cluster says of it. */
export default function PodPage() {
  const page = usePage();
  const { api, clusterId, params, select } = page;
  const { name = '', namespace = '', pod: podName = '', view = 'logs' } = params;
  const [pod, setPod] = useState<ReplyOf<typeof describePod> | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  /** A hardware key is asked for before anything is shown. */
  const [asks, setAsks] = useState(false);
  const load = useCallback(async (): Promise<void> => {
    try {
      const found = await api(describePod, { params: { clusterId, name, namespace, pod: podName } });
      setPod(found);
      setError(null);
      select([items.pod.thing(found)]);
    } catch (problem) {
      const said = toApiError(problem);
      if (said.message === FACTOR_MISSING) setAsks(true);
      else setError(said);
    }
  }, [api, clusterId, name, namespace, podName, select]);
  useEffect(() => {
    setPod(null);
    void load();
    return () => select([]);
  }, [load, select]);
  useAgain(load);
  useLive(asks ? { what: 'proof', namespace, pod: podName, container: '', previous: false } : null, {
    hear: () => undefined,
    lost: () => undefined,
    over(why) {
      setAsks(false);
      if (why === '') void load();
      else setError(new ApiError('denied', why));
    },
  });
  const thing = pod === null ? null : items.pod.thing(pod);
  return (
    <div className={styles.pod}>
      <ListPage
        title={podName}
        error={error}
        actions={
          thing !== null && (
            <CommandButton id="pods.shell" things={[thing]} kind="primary">
              Shell
            </CommandButton>
          )
        }
      >
        <p className={styles.where}>
          <LinkTo id="pods" params={{ name }}>
            {name}
          </LinkTo>
          {' / '}
          <LinkTo id="pods" params={{ name, namespace }}>
            {namespace}
          </LinkTo>
          {pod !== null && (
            <span className={styles.aside}>
              {` ${pod.status} · ready ${pod.ready} · ${pod.restarts} restarts${pod.node === '' ? '' : ` · on ${pod.node}`}`}
            </span>
          )}
        </p>
        <nav className={styles.views} aria-label="Views of the pod">
          {Object.entries(views).map(([id, title]) => (
            <LinkTo
              key={id}
              id="pod"
              params={{ name, namespace, pod: podName, view: id }}
              aria-current={id === view ? 'page' : undefined}
            >
              {title}
            </LinkTo>
          ))}
        </nav>
        {pod === null ? (
          error === null && <Spinner />
        ) : view === 'yaml' ? (
          <>
            <div className={styles.tools}>
              <Button icon={<Copy aria-hidden="true" />} onClick={() => void copied(page, pod.yaml)}>
                Copy
              </Button>
              <CommandButton id="list.reload" kind="quiet">
                Ask again
              </CommandButton>
            </div>
            <CodeField label={`YAML of ${podName}`} value={pod.yaml} readOnly />
          </>
        ) : view === 'logs' ? (
          <Log pod={pod} />
        ) : (
          <Alert>There is no such view of a pod.</Alert>
        )}
      </ListPage>
    </div>
  );
}
