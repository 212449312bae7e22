import { useState } from 'react';
import { readLabels, wrongAddress } from '../../../../commands/servers.ts';
import { createDatabase } from '../../../contract/database-changes.ts';
import { type Database, listDatabases } from '../../../contract/resources.ts';
import type { Enrollment } from '../../../features/enrollment.ts';
import { shellWord } from '../../../features/shell-word.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { usePage } from '../page.tsx';
import styles from './discover.module.css';
import { GuideStep } from './GuideFrame.tsx';
import { useJoining } from './joining.ts';

const ways = {
  address: 'By an address that the gateway can dial',
  tunnel: 'Over a tunnel that a machine beside it dials',
} as const;
export type DatabaseProtocol = Extract<Enrollment['by'], { readonly guide: 'database' }>['protocol'];

/** Name, address and labels: the gateway adds it, or a machine beside it joins with it and leads there. */
export function RegisterDatabaseStep({
  protocol,
  database,
  onBegun,
  onArrived,
  onNext,
}: {
  readonly protocol: DatabaseProtocol;
  readonly database: Database | null;
  readonly onBegun: () => void;
  readonly onArrived: (database: Database) => void;
  readonly onNext: () => void;
}) {
  const { api, clusterId } = usePage();
  const { busy, problem, attempt } = useAttempt();
  const [name, setName] = useState('');
  const [labels, setLabels] = useState('');
  const [way, setWay] = useState<keyof typeof ways>('address');
  const [address, setAddress] = useState('');
  const [tried, setTried] = useState(false);
  /** It was added, and no role of this person selects it. */
  const [isUnseen, setUnseen] = useState(false);
  const read = readLabels(labels);
  const nameFault = name.trim() === '' ? 'A name is needed' : undefined;
  const addressFault = wrongAddress(address);
  const fault = (text: string | undefined) => (tried ? text : undefined);

  const add = (): Promise<void> =>
    attempt(async () => {
      setTried(true);
      if (typeof read === 'string' || nameFault !== undefined || addressFault !== undefined) return;
      const params = { clusterId };
      if (way === 'tunnel') {
        await joining.make(read);
        return onBegun();
      }
      if (!isUnseen) {
        const body = { name: name.trim(), protocol, uri: address.trim(), labels: [...read] };
        await api(createDatabase, { params, body });
        onBegun();
      }
      const query = { query: `name == ${JSON.stringify(name.trim())}`, limit: 1 };
      const [found] = (await api(listDatabases, { params, query })).items;
      if (found === undefined) return setUnseen(true);
      onArrived(found);
      onNext();
    });
  const joining = useJoining<Database>({
    ...{ role: 'Db', thing: database, onArrived },
    look: async search =>
      (await api(listDatabases, { params: { clusterId }, query: { search, limit: 1 } })).items[0] ?? null,
  });
  const { made, frame } = joining;

  const typed = { autoComplete: 'off', spellCheck: false, mono: true } as const;
  const line = `${made?.lines[0]?.line ?? ''} -s -- --name ${shellWord(name.trim())} --protocol ${protocol} --uri ${shellWord(address.trim())}`;
  const isThere = database !== null;
  return (
    <GuideStep
      title={made === null ? 'Which database?' : 'Run one line on a machine beside it'}
      problem={problem || joining.problem}
      next={isThere || made !== null ? 'Next' : isUnseen ? 'Look again' : way === 'tunnel' ? 'Make the line' : 'Add it'}
      canGoOn={made === null || isThere}
      isBusy={busy}
      onNext={() => (isThere ? onNext() : void add())}
    >
      <div ref={frame} className={styles.part}>
        {isThere ? (
          <Alert kind="success">{database.name} is in the list.</Alert>
        ) : isUnseen ? (
          <Alert kind="warning">
            {name.trim()} was added, and none of your roles selects it: their db_labels do not match its labels.
          </Alert>
        ) : null}
        {made !== null ? (
          <>
            <p>
              Paste this into a shell of a machine that reaches the database at {address.trim()}. It needs sh, curl and
              OpenSSH there, and lets one machine join, until {made.expiry.slice(0, 16).replace('T', ' ')} UTC; whoever
              has it can use it.
            </p>
            <Snippet prefix="$" label="the line" text={line} />
            {!isThere && (
              <p className={styles.waiting} role="status">
                Waiting for the database to join…
              </p>
            )}
            {!isThere && joining.isLate && (
              <Alert kind="warning">
                Nothing has joined for five minutes. The script says what stops it. Where it has joined, none of your
                roles selects the database. <ManualLink id="joinMachine" />
              </Alert>
            )}
          </>
        ) : isThere || isUnseen ? null : (
          <>
            <Field
              {...typed}
              label="Name"
              tip="By which people know it, such as orders"
              value={name}
              error={fault(nameFault)}
              onChange={event => setName(event.target.value)}
            />
            <Select
              label="How the gateway reaches it"
              value={ways[way]}
              choices={Object.values(ways)}
              onChange={event => setWay(event.target.value === ways.tunnel ? 'tunnel' : 'address')}
            />
            <Field
              {...typed}
              label="Address"
              tip={
                way === 'tunnel'
                  ? 'host or host:port, as that machine dials it, such as 127.0.0.1'
                  : 'host or host:port, as the gateway dials it'
              }
              value={address}
              error={fault(addressFault)}
              onChange={event => setAddress(event.target.value)}
            />
            <Field
              {...typed}
              label="Labels"
              tip="Such as env=prod team=data: roles select databases by them; may stay empty"
              value={labels}
              error={fault(typeof read === 'string' ? read : undefined)}
              onChange={event => setLabels(event.target.value)}
            />
          </>
        )}
      </div>
    </GuideStep>
  );
}
