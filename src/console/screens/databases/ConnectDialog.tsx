import { useState } from 'react';
import type { Database } from '../../../contract/resources.ts';
import { named, ConnectDialog as Reach } from '../ConnectDialog.tsx';
import { usePage } from '../page.tsx';
import { relayedLines, tunnelLines } from './connecting.ts';

/** How to reach a database from a terminal, with the user and database name that someone chooses. */
export function ConnectDialog({ database, onClose }: { readonly database: Database; readonly onClose: () => void }) {
  const { who } = usePage();
  const [dbUser, setUser] = useState(named(database.database_users)[0] ?? '');
  const [name, setName] = useState(named(database.database_names)[0] ?? '');
  const asked = { user: dbUser.trim(), database: name.trim() };
  // Others sign in at their identity provider, in a browser.
  const user = who?.authType === 'local' ? ['--user', who.userName] : [];
  const relayed = relayedLines(database, asked, location.origin, user);
  return (
    <Reach
      name={database.name}
      choices={[
        { label: 'Database user', value: dbUser, suggested: database.database_users, onChange: setUser },
        { label: 'Database name', value: name, suggested: database.database_names, onChange: setName },
      ]}
      steps={relayed ?? tunnelLines(database, asked, location.origin, user)}
      onClose={onClose}
    >
      {relayed
        ? 'Connections go through the gateway: your roles say as whom, and every statement is in the audit log.'
        : `The gateway does not speak ${database.protocol}: it passes bytes on and cannot look into them. So the way is open only to roles that let you be anybody there (db_users and db_names: *), what you do is neither checked nor recorded, and the audit log has but the beginning and the end of each connection.`}
    </Reach>
  );
}
