import { useState } from 'react';
import type { Kube } from '../../../contract/resources.ts';
import { named, ConnectDialog as Reach } from '../ConnectDialog.tsx';
import { commandLines } from './connecting.ts';

/** How to reach a Kubernetes cluster from a terminal, as the user and group that someone chooses. */
export function ConnectDialog({ kube, onClose }: { readonly kube: Kube; readonly onClose: () => void }) {
  const [user, setUser] = useState(named(kube.kubernetes_users)[0] ?? '');
  const [group, setGroup] = useState(named(kube.kubernetes_groups)[0] ?? '');
  const lines = commandLines(kube.name, { user: user.trim(), group: group.trim() });
  return (
    <Reach
      name={kube.name}
      choices={[
        { label: 'Kubernetes user', value: user, suggested: kube.kubernetes_users, onChange: setUser },
        {
          label: 'Kubernetes group',
          value: group,
          suggested: kube.kubernetes_groups,
          onChange: setGroup,
          tip: 'Counts together with a user only',
        },
      ]}
      steps={[
        {
          title: '1. If its credentials are in a file of their own',
          label: 'the kubeconfig',
          text: lines.kubeconfig,
        },
        { title: '2. Select the cluster', label: 'the context', text: lines.select },
        { title: '3. Look at what runs in it', label: 'the call', text: lines.example },
      ]}
      onClose={onClose}
    >
      kubectl goes straight to the cluster, from a machine whose kubeconfig has it under this name: such a connection is
      neither checked nor recorded here.
    </Reach>
  );
}
