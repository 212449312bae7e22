import { type ClipboardEvent, useState } from 'react';
import { readLabels } from '../../../../commands/servers.ts';
import { createDiscovery } from '../../../contract/discovery-changes.ts';
import { type Desktop, listDesktops } from '../../../contract/resources.ts';
import { can } from '../../../features/feature.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { Field } from '../../ui/Field.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { usePage } from '../page.tsx';
import { useArrival } from './arrival.ts';
import styles from './discover.module.css';
import { GuideStep } from './GuideFrame.tsx';
import { domainOf, readPrintedDiscovery } from './printed-discovery.ts';

/** Names that are shown of what was found. */
const SHOWN_MOST = 5;
const DISCOVERED = 'labels["postern.internal/discovered-by"]';

/** A directory that was read, and how many computers it had then. */
export interface MadeDiscovery {
  readonly name: string;
  readonly address: string;
  readonly found: number;
}
interface StepProps {
  readonly made: MadeDiscovery | null;
  readonly onMade: (made: MadeDiscovery) => void;
  readonly found: readonly Desktop[];
  readonly onFound: (found: readonly Desktop[]) => void;
  readonly onNext: () => void;
  readonly onBack: () => void;
  readonly onSkip: () => void;
}

/** Which directory, which is read at once; then desktops come by themselves. Whoever may not say so has its YAML applied. */
export function DirectoryStep(props: StepProps) {
  const { who, config } = usePage();
  const mayAdd = who !== null && can('discoveries', 'create')({ who, config });
  return mayAdd && props.made === null ? <DirectoryForm {...props} /> : <ArrivalStep {...props} mayAdd={mayAdd} />;
}

function DirectoryForm({ onMade, onBack }: StepProps) {
  const { api, clusterId } = usePage();
  const { busy, problem, attempt } = useAttempt();
  const [address, setAddress] = useState('');
  const [base, setBase] = useState('');
  const [account, setAccount] = useState('');
  const [password, setPassword] = useState('');
  const [certificate, setCertificate] = useState('');
  const [labels, setLabels] = useState('');
  const [typedName, setName] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const name = typedName ?? domainOf(base);
  const read = readLabels(labels);
  const needed = (what: string, value: string) => (tried && value.trim() === '' ? `${what} is needed` : undefined);

  const add = (): Promise<void> =>
    attempt(async () => {
      setTried(true);
      if (typeof read === 'string' || [address, base, account, password, name].some(one => one.trim() === '')) return;
      const made = await api(createDiscovery, {
        params: { clusterId },
        body: {
          name: name.trim(),
          spec: {
            ldap: {
              address: address.trim(),
              base: base.trim(),
              bind_name: account.trim(),
              password,
              ...(certificate.trim() !== '' && { ca_cert: certificate }),
            },
            ...(read.length > 0 && { labels: Object.fromEntries(read.map(label => [label.name, label.value])) }),
          },
        },
      });
      onMade(made);
    });
  /** All that the script printed, into whichever field. */
  function paste(event: ClipboardEvent): void {
    const printed = readPrintedDiscovery(event.clipboardData.getData('text/plain'));
    if (printed === null) return;
    event.preventDefault();
    setAddress(printed.address);
    setBase(printed.base);
    setAccount(printed.bind_name);
    setPassword(printed.password);
    setCertificate(printed.ca_cert);
    setName(printed.name || null);
  }
  const typed = { autoComplete: 'off', spellCheck: false, mono: true } as const;
  return (
    <GuideStep
      title="Which directory?"
      problem={problem}
      next="Read the directory"
      isBusy={busy}
      onNext={() => void add()}
      onBack={onBack}
    >
      <div className={styles.part} onPaste={paste}>
        <p>
          Paste what the script printed last into any field: it fills them all. The gateway reads the directory at once,
          and keeps the password encrypted.
        </p>
        <Field
          {...typed}
          label="Address"
          tip="host or host:port of a domain controller, such as dc-1.example.com; LDAPS, port 636"
          value={address}
          error={needed('An address', address)}
          onChange={event => setAddress(event.target.value)}
        />
        <Field
          {...typed}
          label="Base DN"
          tip="Such as DC=example,DC=com: computers there and below become desktops"
          value={base}
          error={needed('A base DN', base)}
          onChange={event => setBase(event.target.value)}
        />
        <Field
          {...typed}
          label="Account"
          tip="That reads the directory: a distinguished name, or such as reader@example.com"
          value={account}
          error={needed('An account', account)}
          onChange={event => setAccount(event.target.value)}
        />
        <Field
          label="Password of the account"
          type="password"
          autoComplete="off"
          value={password}
          error={tried && password === '' ? 'A password is needed' : undefined}
          onChange={event => setPassword(event.target.value)}
        />
        <TextField
          mono
          label="Certificate"
          tip="PEM of the domain's authority; empty where the gateway's machine trusts it already"
          rows={3}
          autoComplete="off"
          spellCheck={false}
          value={certificate}
          onChange={event => setCertificate(event.target.value)}
          onText={setCertificate}
        />
        <Field
          {...typed}
          label="Labels"
          tip="Such as env=office, which each of its desktops gets: roles select by them; may stay empty"
          value={labels}
          error={tried && typeof read === 'string' ? read : undefined}
          onChange={event => setLabels(event.target.value)}
        />
        <Field
          {...typed}
          label="Name"
          tip="By which people know the directory"
          value={name}
          error={needed('A name', name)}
          onChange={event => setName(event.target.value)}
        />
      </div>
    </GuideStep>
  );
}

