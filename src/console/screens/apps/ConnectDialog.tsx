import type { Application } from '../../../contract/resources.ts';
import { shellWord } from '../../../features/shell-word.ts';
import { ConnectDialog as Reach } from '../ConnectDialog.tsx';
import { usePage } from '../page.tsx';
import { signInSteps } from '../sign-in-steps.ts';

/** How to reach a TCP application with a client of one's own. */
export function ConnectDialog({ app, onClose }: { readonly app: Application; readonly onClose: () => void }) {
  const { who } = usePage();
  const signIn = who?.authType === 'local' ? ['--user', who.userName] : [];
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
