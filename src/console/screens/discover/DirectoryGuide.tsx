import { useState } from 'react';
import { createJoinToken, type MadeToken } from '../../../contract/new-join-token.ts';
import type { Desktop } from '../../../contract/resources.ts';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { useGuard, usePage } from '../page.tsx';
import { DirectoryStep, type MadeDiscovery } from './DirectoryStep.tsx';
import styles from './discover.module.css';
import { GuideFrame, GuideStep } from './GuideFrame.tsx';
import { useWalk } from './use-walk.ts';

const titles = {
  install: 'Active Directory',
  configure: 'Prepare the domain',
  discover: 'Find desktops',
  finish: 'Finish',
} as const;
const steps = ['install', 'configure', 'discover', 'finish'] as const;

/** A line of Windows PowerShell that fetches a script of the gateway and runs it. */
const lineOf = (path: string, name: string): string => {
  const [address, file] = [`${location.origin}/v1/webapi/scripts/desktop-access/${path}${name}`, `$env:TEMP\\${name}`];
  return `Invoke-WebRequest -UseBasicParsing -Uri '${address}' -OutFile "${file}"; powershell -ExecutionPolicy Bypass -File "${file}"`;
};

/** From a domain to the desktops that its directory knows. */
export function DirectoryGuide({ onAnother }: { readonly onAnother: () => void }) {
  const { clusterId, go, query } = usePage();
  const { walk, turn, onFailed } = useWalk(steps, query.step === 'discover' ? 'discover' : undefined);
  const [token, setToken] = useState<MadeToken | null>(null);
  const [made, setMade] = useState<MadeDiscovery | null>(null);
  const [found, setFound] = useState<readonly Desktop[]>([]);
  const hasBegun = token !== null || made !== null;
  useGuard(hasBegun && walk.at !== 'finish', 'The desktops of the domain are not enrolled to the end yet.');
  return (
    <GuideFrame {...{ walk, titles, onFailed }}>
      {walk.at === 'install' ? (
        <GuideStep title="Is there a domain, with certificates?" next="There is both" onNext={turn('next')}>
          <p>
            Where there is no Active Directory yet, this line in a PowerShell of an administrator makes a Windows Server
            the first domain controller. It asks for the domain's name, and the server starts anew.
          </p>
          <Snippet prefix=">" label="what installs Active Directory" text={lineOf('', 'install-ad-ds.ps1')} />
          <p>
            The gateway reads the directory over TLS alone. Where the domain has no certification authority yet, this
            line on the domain controller makes it one; it starts anew as well.
          </p>
          <Snippet prefix=">" label="what installs certificate services" text={lineOf('', 'install-ad-cs.ps1')} />
        </GuideStep>
      ) : walk.at === 'configure' ? (
        <ConfigureStep
          token={token}
          onToken={setToken}
          onNext={turn('next')}
          onBack={turn('back')}
          onSkip={turn('skip')}
        />
      ) : walk.at === 'discover' ? (
        <DirectoryStep
          {...{ made, found }}
          onMade={setMade}
          onFound={setFound}
          onNext={turn('next')}
          onBack={turn('back')}
          onSkip={turn('skip')}
        />
      ) : (
        <GuideStep
          title={found.length > 0 ? 'The desktops of the domain are found' : 'The directory is read'}
          next="Browse desktops"
          onNext={() => go('desktops', { clusterId })}
        >
          <Facts
            rows={[
              ['Among them', found.map(({ name }) => name).join(', ') || 'none yet that your roles select'],
              ['Logins', 'Roles name them (windows_desktop_logins), such as EXAMPLE\\alice'],
            ]}
          />
          <div className={styles.more}>
            <Button onClick={onAnother}>Enroll another</Button>
          </div>
        </GuideStep>
      )}
    </GuideFrame>
  );
}

/** A script for the domain controller, which prints what the gateway is told. */
function ConfigureStep(props: {
  readonly token: MadeToken | null;
  readonly onToken: (token: MadeToken) => void;
  readonly onNext: () => void;
  readonly onBack: () => void;
  readonly onSkip: () => void;
}) {
  const { token, onToken, onNext, onBack, onSkip } = props;
  const { api } = usePage();
  const { busy, problem, attempt } = useAttempt();
  const make = (): Promise<void> =>
    attempt(async () => onToken(await api(createJoinToken, { body: { roles: ['WindowsDesktop'] } })));
  return (
    <GuideStep
      title="Prepare the domain"
      problem={problem}
      next={token === null ? 'Make the line' : 'Next'}
      isBusy={busy}
      onNext={() => (token === null ? void make() : onNext())}
      onBack={onBack}
      onSkip={token === null ? onSkip : undefined}
    >
      <p>
        A script makes an account that reads the directory, and a group policy that lets the domain's computers take
        Remote Desktop with network level authentication. It runs on a domain controller, as an administrator of the
        domain. Skip it where there is such an account already.
      </p>
      {token !== null && (
        <>
          <Snippet prefix=">" label="the line" text={lineOf(`configure/${token.id}/`, 'configure-ad.ps1')} />
          <p>
            Copy what it prints last, for the next step: it begins with <code>kind: discovery_config</code>, and holds
            the password of that account.
          </p>
        </>
      )}
    </GuideStep>
  );
}
