import { useMemo, useState } from 'react';
import { type AccessAction, listReachers, type Reacher } from '../../../contract/rights.ts';
import { nouns } from '../../../features/nouns.ts';
import { reachable } from '../../../features/reach.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { PagedList } from '../PagedList.tsx';
import { LinkTo, usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';
import { givenColumns, givenText } from './given.tsx';

/** Everybody who may reach one server, database, cluster, desktop or application, as whom, and by which roles. */
export function Reachers({ action, target }: { readonly action: AccessAction; readonly target: string }) {
  const { api, clusterId } = usePage();
  const [title, setTitle] = useState(target);
  const { noun } = reachable[action];
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<Reacher>(
        async () => {
          const found = await api(listReachers, { params: { clusterId, action, target } });
          setTitle(found.title);
          return found.items;
        },
        {
          words: row => [row.user, ...row.principals, ...row.roles.map(({ name }) => name)].join(' '),
          sortBy: row => row.user,
        },
      ),
    [api, clusterId, action, target],
  );
  return (
    <PagedList<Reacher>
      noun="user"
      title={`Who may reach the ${nouns[noun].one} ${title}`}
      thingOf={({ user }) => ({ kind: 'user', id: user, title: user })}
      rowKey={({ user }) => user}
      fetchPage={fetchPage}
      copyOf={row => givenText(row.user, row)}
      actions={<CommandButton id="rights.why">Why…</CommandButton>}
      columns={[
        {
          key: 'name',
          title: 'User',
          sorts: true,
          mono: true,
          width: '30%',
          phone: 'first',
          draw: ({ user }) => (
            <LinkTo id="rights" query={{ user, action }} title={`What ${user} may reach`}>
              {user}
            </LinkTo>
          ),
        },
        ...givenColumns(action),
      ]}
      empty={<p>No role of anybody opens it.</p>}
    />
  );
}
