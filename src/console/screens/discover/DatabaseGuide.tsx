import { useState } from 'react';
import { promptNames, promptProtocols } from '../../../contract/database-protocols.ts';
import { type Database, listDatabases } from '../../../contract/resources.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { useGuard, usePage } from '../page.tsx';
import { CertificateStep } from './CertificateStep.tsx';
import styles from './discover.module.css';
import { GuideFrame, GuideStep } from './GuideFrame.tsx';
import { begin, isMidway, turned } from './guide.ts';
import { NameField } from './NameField.tsx';
import { PrincipalsStep } from './PrincipalsStep.tsx';
import { chosenName } from './principals.ts';
import { type DatabaseProtocol, RegisterDatabaseStep } from './RegisterDatabaseStep.tsx';
import { TestStep } from './TestStep.tsx';

const titles = {
  register: 'Add the database',
  certificate: 'Certificate',
  names: 'Users and names',
  test: 'Test the connection',
  finish: 'Finish',
} as const;
const steps = ['register', 'certificate', 'names', 'test', 'finish'] as const;
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

/** From a name and an address to a connection that was tried. */
export function DatabaseGuide({
  protocol,
  onAnother,
}: {
  readonly protocol: DatabaseProtocol;
  readonly onAnother: () => void;
}) {
  const { api, clusterId, go } = usePage();
  const [walk, setWalk] = useState(() => begin<(typeof steps)[number]>(steps));
  const [hasBegun, setBegun] = useState(false);
  const [database, setDatabase] = useState<Database | null>(null);
  const [typedUser, setUser] = useState('');
  const [typedName, setName] = useState('');
  useGuard(isMidway(walk, hasBegun), 'The database is not enrolled to the end yet.');
  const turn = (to: 'next' | 'skip' | 'back') => (): void => setWalk(before => turned(before, to));
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
    <GuideFrame walk={walk} titles={titles}>
      {walk.at === 'register' || database === null ? (
        <RegisterDatabaseStep
          protocol={protocol}
          database={database}
          onBegun={() => setBegun(true)}
          onArrived={setDatabase}
          onNext={turn('next')}
        />
      ) : walk.at === 'certificate' ? (
        <CertificateStep database={database} onNext={turn('next')} onBack={turn('back')} onSkip={turn('skip')} />
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
              ['Certificate', walk.ends.certificate === 'success' ? 'By the line' : 'As it was'],
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
