import { useState } from 'react';
import { listNodes, type Node } from '../../../contract/nodes.ts';
import { addressOf } from '../../../features/server-items.ts';
import { loginsInOrder } from '../../../features/thing.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Select } from '../../ui/Select.tsx';
import { useGuard, usePage } from '../page.tsx';
import styles from './discover.module.css';
import { GuideFrame, GuideStep } from './GuideFrame.tsx';
import { begin, isMidway, turned } from './guide.ts';
import { JoinStep } from './JoinStep.tsx';
import { PrincipalsStep } from './PrincipalsStep.tsx';
import { TestStep } from './TestStep.tsx';

const titles = { join: 'Run the line', logins: 'Logins', test: 'Test the connection', finish: 'Finish' } as const;
const steps = ['join', 'logins', 'test', 'finish'] as const;
const logins = [
  {
    trait: 'logins',
    field: 'logins',
    label: 'Logins',
    tip: 'Accounts that are there on the server, such as root or ubuntu; Enter takes one',
  },
] as const;

/** From the line that is pasted into a shell of the server to a connection that was tried. */
export function ServerGuide({ prepare, onAnother }: { readonly prepare: string; readonly onAnother: () => void }) {
  const { api, clusterId, go } = usePage();
  const [walk, setWalk] = useState(() => begin<(typeof steps)[number]>(steps));
  const [hasToken, setHasToken] = useState(false);
  const [node, setNode] = useState<Node | null>(null);
  const [login, setLogin] = useState('');
  useGuard(isMidway(walk, hasToken), 'The server is not enrolled to the end yet.');
  const turn = (to: 'next' | 'skip' | 'back') => (): void => setWalk(before => turned(before, to));
  const granted = loginsInOrder(node?.sshLogins ?? []);
  const chosen = granted.includes(login) ? login : (granted[0] ?? '');
  async function ask(): Promise<{ readonly logins: readonly string[] }> {
    const query = { query: `resource.metadata.name == ${JSON.stringify(node?.id ?? '')}`, limit: 1 };
    const [now = node] = (await api(listNodes, { params: { clusterId }, query })).items;
    setNode(now);
    return { logins: now?.sshLogins ?? [] };
  }
  return (
    <GuideFrame walk={walk} titles={titles}>
      {walk.at === 'join' ? (
        <JoinStep
          prepare={prepare}
          node={node}
          onToken={() => setHasToken(true)}
          onArrived={setNode}
          onNext={turn('next')}
        />
      ) : walk.at === 'logins' ? (
        <PrincipalsStep
          title="As whom do you log in?"
          kinds={logins}
          granted={{ logins: granted }}
          onAsk={ask}
          onNext={turn('next')}
          onBack={turn('back')}
        />
      ) : walk.at === 'test' ? (
        <TestStep
          asked={{ resource_kind: 'node', resource_name: node?.id ?? '', ssh_principal: chosen }}
          title={`${chosen}@${node?.hostname ?? ''}`}
          mfa={{ node: { node_name: node?.id ?? '', login: chosen } }}
          onNext={turn('next')}
          onBack={turn('back')}
          onSkip={turn('skip')}
        >
          {granted.length === 0 ? (
            <p>None of your roles names a login for it: go back and add one.</p>
          ) : (
            <Select label="Login" value={chosen} choices={granted} onChange={event => setLogin(event.target.value)} />
          )}
        </TestStep>
      ) : (
        <GuideStep
          title={`${node?.hostname ?? ''} is enrolled`}
          next="Browse servers"
          onNext={() => go('nodes', { clusterId })}
        >
          {node !== null && (
            <>
              <Facts
                rows={[
                  ['Reached', addressOf(node)],
                  ['Logins', granted.join(', ') || 'none yet'],
                  ['Test', walk.ends.test === 'success' ? 'It can be used' : 'Skipped'],
                ]}
              />
              <div className={styles.more}>
                {chosen !== '' && (
                  <CommandButton
                    id="shell.open"
                    things={[{ kind: 'server', id: node.id, title: node.hostname, logins: granted }]}
                    given={{ login: { value: chosen, title: chosen } }}
                  >
                    Open a shell as {chosen}
                  </CommandButton>
                )}
                <Button onClick={onAnother}>Enroll another</Button>
              </div>
            </>
          )}
        </GuideStep>
      )}
    </GuideFrame>
  );
}
