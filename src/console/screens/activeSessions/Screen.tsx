import { Eye, RefreshCw, ShieldAlert, SquareTerminal, Users } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { type ListedSession, listSessions, type Mode } from '../../../contract/live-sessions.ts';
import { nouns } from '../../../features/nouns.ts';
import { durationText } from '../../../features/times.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu, type MenuHandle } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { useRowAction } from '../../ui/row-action.ts';
import { actionsColumn } from '../../ui/table-column.ts';
import { Copyable } from '../Copyable.tsx';
import { PagedList } from '../PagedList.tsx';
import { LinkTo, usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';

const nameOf = (session: ListedSession): string => nouns.session.thing(session).title;
const usersOf = (session: ListedSession): string => [...new Set(session.parties.map(party => party.user))].join(', ');
const age = (session: ListedSession): number => Date.now() - Date.parse(session.created);

/** Running sessions that this person owns or may join. The list is asked when the page opens and on Refresh. */
export default function ActiveSessions() {
  const { api, clusterId } = usePage();
  const [refreshed, setRefreshed] = useState(0);
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<ListedSession>(async () => (await api(listSessions, { params: { clusterId } })).sessions, {
        words: session =>
          [
            nameOf(session),
            session.id,
            usersOf(session),
            session.server_addr,
            session.server_id,
            session.login,
            session.cluster_name,
          ].join(' '),
        sortBy: (session, key) => (key === 'duration' ? age(session) : key === 'kind' ? session.kind : nameOf(session)),
      }),
    [api, clusterId],
  );
  return (
    <PagedList<ListedSession>
      title="Active Sessions"
      noun="active session"
      sort={{ key: 'duration', down: false }}
      fetchPage={fetchPage}
      version={refreshed}
      rowKey={session => session.id}
      thingOf={nouns.session.thing}
      opens="session.join"
      actions={
        <Button icon={<RefreshCw aria-hidden="true" />} onClick={() => setRefreshed(times => times + 1)}>
          Refresh
        </Button>
      }
      columns={[
        { key: 'kind', title: 'Type', sorts: true, width: '80px', phone: 'hidden', draw: session => session.kind },
        { key: 'name', title: 'Name', sorts: true, mono: true, width: '26%', phone: 'first', draw: nameOf },
        {
          key: 'id',
          title: 'Session ID',
          mono: true,
          phone: 'hidden',
          draw: session => <Copyable label="the session id" text={session.id} />,
        },
        { key: 'users', title: 'Users', width: '20%', draw: usersOf },
        {
          key: 'duration',
          title: 'Duration',
          sorts: true,
          width: '110px',
          draw: session => durationText(age(session)),
        },
        actionsColumn('90px', session => <Join session={session} />),
      ]}
      empty={
        <>
          <p>Sessions show up here while someone works in them.</p>
          <p>
            <LinkTo id="manual" params={{ chapter: 'sessions' }} query={{ section: 'join-one' }}>
              How one is joined
            </LinkTo>
          </p>
        </>
      }
    />
  );
}

const ways: readonly {
  readonly mode: Mode;
  readonly title: string;
  readonly detail: string;
  readonly icon: React.ReactNode;
}[] = [
  { mode: 'observer', title: 'As an observer', detail: 'Watch only', icon: <Eye aria-hidden="true" /> },
  {
    mode: 'moderator',
    title: 'As a moderator',
    detail: 'Watch, and end the session when needed',
    icon: <ShieldAlert aria-hidden="true" />,
  },
  { mode: 'peer', title: 'As a peer', detail: 'Watch and type', icon: <Users aria-hidden="true" /> },
];

function Join({ session }: { readonly session: ListedSession }) {
  const page = usePage();
  const menu = useRef<MenuHandle>(null);
  const title = nameOf(session);
  const canBeJoined = session.kind === 'ssh';
  useRowAction(canBeJoined ? { title: `Join ${title}`, run: () => menu.current?.toggle() } : null);
  if (!canBeJoined) return null;
  return (
    <Menu
      ref={menu}
      label={`Join ${title}`}
      placement="bottom-end"
      width={264}
      trigger={props => (
        <Button
          size="dense"
          tabIndex={-1}
          icon={<SquareTerminal aria-hidden="true" />}
          aria-label={`Join ${title}`}
          {...props}
        >
          Join
        </Button>
      )}
    >
      {close =>
        ways.map(({ mode, title: way, detail, icon }) => (
          <MenuItem
            key={mode}
            icon={icon}
            detail={detail}
            refused={
              session.participantModes.includes(mode)
                ? undefined
                : `None of your roles lets you join ${way.toLowerCase()}`
            }
            onChoose={() => {
              close();
              page.terminal?.join({ sid: session.id, title, mode });
            }}
          >
            {way}
          </MenuItem>
        ))
      }
    </Menu>
  );
}
