import { UserPlus } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { choiceOf } from '../../../../commands/answer.ts';
import { INVITE } from '../../../../commands/users.ts';
import { holds, type Lock, listLocks, lockedText } from '../../../contract/locks.ts';
import { listUsers, type User } from '../../../contract/users.ts';
import { items, userType } from '../../../features/items.ts';
import { dateTime } from '../../../features/times.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { useGate } from '../../palette/gate.ts';
import { Pills } from '../../ui/Pills.tsx';
import { LockedName } from '../LockedName.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';
import { UserDialog } from './UserDialog.tsx';

/** Everyone who may sign in. Users that were just made or changed stand first. The form that is open is in the URL: `?new=yes`, `?edit=NAME`. */
export default function Users() {
  const page = usePage();
  const { api, clusterId } = page;
  const seesLocks = page.who?.userAcl.lock.list === true;
  /** Null until they are here: the user that the address names is one of them. */
  const [people, setPeople] = useState<readonly User[] | null>(null);
  /** Those that this person may see. */
  const [locks, setLocks] = useState<readonly Lock[]>([]);
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
          // One after the other: whoever may see neither any more is told of the users, which the page is about.
          const found = await api(listUsers);
          setLocks(seesLocks ? await api(listLocks, { params: { clusterId } }) : []);
          setPeople(found);
          return found.toSorted((one, other) => placeOf(one) - placeOf(other));
        },
        {
          words: user => [user.name, ...user.roles, userType(user)].join(' '),
          sortBy: (user, key) =>
            key === 'roles'
              ? user.roles.join()
              : key === 'type'
                ? userType(user)
                : key === 'lastSignIn'
                  ? (user.lastSignIn ?? '')
                  : user.name,
        },
      ),
    [api, clusterId, seesLocks],
  );
  /** What keeps somebody out, or one of their devices. */
  const toldOf = ({ name, roles, lockedUntil }: User): readonly string[] => [
    ...(lockedUntil === undefined ? [] : [`Too many failed sign-ins: locked out until ${dateTime(lockedUntil)} UTC.`]),
    ...locks.filter(lock => holds(lock, { user: name, roles })).map(lockedText),
    ...locks
      .filter(({ owner }) => owner === name)
      .map(lock => lockedText({ ...lock, targets: { mfa_device: lock.title } })),
  ];
  return (
    <>
      <PagedList<User>
        thingOf={items.user.thing}
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
            width: '24%',
            phone: 'first',
            draw: user => <LockedName name={user.name} told={toldOf(user)} />,
          },
          {
            key: 'roles',
            title: 'Roles',
            sorts: true,
            draw: user => <Pills labels={user.roles.map(role => ({ name: '', value: role }))} />,
          },
          { key: 'type', title: 'Type', sorts: true, width: '100px', draw: userType },
          {
            key: 'lastSignIn',
            title: 'Last sign-in (UTC)',
            sorts: true,
            width: '160px',
            mono: true,
            phone: 'hidden',
            draw: ({ lastSignIn }) => (lastSignIn === undefined ? 'Never' : dateTime(lastSignIn)),
          },
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
            else page.run('users.link', { user: choiceOf(items.user.thing(user)) });
          }}
        />
      )}
    </>
  );
}
