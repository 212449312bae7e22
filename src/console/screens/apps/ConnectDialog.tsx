import { useState } from 'react';
import { cloudWords } from '../../../contract/cloud-applications.ts';
import type { Application } from '../../../contract/resources.ts';
import { cloudLines } from '../../../features/cloud-clients.ts';
import { shellWord } from '../../../features/shell-word.ts';
import { ConnectDialog as Reach } from '../ConnectDialog.tsx';
import { usePage } from '../page.tsx';
import { signInSteps } from '../sign-in-steps.ts';

/** A port of one's own machine that few others use. */
const CLOUD_PORT = 8400;

/** How to reach a TCP application, or the API of a cloud, with a client of one's own. */
export function ConnectDialog({ app, onClose }: { readonly app: Application; readonly onClose: () => void }) {
  const { who } = usePage();
  const signIn = who?.authType === 'local' ? ['--user', who.userName] : [];
  const [identity, setIdentity] = useState(app.cloud?.identities[0] ?? '');
  if (app.cloud) {
    const { provider, identities } = app.cloud;
    const { cloud, identity: kind, key, flag } = cloudWords[provider];
    const as = identity.trim() === '' ? '' : ` ${flag} ${shellWord(identity.trim())}`;
    return (
      <Reach
        name={app.friendlyName || app.name}
        choices={[
          {
            label: provider === 'azure' ? 'Managed identity' : 'Service account',
            value: identity,
            suggested: identities,
            onChange: setIdentity,
            tip:
              identities.length === 0
                ? `None of your roles gives you ${kind} here (${key}).`
                : `Your roles give you ${identities.length === 1 ? 'one' : identities.length}.`,
          },
        ]}
        steps={[
          ...signInSteps(location.origin, signIn),
          {
            title: `A port of your machine that leads to ${cloud}`,
            label: 'the port',
            text: `postern proxy app ${shellWord(app.name)}${as} --port ${CLOUD_PORT}`,
          },
          ...cloudLines(provider, `http://127.0.0.1:${CLOUD_PORT}`),
        ]}
        onClose={onClose}
      >
        The first part of the path is a host of {cloud}. The gateway adds a token of that identity to each request,
        which you never see, and writes each request down.
      </Reach>
    );
  }
  const port = /:(\d+)(?:[/?#].*)?$/.exec(app.uri)?.[1] ?? '9090';
  return (
    <Reach
      name={app.friendlyName || app.name}
      choices={[]}
      steps={[
        ...signInSteps(location.origin, signIn),
        {
          title: 'A port of your machine that leads to it',
          label: 'the port',
          text: `postern proxy app ${shellWord(app.name)} --port ${port}`,
        },
      ]}
      onClose={onClose}
    >
      {app.uri.startsWith('tcp:')
        ? 'Your client connects to 127.0.0.1 at that port. Each connection goes through the gateway as a session of yours: its beginning and its end are in the audit log, and nothing in it is read or recorded.'
        : 'Browsers come to this one: launch it instead.'}
    </Reach>
  );
}
