import { Minus, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { actionsColumn } from '../../ui/table-column.ts';
import { usePage } from '../page.tsx';
import { findTargets, type Kind, keyOf, kindTitle, type Target } from './targets.ts';

/** What is shown beside the name; of a role that is all. */
const details = {
  user: 'Roles',
  server_id: 'Address',
  mfa_device: 'Id',
  device: 'System and owner',
  windows_desktop: 'Address',
  access_request: 'What it asks for',
} as const satisfies Record<Exclude<Kind, 'login' | 'role'>, string>;

/** What there is of a kind: Enter or the row's button adds one to what will be locked, or takes it back. */
export function Targets({
  kind,
  search,
  chosen,
  onToggle,
}: {
  readonly kind: Exclude<Kind, 'login'>;
  readonly search: string;
  readonly chosen: readonly Target[];
  readonly onToggle: (target: Target) => void;
}) {
  const { api, clusterId } = usePage();
  const [rows, setRows] = useState<readonly Target[]>([]);
  const [next, setNext] = useState('');
  const [isBusy, setBusy] = useState(true);
  const [error, setError] = useState('');
  const asked = useRef(0);
  const load = async (startKey: string): Promise<void> => {
    asked.current += 1;
    const mine = asked.current;
    setBusy(true);
    setError('');
    try {
      const found = await findTargets(api, clusterId, kind, search, startKey);
      // Another kind or search was asked for meanwhile.
      if (mine !== asked.current) return;
      setRows(before => (startKey === '' ? found.items : [...before, ...found.items]));
      setNext(found.startKey);
    } catch (problem) {
      if (mine === asked.current) setError(toApiError(problem).message);
    }
    if (mine === asked.current) setBusy(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew for another kind or search alone.
  useEffect(() => {
    void load('');
  }, [kind, search, clusterId]);

  const isChosen = (target: Target): boolean => chosen.some(one => keyOf(one) === keyOf(target));
  const columns: readonly Column<Target>[] = [
    { key: 'name', title: 'Name', mono: true, width: '38%', phone: 'first', draw: target => target.title },
    ...(kind === 'role'
      ? []
      : [
          {
            key: 'detail',
            title: details[kind],
            draw: ({ detail }: Target) => <span title={detail}>{detail}</span>,
          },
        ]),
    ...(kind === 'server_id' || kind === 'windows_desktop'
      ? [{ key: 'labels', title: 'Labels', draw: ({ labels = [] }: Target) => <Pills labels={labels} /> }]
      : []),
    actionsColumn('148px', target => (
      <Button
        kind={isChosen(target) ? 'secondary' : 'quiet'}
        size="dense"
        tabIndex={-1}
        data-shown={isChosen(target) || undefined}
        aria-label={`${isChosen(target) ? 'Remove' : 'Add target'} ${target.title}`}
        icon={isChosen(target) ? <Minus aria-hidden="true" /> : <Plus aria-hidden="true" />}
        onClick={() => onToggle(target)}
      >
        {isChosen(target) ? 'Remove' : 'Add target'}
      </Button>
    )),
  ];
  return (
    <>
      {error !== '' && <Alert>{error}</Alert>}
      <Table<Target>
        label={`${kindTitle(kind)}: what to lock`}
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        busy={isBusy}
        empty={error === '' ? 'There is none.' : 'Nothing could be loaded.'}
        onOpen={target => {
          onToggle(target);
          return true;
        }}
        footer={
          next !== '' && (
            <Button size="dense" disabled={isBusy} onClick={() => void load(next)}>
              Load more
            </Button>
          )
        }
      />
    </>
  );
}
