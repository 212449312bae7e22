import { useState } from 'react';
import { createJoinToken, type MadeToken } from '../../../contract/new-join-token.ts';
import { type Desktop, listDesktops } from '../../../contract/resources.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { useGuard, usePage } from '../page.tsx';
import { useArrival } from './arrival.ts';
import styles from './discover.module.css';
import { GuideFrame, GuideStep } from './GuideFrame.tsx';
import { isMidway } from './guide.ts';
import { useWalk } from './use-walk.ts';

const titles = {
  install: 'Active Directory',
  configure: 'Prepare the domain',
  discover: 'Find desktops',
  finish: 'Finish',
} as const;
const steps = ['install', 'configure', 'discover', 'finish'] as const;
/** Names that the last step shows. */
const SHOWN_MOST = 5;
/** Desktops that a directory gave. */
const DISCOVERED = 'labels["postern.internal/discovered-by"] != ""';

/** A line of Windows PowerShell that fetches a script of the gateway and runs it. */
const lineOf = (path: string, name: string): string => {
  const [address, file] = [`${location.origin}/v1/webapi/scripts/desktop-access/${path}${name}`, `$env:TEMP\\${name}`];
  return `Invoke-WebRequest -UseBasicParsing -Uri '${address}' -OutFile "${file}"; powershell -ExecutionPolicy Bypass -File "${file}"`;
};

/** From a domain to the desktops that its directory knows. */
export function DirectoryGuide({ onAnother }: { readonly onAnother: () => void }) {
  const { clusterId, go } = usePage();
  const { walk, turn, onFailed } = useWalk(steps);
  const [token, setToken] = useState<MadeToken | null>(null);
  const [found, setFound] = useState<readonly Desktop[]>([]);
  useGuard(isMidway(walk, token !== null), 'The desktops of the domain are not enrolled to the end yet.');
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
        <ConfigureStep token={token} onToken={setToken} onNext={turn('next')} onBack={turn('back')} />
      ) : walk.at === 'discover' ? (
        <DiscoverStep found={found} onFound={setFound} onNext={turn('next')} onBack={turn('back')} />
      ) : (
        <GuideStep
          title="The desktops of the domain are found"
          next="Browse desktops"
          onNext={() => go('desktops', { clusterId })}
        >
          <Facts
            rows={[
              ['Among them', found.map(({ name }) => name).join(', ')],
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
}) {
  const { token, onToken, onNext, onBack } = props;
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
    >
      <p>
        A script makes an account that reads the directory, and a group policy that lets the domain's computers take
        Remote Desktop with network level authentication. It runs on a domain controller, as an administrator of the
        domain.
      </p>
      {token !== null && (
        <>
          <Snippet prefix=">" label="the line" text={lineOf(`configure/${token.id}/`, 'configure-ad.ps1')} />
          <p>
            Keep what it prints last as <code>discovery.yaml</code>: it begins with <code>kind: discovery_config</code>,
            and holds the password of that account.
          </p>
        </>
      )}
    </GuideStep>
  );
}

/** What the script printed is applied, and desktops come by themselves. */
function DiscoverStep(props: {
  readonly found: readonly Desktop[];
  readonly onFound: (found: readonly Desktop[]) => void;
  readonly onNext: () => void;
  readonly onBack: () => void;
}) {
  const { found, onFound, onNext, onBack } = props;
  const { api, clusterId } = usePage();
  const look = async (): Promise<readonly Desktop[] | null> => {
    const { items } = await api(listDesktops, {
      params: { clusterId },
      query: { query: DISCOVERED, limit: SHOWN_MOST },
    });
    if (items.length === 0) return null;
    onFound(items);
    return items;
  };
  const { isLate, problem } = useArrival(found.length === 0 ? look : undefined);
  return (
    <GuideStep
      title="Tell the gateway"
      problem={problem}
      next="Next"
      canGoOn={found.length > 0}
      onNext={onNext}
      onBack={onBack}
    >
      <p>Apply what the script printed on the gateway's machine, then delete the file:</p>
      <Snippet prefix="$" label="what applies it" text="postern resources apply discovery.yaml" />
      {found.length > 0 ? (
        <Alert kind="success">Desktops are there: {found.map(({ name }) => name).join(', ')}.</Alert>
      ) : (
        <p className={styles.waiting} role="status">
          Waiting for desktops of the directory…
        </p>
      )}
      {found.length === 0 && isLate && (
        <Alert kind="warning">
          No desktop has come for five minutes. The audit log says why a directory could not be read; where it says that
          desktops were found, none of your roles selects them (windows_desktop_labels).{' '}
          <ManualLink id="findDesktops" />
        </Alert>
      )}
    </GuideStep>
  );
}
