import { useEffect, useRef, useState } from 'react';
import { readAddress } from '../../../contract/address.ts';
import { updateDatabase } from '../../../contract/database-changes.ts';
import { createJoinToken } from '../../../contract/new-join-token.ts';
import type { Database } from '../../../contract/resources.ts';
import { databaseSetUpLines } from '../../../features/database-set-up.ts';
import { shellWord } from '../../../features/shell-word.ts';
import { Snippet } from '../../ui/Snippet.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { usePage } from '../page.tsx';
import styles from './discover.module.css';
import { GuideStep } from './GuideFrame.tsx';

const ARCHIVE = 'postern_mTLS.tar.gz';

/** The server's certificate and whom it believes: a line that fetches both, and the lines of its configuration. */
export function CertificateStep({
  database: { name, protocol, uri },
  onNext,
  onBack,
  onSkip,
}: {
  readonly database: Database;
  readonly onNext: () => void;
  readonly onBack: () => void;
  readonly onSkip: () => void;
}) {
  const { api, clusterId } = usePage();
  const { busy, problem, attempt } = useAttempt();
  const [token, setToken] = useState<string | null>(null);
  const [caCert, setCaCert] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  const hostname = readAddress(uri.replace(/^[a-z]+:\/\//, ''))?.host ?? uri;
  // Hashes of a Redis's passwords are for people with the right to them alone: no join token fetches them.
  const isByToken = protocol !== 'redis';
  const make = (): Promise<void> =>
    attempt(async () => setToken((await api(createJoinToken, { body: { roles: ['Db'], uses: 1 } })).id));
  const goOn = (): Promise<void> =>
    attempt(async () => {
      if (caCert.trim() !== '')
        await api(updateDatabase, { params: { clusterId, name }, body: { caCert: `${caCert.trim()}\n` } });
      onNext();
    });
  useEffect(() => {
    if (token !== null) frame.current?.querySelector<HTMLElement>('[aria-label="Copy the line"]')?.focus();
  }, [token]);
  const sign = `${location.origin}/v1/webapi/sites/${encodeURIComponent(clusterId)}/sign/db`;
  const line = isByToken
    ? [
        `curl -fsS -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json'`,
        `-d ${shellWord(JSON.stringify({ hostname }))} -o ${ARCHIVE} ${shellWord(sign)} && tar xzf ${ARCHIVE}`,
      ].join(' ')
    : `postern db setup ${shellWord(hostname)} --protocol redis --db-user USER --to ${ARCHIVE}`;
  const isShown = token !== null || !isByToken;
  return (
    <GuideStep
      title="Its certificate"
      problem={problem}
      next={isShown ? 'Next' : 'Make the line'}
      isBusy={busy}
      onNext={() => void (isShown ? goOn() : make())}
      onBack={onBack}
      onSkip={onSkip}
    >
      <div ref={frame} className={styles.part}>
        <p>
          The server shows a certificate that the gateway believes, and takes connections whose certificate names the
          database user. Skip this where it was set up before.
        </p>
        {isShown && (
          <>
            <p>
              {isByToken
                ? `On the database server this fetches server.crt, server.key and server.cas for ${hostname}, once, within four hours:`
                : `Redis cannot tell users by certificates. On a machine where you are signed in this writes server.crt, server.key, server.cas and users.acl for ${hostname}; take them to the server:`}
            </p>
            <Snippet prefix="$" label="the line" text={line} />
            <p>Then its configuration, and start it again:</p>
            <Snippet
              label="the lines of its configuration"
              text={(databaseSetUpLines[protocol]?.([]) ?? []).join('\n')}
            />
          </>
        )}
        <TextField
          label="Who vouches for a certificate of its own"
          tip="PEM, only where the server keeps a certificate of another authority; may stay empty"
          mono
          rows={3}
          spellCheck={false}
          value={caCert}
          onChange={event => setCaCert(event.target.value)}
          onText={setCaCert}
        />
      </div>
    </GuideStep>
  );
}
