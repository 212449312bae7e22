import { useState } from 'react';
import { type Desktop, type DesktopProtocol, listDesktops } from '../../../contract/resources.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { useGuard, usePage } from '../page.tsx';
import styles from './discover.module.css';
import { GuideFrame, GuideStep } from './GuideFrame.tsx';
import { isMidway } from './guide.ts';
import { PrincipalsStep } from './PrincipalsStep.tsx';
import { RegisterStep } from './RegisterStep.tsx';
import { registeringDesktop } from './registering.ts';
import { TestStep } from './TestStep.tsx';
import { useWalk } from './use-walk.ts';

const titles = {
  register: 'Add the desktop',
  logins: 'Logins',
  test: 'Test the connection',
  finish: 'Finish',
} as const;
const steps = ['register', 'logins', 'test', 'finish'] as const;
const logins = [
  {
    trait: 'windowsLogins',
    field: 'windows_desktop_logins',
    label: 'Logins',
    tip: 'Accounts that are there on the desktop, such as alice; Enter takes one',
  },
] as const;

/** From a name and an address to a desktop that was tried. */
export function DesktopGuide({
  protocol,
  onAnother,
}: {
  readonly protocol: DesktopProtocol;
  readonly onAnother: () => void;
}) {
  const { api, clusterId, go } = usePage();
  const { walk, turn, onFailed } = useWalk(steps);
  const [hasBegun, setBegun] = useState(false);
  const [desktop, setDesktop] = useState<Desktop | null>(null);
  useGuard(isMidway(walk, hasBegun), 'The desktop is not enrolled to the end yet.');
  const granted = desktop?.logins ?? [];
  const [login = ''] = granted;
  async function ask() {
    const query = { query: `name == ${JSON.stringify(desktop?.name ?? '')}`, limit: 1 };
    const [now = desktop] = (await api(listDesktops, { params: { clusterId }, query })).items;
    setDesktop(now);
    return { windowsLogins: now?.logins ?? [] };
  }
  return (
    <GuideFrame {...{ walk, titles, onFailed }}>
      {walk.at === 'register' || desktop === null ? (
        <RegisterStep
          what={registeringDesktop(api, clusterId, protocol)}
          thing={desktop}
          onBegun={() => setBegun(true)}
          onArrived={setDesktop}
          onNext={turn('next')}
        />
      ) : walk.at === 'logins' ? (
        <PrincipalsStep
          title="As whom do you log in?"
          kinds={logins}
          granted={{ windowsLogins: granted }}
          onAsk={ask}
          onNext={turn('next')}
          onBack={turn('back')}
        />
      ) : walk.at === 'test' ? (
        <TestStep
          asked={{ resource_kind: 'windows_desktop', resource_name: desktop.name }}
          title={desktop.name}
          onNext={turn('next')}
          onBack={turn('back')}
          onSkip={turn('skip')}
        >
          <p>
            Your roles, the way to it and what it speaks are looked at as you. Its password is asked for when you open
            it.
          </p>
        </TestStep>
      ) : (
        <GuideStep
          title={`${desktop.name} is enrolled`}
          next="Browse desktops"
          onNext={() => go('desktops', { clusterId })}
        >
          <Facts
            rows={[
              ['Reached', desktop.addr],
              ['Logins', granted.join(', ') || 'none yet'],
              ['Test', walk.ends.test === 'success' ? 'It can be used' : 'Skipped'],
            ]}
          />
          <div className={styles.more}>
            {login !== '' && (
              <CommandButton
                id="desktops.open"
                things={[{ kind: 'desktop', id: desktop.name, title: desktop.name, logins: granted }]}
                given={{ login: { value: login, title: login } }}
              >
                Open it as {login}
              </CommandButton>
            )}
            <Button onClick={onAnother}>Enroll another</Button>
          </div>
        </GuideStep>
      )}
    </GuideFrame>
  );
}
