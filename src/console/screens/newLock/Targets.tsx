import { Pills } from '../../ui/Pills.tsx';
import { ChoiceTable } from '../ChoiceTable.tsx';
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
  return (
    <ChoiceTable<Target>
      label={`${kindTitle(kind)}: what to lock`}
      asked={`${clusterId} ${kind} ${search}`}
      find={startKey => findTargets(api, clusterId, kind, search, startKey)}
      nameWidth="38%"
      columns={[
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
      ]}
      actions={{ add: 'Add target', width: '148px' }}
      keyOf={keyOf}
      chosen={chosen}
      onToggle={onToggle}
    />
  );
}
