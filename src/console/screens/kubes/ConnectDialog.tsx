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
  const signIn = who?.authType === 'local' ? ['--user', who.userName] : [];
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
      steps={commandLines(kube.name, { user: user.trim(), group: group.trim() }, location.origin, signIn)}
      onClose={onClose}
    >
      kubectl goes through the gateway: your roles say as whom and what it may do, and every request is in the audit
      log.
    </Reach>
  );
}
