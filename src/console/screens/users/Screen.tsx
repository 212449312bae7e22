import { Ellipsis, UserPlus } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useSnapshot } from 'valtio';
import type { Thing } from '../../../../commands/command.ts';
import { listUsers, type User } from '../../../contract/users.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { CommandItem } from '../../palette/CommandItem.tsx';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { useAgain } from '../again.ts';
import { ClientList } from '../ClientList.tsx';
import { usePage } from '../page.tsx';
import { createWhole } from '../whole.ts';

const kinds: Readonly<Record<User['authType'], string>> = {
  local: 'Local user',
  github: 'GitHub',
  oidc: 'OIDC',
  saml: 'SAML',
};
const thingOf = (user: User): Thing => ({
  kind: 'user',
  id: user.name,
  title: user.name,
  detail: user.roles.join(', '),
});

/** Everyone who may sign in. */
export default function Users() {
  const { api } = usePage();
  const list = useMemo(() => createWhole<User>(() => api(listUsers)), [api]);
  const shown = useSnapshot(list.state);
  useEffect(() => void list.load(), [list]);
  useAgain(list.load);
  return (
    <ClientList<User>
      title="Users"
      noun="user"
      size={20}
      status={shown.status}
      error={shown.error}
      rows={shown.rows as readonly User[]}
      rowKey={user => user.name}
      thingOf={thingOf}
      words={user => [user.name, ...user.roles, kinds[user.authType]].join(' ')}
      sortBy={(user, key) => (key === 'roles' ? user.roles.join() : key === 'type' ? kinds[user.authType] : user.name)}
      actions={<CommandButton id="users.invite" kind="primary" icon={<UserPlus aria-hidden="true" />} />}
      columns={[
        { key: 'name', title: 'Name', sorts: true, mono: true, width: '28%', phone: 'first', draw: user => user.name },
        {
          key: 'roles',
          title: 'Roles',
          sorts: true,
          draw: user => <Pills labels={user.roles.map(role => ({ name: '', value: role }))} />,
        },
        { key: 'type', title: 'Type', sorts: true, width: '140px', draw: user => kinds[user.authType] },
        {
          key: 'actions',
          title: 'Actions',
          quiet: true,
          width: '64px',
          phone: 'action',
          draw: user => <Actions user={user} />,
        },
      ]}
      empty={<p>Invite the first one.</p>}
    />
  );
}

function Actions({ user }: { readonly user: User }) {
  if (user.authType !== 'local') return null;
  return (
    <Menu
      label={`Actions for ${user.name}`}
      placement="bottom-end"
      trigger={props => (
        <Button
          kind="quiet"
          size="dense"
          tabIndex={-1}
          data-primary
          data-menu
          icon={<Ellipsis aria-hidden="true" />}
          aria-label={`Actions for ${user.name}`}
          {...props}
        />
      )}
    >
      {close => (
        <>
          <CommandItem id="users.reset" things={[thingOf(user)]} onChoose={close} />
          <CommandItem id="users.remove" things={[thingOf(user)]} onChoose={close} />
        </>
      )}
    </Menu>
  );
}
