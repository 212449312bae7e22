import { useState } from 'react';
import { promptNames, promptProtocols } from '../../../contract/database-protocols.ts';
import { type Database, listDatabases } from '../../../contract/resources.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { useGuard, usePage } from '../page.tsx';
import { AwsAccountStep, type AwsPlace } from './AwsAccountStep.tsx';
import { type AwsDatabaseKind, AwsDatabaseStep } from './AwsDatabaseStep.tsx';
import { AwsPolicyStep } from './AwsPolicyStep.tsx';
import { AwsWayStep } from './AwsWayStep.tsx';
import { CertificateStep } from './CertificateStep.tsx';
import styles from './discover.module.css';
import { GuideFrame, GuideStep } from './GuideFrame.tsx';
import { isMidway } from './guide.ts';
import { NameField } from './NameField.tsx';
import { PrincipalsStep } from './PrincipalsStep.tsx';
import { chosenName } from './principals.ts';
import { RegisterStep } from './RegisterStep.tsx';
import { type DatabaseProtocol, registeringDatabase } from './registering.ts';
import { TestStep } from './TestStep.tsx';
import { useWalk } from './use-walk.ts';

const titles = {
  account: 'AWS account',
  choose: 'Choose the database',
  way: 'The way there',
  policy: 'Policy',
  register: 'Add the database',
  certificate: 'Certificate',
  names: 'Users and names',
  test: 'Test the connection',
  finish: 'Finish',
} as const;
type Step = keyof typeof titles;
const steps: readonly [Step, ...Step[]] = ['register', 'certificate', 'names', 'test', 'finish'];
/** Of one in AWS: found there rather than described, and opened by its role rather than by certificates. */
const awsSteps: readonly [Step, ...Step[]] = ['account', 'choose', 'way', 'policy', 'names', 'test', 'finish'];
const users = {
  trait: 'databaseUsers',
  field: 'db_users',
  label: 'Database users',
  tip: 'Users of the database server, such as app; Enter takes one, * stands for any',
} as const;
const names = {
  trait: 'databaseNames',
  field: 'db_names',
  label: 'Database names',
  tip: 'Databases on the server, such as orders; Enter takes one, * stands for any',
} as const;

/** From a name and an address, or from a list of AWS, to a connection that was tried. */
export function DatabaseGuide({
  protocol,
  aws,
  onAnother,
}: {
  readonly protocol: DatabaseProtocol;
  /** What of RDS is looked for; absent: it is the person's own server. */
  readonly aws?: AwsDatabaseKind | undefined;
  readonly onAnother: () => void;
}) {
  const { api, clusterId, go } = usePage();
  const { walk, turn, onFailed } = useWalk<Step>(aws ? awsSteps : steps);
  const [place, setPlace] = useState<AwsPlace | null>(null);
  const [hasBegun, setBegun] = useState(false);
  const [database, setDatabase] = useState<Database | null>(null);
  const [typedUser, setUser] = useState('');
  const [typedName, setName] = useState('');
  // Before something was added there is nothing to lose.
  useGuard(isMidway(walk, hasBegun) && (!aws || database !== null), 'The database is not enrolled to the end yet.');
  const grantedUsers = database?.database_users ?? [];
  const grantedNames = database?.database_names ?? [];
  // Databases of a Redis have numbers, which roles do not name.
  const isNamed = protocol !== 'redis';
  const user = chosenName(grantedUsers, typedUser);
  const name = isNamed ? chosenName(grantedNames, typedName) : '';
  const granted = { databaseUsers: grantedUsers, databaseNames: grantedNames };
  async function ask(): Promise<typeof granted> {
    const query = { query: `name == ${JSON.stringify(database?.name ?? '')}`, limit: 1 };
    const [now = database] = (await api(listDatabases, { params: { clusterId }, query })).items;
    setDatabase(now);
    return { databaseUsers: now?.database_users ?? [], databaseNames: now?.database_names ?? [] };
  }
  return (
    <GuideFrame {...{ walk, titles, onFailed }}>
      {walk.at === 'account' ? (
        <AwsAccountStep
          place={place}
          onPlace={chosen => {
            setPlace(chosen);
            turn('next')();
          }}
        />
      ) : aws && place !== null && (walk.at === 'choose' || database === null) ? (
        <AwsDatabaseStep
          {...{ place, kind: aws, database, onArrived: setDatabase }}
          onNext={turn('next')}
          onBack={turn('back')}
        />
      ) : walk.at === 'register' || database === null ? (
        <RegisterStep
          what={registeringDatabase(api, clusterId, protocol)}
          thing={database}
          onBegun={() => setBegun(true)}
          onArrived={setDatabase}
          onNext={turn('next')}
        />
      ) : walk.at === 'certificate' ? (
        <CertificateStep database={database} onNext={turn('next')} onBack={turn('back')} onSkip={turn('skip')} />
      ) : walk.at === 'way' && place !== null ? (
        <AwsWayStep {...{ place, database }} onNext={way => turn('next', way)()} onBack={turn('back')} />
      ) : walk.at === 'policy' && place !== null ? (
        <AwsPolicyStep {...{ place, database }} onNext={turn('next')} onBack={turn('back')} onSkip={turn('skip')} />
      ) : walk.at === 'names' ? (
        <PrincipalsStep
          title="As whom do you use it?"
          kinds={isNamed ? [users, names] : [users]}
          granted={granted}
          onAsk={ask}
          onNext={turn('next')}
          onBack={turn('back')}
        />
      ) : walk.at === 'test' ? (
        <TestStep
          asked={{
            resource_kind: 'db',
            resource_name: database.name,
            database_user: user,
            database_name: name,
          }}
          title={`${user}@${database.name}${name === '' ? '' : `/${name}`}`}
          onNext={turn('next')}
          onBack={turn('back')}
          onSkip={turn('skip')}
        >
          <NameField label="Database user" granted={grantedUsers} value={user} onChange={setUser} />
          {isNamed && <NameField label="Database name" granted={grantedNames} value={name} onChange={setName} />}
        </TestStep>
      ) : (
        <GuideStep
          title={`${database.name} is enrolled`}
          next="Browse databases"
          onNext={() => go('databases', { clusterId })}
        >
          <Facts
            rows={[
              ['Reached', database.uri],
              aws
                ? ['Log-in', 'By a password of AWS']
                : ['Certificate', walk.ends.certificate === 'success' ? 'By the line' : 'As it was'],
              ['Test', walk.ends.test === 'success' ? 'It can be used' : 'Skipped'],
            ]}
          />
          <div className={styles.more}>
            {walk.ends.test === 'success' && promptProtocols.has(protocol) && (
              <CommandButton
                id="databases.prompt"
                things={[
                  {
                    kind: 'database',
                    id: database.name,
                    title: database.name,
                    logins: grantedUsers,
                    databases: promptNames(database),
                  },
                ]}
                given={{ dbUser: { value: user, title: user }, dbName: { value: name, title: name } }}
              >
                Open a prompt as {user}
              </CommandButton>
            )}
            <Button onClick={onAnother}>Enroll another</Button>
          </div>
        </GuideStep>
      )}
    </GuideFrame>
  );
}