function ArrivalStep(props: StepProps & { readonly mayAdd: boolean }) {
  const { made, found, onFound, onNext, onBack, onSkip } = props;
  const { api, clusterId } = usePage();
  const look = async (): Promise<readonly Desktop[] | null> => {
    const query = made === null ? `${DISCOVERED} != ""` : `${DISCOVERED} == ${JSON.stringify(made.name)}`;
    const { items } = await api(listDesktops, { params: { clusterId }, query: { query, limit: SHOWN_MOST } });
    if (items.length === 0) return null;
    onFound(items);
    return items;
  };
  const { isLate, problem } = useArrival(found.length === 0 ? look : undefined);
  const isThere = found.length > 0;
  return (
    <GuideStep
      title={made === null ? 'Tell the gateway' : `${made.name} is read`}
      problem={problem}
      next="Next"
      canGoOn={isThere}
      onNext={onNext}
      onBack={onBack}
      onSkip={made !== null && !isThere ? onSkip : undefined}
    >
      {made === null ? (
        <>
          <p>
            Your roles lack create on discovery_config. Whoever runs the gateway applies what the script printed on its
            machine, then deletes the file:
          </p>
          <Snippet prefix="$" label="what applies it" text="postern resources apply discovery.yaml" />
        </>
      ) : (
        <p>
          {made.found === 0
            ? `${made.address} let the account in, and shows it no computer with a DNS name at that base DN. It is asked again every ten minutes.`
            : `${made.address} has ${made.found === 1 ? 'one computer' : `${made.found} computers`}. It is asked again every ten minutes.`}
        </p>
      )}
      {isThere ? (
        <Alert kind="success">Desktops are there: {found.map(({ name }) => name).join(', ')}.</Alert>
      ) : (
        <p className={styles.waiting} role="status">
          Waiting for desktops of the directory…
        </p>
      )}
      {!isThere && isLate && (
        <Alert kind="warning">
          No desktop has come for five minutes. The audit log says why a directory could not be read; where it says that
          desktops were found, none of your roles selects them (windows_desktop_labels).{' '}
          <ManualLink id="findDesktops" />
        </Alert>
      )}
    </GuideStep>
  );
}
