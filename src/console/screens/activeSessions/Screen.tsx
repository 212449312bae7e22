import { RefreshCw } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { type ListedSession, listSessions } from '../../../contract/live-sessions.ts';
import { items } from '../../../features/items.ts';
import { dateTime, durationText } from '../../../features/times.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Copyable } from '../Copyable.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';

const nameOf = (session: ListedSession): string => items.session.thing(session).title;
const usersOf = (session: ListedSession): string =>
  [
    ...new Set(
      session.parties.map(({ user, impersonator }) =>
        impersonator === undefined ? user : `${user} (${impersonator} acts as them)`,
      ),
    ),
  ].join(', ');
const age = (session: ListedSession): number => Date.now() - Date.parse(session.created);

/** Running sessions that this person owns or may join, and those that wait for somebody. Who comes and goes is seen at once. */
export default function ActiveSessions() {
  const { api, clusterId, onListChanged } = usePage();
  const [version, setVersion] = useState(0);
  useEffect(() => onListChanged('sessions', () => setVersion(count => count + 1)), [onListChanged]);
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
            session.agent,
            session.agent_reason,
            session.cluster_name,
            session.command || session.last_command,
          ].join(' '),
        sortBy: (session, key) => (key === 'duration' ? age(session) : key === 'kind' ? session.kind : nameOf(session)),
      }),
    [api, clusterId],
  );
  return (
    <PagedList<ListedSession>
      thingOf={items.session.thing}
      noun="session"
      sort={{ key: 'duration', down: false }}
      fetchPage={fetchPage}
      version={version}
      rowKey={session => session.id}
      actions={
        <CommandButton id="list.reload" icon={<RefreshCw aria-hidden="true" />}>
          Refresh
        </CommandButton>
      }
      columns={[
        { key: 'kind', title: 'Type', sorts: true, width: '70px', phone: 'hidden', draw: session => session.kind },
        { key: 'name', title: 'Name', sorts: true, mono: true, width: '18%', phone: 'first', draw: nameOf },
        {
          key: 'id',
          title: 'Session ID',
          mono: true,
          phone: 'hidden',
          draw: session => <Copyable label="the session id" text={session.id} />,
        },
        {
          key: 'owner',
          title: 'Owner',
          width: '11%',
          draw: session =>
            session.agent === '' ? (
              session.owner
            ) : (
              <span title={session.agent_reason}>
                {session.owner} (agent {session.agent})
              </span>
            ),
        },
        { key: 'users', title: 'Users', width: '11%', draw: usersOf },
        {
          key: 'modes',
          title: 'You may join as',
          width: '19%',
          phone: 'hidden',
          draw: session => session.participantModes.join(', ') || 'not at all',
        },
        {
          key: 'command',
          title: 'Last command',
          mono: true,
          width: '16%',
          draw: session => session.command || session.last_command,
        },
        { key: 'state', title: 'State', width: '90px', phone: 'hidden', draw: session => session.state },
        {
          key: 'duration',
          title: 'Duration',
          sorts: true,
          width: '100px',
          draw: session => <Age session={session} />,
        },
      ]}
      empty={
        <>
          <p>Sessions show up here while someone works in them.</p>
          <p>
            <ManualLink id="joinSession" />
          </p>
        </>
      }
    />
  );
}

/** How often a duration on screen is counted on, ms. */
const COUNT_EVERY_MS = 1000;

/** How long a session has been running, counted on while it is on screen; since when it says to whoever points at it. */
function Age({ session }: { readonly session: ListedSession }) {
  const [, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), COUNT_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={session.created} title={`Since ${dateTime(session.created)} (UTC)`}>
      {durationText(age(session))}
    </time>
  );
}
