import { useState } from 'react';
import { type Kube, listKubes } from '../../../contract/resources.ts';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Field } from '../../ui/Field.tsx';
import { useGuard, usePage } from '../page.tsx';
import styles from './discover.module.css';
import { GuideFrame, GuideStep } from './GuideFrame.tsx';
import { isMidway } from './guide.ts';
import { PrincipalsStep } from './PrincipalsStep.tsx';
import { RegisterClusterStep } from './RegisterClusterStep.tsx';
import { TestStep } from './TestStep.tsx';
import { useWalk } from './use-walk.ts';

const titles = {
  register: 'Add the cluster',
  names: 'Groups and users',
  test: 'Test the connection',
  finish: 'Finish',
} as const;
const steps = ['register', 'names', 'test', 'finish'] as const;
const kinds = [
  {
    trait: 'kubeGroups',
    field: 'kubernetes_groups',
    label: 'Kubernetes groups',
    tip: 'Groups that you act in, such as developers; Enter takes one',
  },
  {
    trait: 'kubeUsers',
    field: 'kubernetes_users',
    label: 'Kubernetes users',
    tip: 'As whom you act there; may stay empty: then it is your name here',
  },
] as const;
const grantedOf = (cluster: Kube | null) => ({
  kubeGroups: cluster?.kubernetes_groups ?? [],
  kubeUsers: cluster?.kubernetes_users ?? [],
});

/** From a kubeconfig to pods that were asked for. */
export function ClusterGuide({ onAnother }: { readonly onAnother: () => void }) {
  const { api, clusterId, go } = usePage();
  const { walk, turn, onFailed } = useWalk(steps);
  const [hasBegun, setBegun] = useState(false);
  const [cluster, setCluster] = useState<Kube | null>(null);
  const [namespace, setNamespace] = useState('');
  useGuard(isMidway(walk, hasBegun), 'The cluster is not enrolled to the end yet.');
  async function ask() {
    const query = { query: `name == ${JSON.stringify(cluster?.name ?? '')}`, limit: 1 };
    const [now = cluster] = (await api(listKubes, { params: { clusterId }, query })).items;
    setCluster(now);
    return grantedOf(now);
  }
  const name = cluster?.name ?? '';
  return (
    <GuideFrame {...{ walk, titles, onFailed }}>
      {walk.at === 'register' ? (
        <RegisterClusterStep
          cluster={cluster}
          onBegun={() => setBegun(true)}
          onArrived={setCluster}
          onNext={turn('next')}
        />
      ) : walk.at === 'names' ? (
        <PrincipalsStep
          title="As whom do you use it?"
          kinds={kinds}
          granted={grantedOf(cluster)}
          onAsk={ask}
          onNext={turn('next')}
          onBack={turn('back')}
        />
      ) : walk.at === 'test' ? (
        <TestStep
          asked={{ resource_kind: 'kube_cluster', resource_name: name, kubernetes_namespace: namespace.trim() }}
          title={name}
          onNext={turn('next')}
          onBack={turn('back')}
          onSkip={turn('skip')}
        >
          <Field
            label="Namespace"
            tip="In which pods are asked for; may stay empty: in all"
            mono
            autoComplete="off"
            spellCheck={false}
            value={namespace}
            onChange={event => setNamespace(event.target.value)}
          />
        </TestStep>
      ) : (
        <GuideStep title={`${name} is enrolled`} next="Browse clusters" onNext={() => go('kubes', { clusterId })}>
          <Facts
            rows={[
              ['Groups', grantedOf(cluster).kubeGroups.join(', ') || 'none yet'],
              ['Users', grantedOf(cluster).kubeUsers.join(', ') || 'by your name here'],
              ['Test', walk.ends.test === 'success' ? 'It can be used' : 'Skipped'],
            ]}
          />
          <div className={styles.more}>
            <Button onClick={onAnother}>Enroll another</Button>
          </div>
        </GuideStep>
      )}
    </GuideFrame>
  );
}
