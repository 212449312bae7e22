import { useId, useState } from 'react';
import type { Database } from '../../../contract/resources.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { commandLine } from './connecting.ts';

/** Users and databases that mean "any" in a role are no suggestions. */
const named = (words: readonly string[]): readonly string[] => words.filter(word => word !== '*');

/** How to reach a database from a terminal, with the user and database name that someone chooses. */
export function ConnectDialog({ database, onClose }: { readonly database: Database; readonly onClose: () => void }) {
  const id = useId();
  const users = named(database.database_users);
  const names = named(database.database_names);
  const [user, setUser] = useState(users[0] ?? '');
  const [name, setName] = useState(names[0] ?? '');
  const line = commandLine(database, { user: user.trim(), database: name.trim() });
  return (
    <Dialog
      title={`Connect to ${database.name}`}
      size="wide"
      onEscape={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div style={{ display: 'flex', flexDirection: 'column', gap: 16 }}>
        <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 12 }}>
          <Field
            label="Database user"
            mono
            list={`${id}-users`}
            value={user}
            onChange={event => setUser(event.target.value)}
          />
          <Field
            label="Database name"
            mono
            list={`${id}-names`}
            value={name}
            onChange={event => setName(event.target.value)}
          />
          <datalist id={`${id}-users`}>
            {users.map(one => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <datalist id={`${id}-names`}>
            {names.map(one => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </div>
        {line !== undefined && <Snippet prefix="$" label="the command" text={line} />}
        <Snippet label="the address" text={database.uri || database.hostname || database.name} />
        <p>
          The command goes straight to the database, from a machine that can reach it: such a connection is neither
          checked nor recorded here. Graphical clients take the same address, user and name.
        </p>
      </div>
    </Dialog>
  );
}
