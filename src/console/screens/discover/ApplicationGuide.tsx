import { useState } from 'react';
import type { Application } from '../../../contract/resources.ts';
import { launchPath } from '../../../features/items.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { useGuard, usePage } from '../page.tsx';
import styles from './discover.module.css';
import { GuideFrame, GuideStep } from './GuideFrame.tsx';
import { isMidway } from './guide.ts';
import { RegisterStep } from './RegisterStep.tsx';
import { registeringApplication } from './registering.ts';
import { TestStep } from './TestStep.tsx';
import { useWalk } from './use-walk.ts';

const titles = { register: 'Add the application', test: 'Test the connection', finish: 'Finish' } as const;
const steps = ['register', 'test', 'finish'] as const;

/** From a name and an address to an application that was tried. */
export function ApplicationGuide({ onAnother }: { readonly onAnother: () => void }) {
  const { api, clusterId, go } = usePage();
  const { walk, turn, onFailed } = useWalk(steps);
  const [hasBegun, setBegun] = useState(false);
  const [application, setApplication] = useState<Application | null>(null);
  useGuard(isMidway(walk, hasBegun), 'The application is not enrolled to the end yet.');
  return (
    <GuideFrame {...{ walk, titles, onFailed }}>
      {walk.at === 'register' || application === null ? (
        <RegisterStep
          what={registeringApplication(api, clusterId)}
          thing={application}
          onBegun={() => setBegun(true)}
          onArrived={setApplication}
          onNext={turn('next')}
        />
      ) : walk.at === 'test' ? (
        <TestStep
          asked={{ resource_kind: 'app', resource_name: application.name }}
          title={application.name}
          onNext={turn('next')}
          onBack={turn('back')}
          onSkip={turn('skip')}
        >
          <p>Your roles, the way to it and what it answers are looked at as you.</p>
        </TestStep>
      ) : (
        <GuideStep
          title={`${application.name} is enrolled`}
          next="Browse applications"
          onNext={() => go('apps', { clusterId })}
        >
          <Facts
            rows={[
              ['Reached', application.uri],
              ['Browsers come to', application.address || 'nothing: it is for clients of its own'],
              ['Test', walk.ends.test === 'success' ? 'It can be used' : 'Skipped'],
            ]}
          />
          <div className={styles.more}>
            {application.fqdn !== '' && (
              <CommandButton
                id="applications.open"
                things={[
                  {
                    kind: 'application',
                    id: application.name,
                    title: application.name,
                    launch: launchPath(application),
                  },
                ]}
              >
                Open {application.name}
              </CommandButton>
            )}
            <Button onClick={onAnother}>Enroll another</Button>
          </div>
        </GuideStep>
      )}
    </GuideFrame>
  );
}
