import { UserPlus } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { choiceOf } from '../../../../commands/answer.ts';
import { INVITE } from '../../../../commands/users.ts';
import { listUsers, type User } from '../../../contract/users.ts';
import { nouns, signInKinds } from '../../../features/nouns.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { useGate } from '../../palette/gate.ts';
import { Pills } from '../../ui/Pills.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';
import { UserDialog } from './UserDialog.tsx';

/** Everyone who may sign in. Users that were just made or changed stand first. The form that is open is in the URL: `?new=yes`, `?edit=NAME`. */
export default function Users() {
  const page = usePage();
  const { api } = page;
  /** Null until they are here: the user that the address names is one of them. */
  const [people, setPeople] = useState<readonly User[] | null>(null);
  const [touched, setTouched] = useState<readonly string[]>([]);
  const create = useGate('users.create');
  const edit = useGate('users.open');
  const edited =
    edit.refused === undefined
      ? people?.find(user => user.name === page.query.edit && user.authType === 'local')
      : undefined;
  const isNew = page.query.new !== undefined && create.refused === undefined;
  const isMissing = people !== null && page.query.edit !== undefined && edited === undefined;
  const close = (): void => page.setQuery({ new: undefined, edit: undefined });
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
        noun="user"
        fetchPage={fetchPage}
        version={touched}
        rowKey={user => user.name}
        source={
          isMissing
            ? { status: 'success', error: { message: `There is no user ${page.query.edit} to edit` } }
            : undefined
        }
        actions={
          <CommandButton id="users.create" kind="primary" icon={<UserPlus aria-hidden="true" />}>
            {INVITE}…
          </CommandButton>
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
        ]}
        empty={<p>Invite the first one: the link that you get lets them choose a password.</p>}
      />
      {(isNew || edited !== undefined) && (
        <UserDialog
          key={edited?.name ?? ''}
          user={edited ?? null}
          people={people ?? []}
          onCancel={close}
          onDone={user => {
            close();
            setTouched(before => [user.name, ...before.filter(name => name !== user.name)]);
            if (edited !== undefined) page.notify(`${user.name} now holds ${user.roles.join(', ')}`);
            // The answer says what went wrong: the user is there all the same, and the row's menu makes another link.
            else page.run('users.link', { user: choiceOf(nouns.user.thing(user)) });
          }}
        />
      )}
    </>
  );
}
