import { Pencil, UserPlus } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { choiceOf } from '../../../../commands/answer.ts';
import { listUsers, type User } from '../../../contract/users.ts';
import { nouns, signInKinds } from '../../../features/nouns.ts';
import { useGate } from '../../palette/gate.ts';
import { Button } from '../../ui/Button.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { RowButton } from '../../ui/RowButton.tsx';
import { actionsColumn } from '../../ui/table-column.ts';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { RowMenuButton } from '../row-menu.tsx';
import { pagesOfWhole } from '../whole.ts';
import { UserDialog } from './UserDialog.tsx';

/** Everyone who may sign in. Users that were just made or changed stand first. */
export default function Users() {
  const page = usePage();
  const { api } = page;
  const [edited, setEdited] = useState<User | null | undefined>(undefined);
  const [people, setPeople] = useState<readonly User[]>([]);
  const [touched, setTouched] = useState<readonly string[]>([]);
  const invite = useGate('users.invite');
  const edit = useGate('users.edit');
  const first = useRef(touched);
  first.current = touched;
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<User>(
        async () => {
          const placeOf = ({ name }: User): number =>
            first.current.includes(name) ? first.current.indexOf(name) : first.current.length;
          const found = await api(listUsers);
          setPeople(found);
          return found.toSorted((one, other) => placeOf(one) - placeOf(other));
        },
        {
          words: user => [user.name, ...user.roles, signInKinds[user.authType]].join(' '),
          sortBy: (user, key) =>
            key === 'roles' ? user.roles.join() : key === 'type' ? signInKinds[user.authType] : user.name,
        },
      ),
    [api],
  );
  return (
    <>
      <PagedList<User>
        title="Users"
        noun="user"
        fetchPage={fetchPage}
        version={touched}
        rowKey={user => user.name}
        thingOf={nouns.user.thing}
        opens="users.edit"
        actions={
          invite.hidden ? undefined : (
            <Button
              kind="primary"
              icon={<UserPlus aria-hidden="true" />}
              aria-disabled={invite.refused === undefined ? undefined : true}
              title={invite.refused}
              onClick={() => (invite.refused === undefined ? setEdited(null) : page.notify(invite.refused))}
            >
              {invite.title}
            </Button>
          )
        }
        columns={[
          {
            key: 'name',
            title: 'Name',
            sorts: true,
            mono: true,
            width: '28%',
            phone: 'first',
            draw: user => user.name,
          },
          {
            key: 'roles',
            title: 'Roles',
            sorts: true,
            draw: user => <Pills labels={user.roles.map(role => ({ name: '', value: role }))} />,
          },
          { key: 'type', title: 'Type', sorts: true, width: '140px', draw: user => signInKinds[user.authType] },
          actionsColumn('132px', user => (
            <>
              {user.authType === 'local' && edit.refused === undefined && (
                <RowButton
                  icon={<Pencil aria-hidden="true" />}
                  action={{ title: `Edit ${user.name}`, run: () => setEdited(user) }}
                >
                  Edit
                </RowButton>
              )}
              <RowMenuButton title={user.name} />
            </>
          )),
        ]}
        empty={<p>Invite the first one: the link that you get lets them choose a password.</p>}
      />
      {edited !== undefined && (
        <UserDialog
          user={edited}
          people={people}
          onCancel={() => setEdited(undefined)}
          onDone={user => {
            setEdited(undefined);
            setTouched(before => [user.name, ...before.filter(name => name !== user.name)]);
            if (edited !== null) page.notify(`${user.name} now holds ${user.roles.join(', ')}`);
            // The answer says what went wrong: the user is there all the same, and the row's menu makes another link.
            else page.run('users.link', { user: choiceOf(nouns.user.thing(user)) });
          }}
        />
      )}
    </>
  );
}
