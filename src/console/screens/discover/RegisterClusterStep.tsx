import { useState } from 'react';
import { readLabels } from '../../../../commands/servers.ts';
import { createKubernetes } from '../../../contract/kubernetes-changes.ts';
import { type Kube, listKubes } from '../../../contract/resources.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Field } from '../../ui/Field.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { usePage } from '../page.tsx';
import { GuideStep } from './GuideFrame.tsx';

/** What gives the gateway a credential that may act for others and nothing else, and prints a kubeconfig with it. */
const CREDENTIAL = `kubectl create namespace postern
kubectl -n postern create serviceaccount gateway
kubectl create clusterrole postern-gateway --verb=impersonate --resource=users,groups,serviceaccounts
kubectl create clusterrolebinding postern-gateway --clusterrole=postern-gateway --serviceaccount=postern:gateway
kubectl config view --raw --flatten --minify > gateway.yaml
kubectl --kubeconfig gateway.yaml config set-credentials gateway --token="$(kubectl -n postern create token gateway --duration=8760h)"
kubectl --kubeconfig gateway.yaml config set-context --current --user=gateway
kubectl --kubeconfig gateway.yaml config view --raw --flatten --minify`;

/** A name, a kubeconfig with the gateway's credential, and labels. */
export function RegisterClusterStep({
  cluster,
  onBegun,
  onArrived,
  onNext,
}: {
  readonly cluster: Kube | null;
  readonly onBegun: () => void;
  readonly onArrived: (cluster: Kube) => void;
  readonly onNext: () => void;
}) {
  const { api, clusterId } = usePage();
  const { busy, problem, attempt } = useAttempt();
  const [name, setName] = useState('');
  const [kubeconfig, setKubeconfig] = useState('');
  const [labels, setLabels] = useState('');
  const [tried, setTried] = useState(false);
  const [isUnseen, setUnseen] = useState(false);
  const read = readLabels(labels);
  const nameFault = name.trim() === '' ? 'A name is needed' : undefined;
  const kubeconfigFault = kubeconfig.trim() === '' ? 'A kubeconfig is needed: paste what the lines print' : undefined;
  const add = (): Promise<void> =>
    attempt(async () => {
      setTried(true);
      if (typeof read === 'string' || nameFault !== undefined || kubeconfigFault !== undefined) return;
      const params = { clusterId };
      if (!isUnseen) {
        await api(createKubernetes, { params, body: { name: name.trim(), kubeconfig, labels: [...read] } });
        onBegun();
        // It holds a secret, which nobody needs any more.
        setKubeconfig('sealed');
      }
      const query = { query: `name == ${JSON.stringify(name.trim())}`, limit: 1 };
      const [found] = (await api(listKubes, { params, query })).items;
      if (found === undefined) return setUnseen(true);
      onArrived(found);
      onNext();
    });
  return (
    <GuideStep
      title="Which cluster?"
      problem={problem}
      next={cluster !== null ? 'Next' : isUnseen ? 'Look again' : 'Add it'}
      isBusy={busy}
      onNext={() => (cluster === null ? void add() : onNext())}
    >
      {cluster !== null ? (
        <Alert kind="success">{cluster.name} is in the list.</Alert>
      ) : isUnseen ? (
        <Alert kind="warning">
          {name.trim()} was added, and none of your roles selects it: their kubernetes_labels do not match its labels.
        </Alert>
      ) : (
        <>
          <Field
            label="Name"
            tip="By which people know it, such as production"
            mono
            autoComplete="off"
            spellCheck={false}
            value={name}
            error={tried ? nameFault : undefined}
            onChange={event => setName(event.target.value)}
          />
          <p>
            Where kubectl works as an administrator, these lines make the gateway's credential, which may act for others
            and nothing else, and print the kubeconfig with it:
          </p>
          <Snippet label="the lines" text={CREDENTIAL} />
          <TextField
            label="Its kubeconfig, pasted whole"
            tip="The credential in it is kept sealed and never shown again; a file can be dropped here"
            mono
            rows={5}
            spellCheck={false}
            autoComplete="off"
            value={kubeconfig}
            error={tried ? kubeconfigFault : undefined}
            onChange={event => setKubeconfig(event.target.value)}
            onText={setKubeconfig}
          />
          <Field
            label="Labels"
            tip="Such as env=prod: roles select clusters by them; may stay empty"
            mono
            autoComplete="off"
            spellCheck={false}
            value={labels}
            error={tried && typeof read === 'string' ? read : undefined}
            onChange={event => setLabels(event.target.value)}
          />
        </>
      )}
    </GuideStep>
  );
}
