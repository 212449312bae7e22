import { useState } from 'react';
import type { Kube } from '../../../contract/resources.ts';
import { named, ConnectDialog as Reach } from '../ConnectDialog.tsx';
import { usePage } from '../page.tsx';
import { commandLines } from './connecting.ts';

/** How to reach a Kubernetes cluster from a terminal, as the user and group that someone chooses. */
export function ConnectDialog({ kube, onClose }: { readonly kube: Kube; readonly onClose: () => void }) {
  const { who } = usePage();
  const [user, setUser] = useState('');
  const [group, setGroup] = useState('');
  // Others sign in at their identity provider, in a browser.
  const signIn = [location.origin, ...(who?.authType === 'local' ? ['--user', who.userName] : [])];
  const lines = commandLines(kube.name, { user: user.trim(), group: group.trim() }, signIn);
  const several = named(kube.kubernetes_users).length > 1;
  return (
    <Reach
      name={kube.name}
      choices={[
        {
          label: 'Kubernetes user',
          value: user,
          suggested: kube.kubernetes_users,
          onChange: setUser,
          tip: several ? 'Your roles name several: say which' : 'Empty: as your roles say',
        },
        {
          label: 'Kubernetes group',
          value: group,
          suggested: kube.kubernetes_groups,
          onChange: setGroup,
          tip: 'Counts together with a user only',
        },
      ]}
      steps={[
        { title: '1. Once a day', label: 'signing in', text: lines.signIn },
        { title: '2. Write the cluster into your kubeconfig, and select it', label: 'the log-in', text: lines.login },
        { title: '3. Look at what runs in it', label: 'the call', text: lines.example },
      ]}
      onClose={onClose}
    >
      kubectl goes through the gateway: your roles say as whom and what it may do, and every request is in the audit
      log.
    </Reach>
  );
}
