import { listAwsServers } from '../../../contract/aws-oidc.ts';
import { Pills } from '../../ui/Pills.tsx';
import { ChoiceTable } from '../ChoiceTable.tsx';
import { usePage } from '../page.tsx';
import type { AwsPlace } from './AwsAccountStep.tsx';
import type { AwsMachine } from './aws-machine.ts';
import styles from './discover.module.css';
import { GuideStep } from './GuideFrame.tsx';

/** Running machines of the region: one is taken. */
export function AwsMachineStep({
  place: { integration, region },
  machine,
  onMachine,
  onNext,
  onBack,
}: {
  readonly place: AwsPlace;
  readonly machine: AwsMachine | null;
  readonly onMachine: (machine: AwsMachine | null) => void;
  readonly onNext: () => void;
  readonly onBack: () => void;
}) {
  const { api, clusterId } = usePage();
  return (
    <GuideStep title="Which machine?" next="Next" canGoOn={machine !== null} onNext={onNext} onBack={onBack}>
      <div className={styles.part}>
        <ChoiceTable<AwsMachine>
          takesFocus
          label={`Running machines in ${region}`}
          asked={`${integration.name} ${region}`}
          find={async startKey => {
            const body = { region, ...(startKey !== '' && { nextToken: startKey }) };
            const page = await api(listAwsServers, { params: { clusterId, name: integration.name }, body });
            return {
              items: page.servers.map(one => ({ ...one, title: one.hostname })),
              startKey: page.nextToken ?? '',
            };
          }}
          nameWidth="34%"
          columns={[
            { key: 'id', title: 'Instance', width: '190px', draw: one => one.aws.instanceId },
            { key: 'address', title: 'Address', width: '150px', draw: one => one.addr },
            { key: 'tags', title: 'Tags', draw: one => <Pills labels={one.tags} /> },
          ]}
          actions={{ add: 'Take', width: '100px' }}
          keyOf={one => one.aws.instanceId}
          chosen={machine === null ? [] : [machine]}
          onToggle={one => onMachine(machine?.aws.instanceId === one.aws.instanceId ? null : one)}
        />
      </div>
    </GuideStep>
  );
}
