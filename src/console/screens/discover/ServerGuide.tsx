import { lazy, Suspense, useState } from 'react';
import { listNodes, type Node } from '../../../contract/nodes.ts';
import { addressOf } from '../../../features/server-items.ts';
import { loginsInOrder } from '../../../features/thing.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Select } from '../../ui/Select.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useGuard, usePage } from '../page.tsx';
import type { AwsPlace } from './AwsAccountStep.tsx';
import type { AwsMachine } from './aws-machine.ts';
import styles from './discover.module.css';
import { GuideFrame, GuideStep } from './GuideFrame.tsx';
import { isMidway } from './guide.ts';
import { JoinStep } from './JoinStep.tsx';
import { PrincipalsStep } from './PrincipalsStep.tsx';
import { TestStep } from './TestStep.tsx';
import { useWalk } from './use-walk.ts';

const AwsAccountStep = lazy(async () => ({ default: (await import('./AwsAccountStep.tsx')).AwsAccountStep }));
const AwsMachineStep = lazy(async () => ({ default: (await import('./AwsMachineStep.tsx')).AwsMachineStep }));

const titles = {
  account: 'AWS account',
  machine: 'Choose the machine',
  join: 'Run the line',
  logins: 'Logins',
  test: 'Test the connection',
  finish: 'Finish',
} as const;
type Step = keyof typeof titles;
const steps: readonly [Step, ...Step[]] = ['join', 'logins', 'test', 'finish'];
const awsSteps: readonly [Step, ...Step[]] = ['account', 'machine', ...steps];
const logins = [
  {
    trait: 'logins',
    field: 'logins',
    label: 'Logins',
    tip: 'Accounts that are there on the server, such as root or ubuntu; Enter takes one',
  },
] as const;

/** From the line that is pasted into a shell of the server to a connection that was tried. */
export function ServerGuide({
  prepare,
  isAws = false,
  onAnother,
}: {
  readonly prepare: string;
  /** It is chosen among the machines of an account first. */
  readonly isAws?: boolean | undefined;
  readonly onAnother: () => void;
}) {
  const { api, clusterId, go } = usePage();
  const { walk, turn, onFailed } = useWalk<Step>(isAws ? awsSteps : steps);
  const [place, setPlace] = useState<AwsPlace | null>(null);
  const [machine, setMachine] = useState<AwsMachine | null>(null);
  const [hasToken, setHasToken] = useState(false);
  const [node, setNode] = useState<Node | null>(null);
  const [login, setLogin] = useState('');
  // Before a line was made there is nothing to lose.
  useGuard(isMidway(walk, hasToken) && (!isAws || hasToken), 'The server is not enrolled to the end yet.');
  const granted = loginsInOrder(node?.sshLogins ?? []);
  const chosen = granted.includes(login) ? login : (granted[0] ?? '');
  async function ask(): Promise<{ readonly logins: readonly string[] }> {
    const query = { query: `resource.metadata.name == ${JSON.stringify(node?.id ?? '')}`, limit: 1 };
    const [now = node] = (await api(listNodes, { params: { clusterId }, query })).items;
    setNode(now);
    return { logins: now?.sshLogins ?? [] };
  }
  return (
    <GuideFrame {...{ walk, titles, onFailed }}>
      {walk.at === 'account' ? (
        <Suspense fallback={<Spinner />}>
          <AwsAccountStep
            place={place}
            onPlace={chosen => {
              setPlace(chosen);
              setMachine(null);
              turn('next')();
            }}
          />
        </Suspense>
      ) : walk.at === 'machine' && place !== null ? (
        <Suspense fallback={<Spinner />}>
          <AwsMachineStep {...{ place, machine, onMachine: setMachine }} onNext={turn('next')} onBack={turn('back')} />
        </Suspense>
      ) : walk.at === 'join' ? (
        <JoinStep
          prepare={prepare}
          machine={machine}
          onBack={isAws && !hasToken ? turn('back') : undefined}
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
