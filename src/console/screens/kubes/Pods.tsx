import { useCallback, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../../contract/failure.ts';
import { type Pod, type PodsMessage, podKey } from '../../../contract/pods.ts';
import { items } from '../../../features/items.ts';
import { dateTime, durationText } from '../../../features/times.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import type { Column } from '../../ui/table-column.ts';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';
import styles from './kubes.module.css';
import { useLive } from './use-live.ts';

const restartsOf = ({ restarts }: Pod): string => String(restarts);
const ageOf = ({ created }: Pod): string => (created === '' ? '' : durationText(Date.now() - Date.parse(created)));
/** The tone of a status: what runs and what has ended well are quiet. */
const toneOf = ({ status }: Pod): string =>
  status === 'Running' || status === 'Completed' || status === 'Succeeded'
    ? 'good'
    : status === 'Pending' || status === 'ContainerCreating' || status === 'Terminating'
      ? 'waiting'
      : 'bad';

const columns: readonly Column<Pod>[] = [
  { key: 'name', title: 'Name', sorts: true, mono: true, width: '24%', phone: 'first', draw: pod => pod.name },
  { key: 'namespace', title: 'Namespace', sorts: true, mono: true, width: '14%', draw: pod => pod.namespace },
  {
    key: 'status',
    title: 'Status',
    sorts: true,
    width: '13%',
    draw: pod => (
      <span className={styles.status} data-tone={toneOf(pod)}>
        {pod.status}
      </span>
    ),
  },
  { key: 'ready', title: 'Ready', width: '72px', phone: 'hidden', draw: pod => pod.ready },
  { key: 'restarts', title: 'Restarts', sorts: true, width: '96px', phone: 'hidden', draw: restartsOf },
  { key: 'node', title: 'Node', sorts: true, mono: true, width: '18%', phone: 'hidden', draw: pod => pod.node },
  {
    key: 'age',
    title: 'Age',
    sorts: true,
    width: '88px',
    phone: 'hidden',
    draw: pod => <span title={dateTime(pod.created)}>{ageOf(pod)}</span>,
  },
];

/** Pods of one cluster, as they are now: whatever changes is seen at once. */
export default function Pods() {
  const { clusterId, params, go } = usePage();
  const { name = '', namespace = '' } = params;
  const pods = useRef(new Map<string, Pod>());
  const [{ version, namespaces, status, why, isLost }, setState] = useState({
    version: 0,
    namespaces: [] as readonly string[],
    status: 'initial' as 'initial' | 'success' | 'failed',
    why: '',
    isLost: false,
  });
  const hear = useCallback((message: PodsMessage): void => {
    if (message.pods) pods.current = new Map(message.pods.map(pod => [podKey(pod), pod]));
    for (const pod of message.changed ?? []) pods.current.set(podKey(pod), pod);
    for (const key of message.gone ?? []) pods.current.delete(key);
    setState(before => ({
      version: before.version + 1,
      namespaces: message.namespaces ?? before.namespaces,
      status: 'success',
      why: '',
      isLost: false,
    }));
  }, []);
  useLive(
    { what: 'pods', namespace, pod: '', container: '', previous: false },
    {
      hear,
      lost: () => setState(before => ({ ...before, isLost: true })),
      over: text => setState(before => ({ ...before, status: 'failed', why: text })),
    },
  );
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<Pod>(() => [...pods.current.values()], {
        words: pod => [pod.name, pod.namespace, pod.status, pod.node].join(' '),
        sortBy: (pod, key) =>
          key === 'restarts'
            ? pod.restarts
            : key === 'age'
              ? -Date.parse(pod.created)
              : key === 'namespace'
                ? podKey(pod)
                : key === 'status'
                  ? pod.status
                  : key === 'node'
                    ? pod.node
                    : pod.name,
      }),
    [],
  );
  const known = namespace === '' || namespaces.includes(namespace) ? namespaces : [namespace, ...namespaces];
  return (
    <PagedList<Pod>
      title={`Pods of ${name}`}
      noun="pod"
      thingOf={items.pod.thing}
      sort={{ key: 'namespace', down: false }}
      fetchPage={fetchPage}
      version={version}
      source={{ status, error: status === 'failed' ? new ApiError('unknown', why) : null }}
      rowKey={podKey}
      columns={columns}
      filters={
        <>
          <select
            className={styles.namespace}
            aria-label="Namespace"
            value={namespace}
            onChange={({ target: { value } }) =>
              go('pods', { clusterId, name, ...(value !== '' && { namespace: value }) })
            }
          >
            <option value="">All namespaces</option>
            {known.map(one => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <span className={styles.live} role="status">
            {isLost ? 'Connection lost: trying again' : ''}
          </span>
        </>
      }
      empty={
        <>
          <p>
            {namespace === ''
              ? 'Nothing runs in this cluster that you may see.'
              : `Nothing runs in ${namespace} that you may see.`}
          </p>
          <p>
            <ManualLink id="pods" />
          </p>
        </>
      }
    />
  );
}
