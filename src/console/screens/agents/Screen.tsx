import { Check, Plus, RefreshCw } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { type Agent, listAgents } from '../../../contract/agents.ts';
import { listReviews, type WaitingStatement } from '../../../contract/reviews.ts';
import { agentRank, agentRights, agentState } from '../../../features/agents.ts';
import { items } from '../../../features/items.ts';
import { dateTime } from '../../../features/times.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { useLookedAt } from '../use-looked-at.ts';
import { pagesOfWhole } from '../whole.ts';
import styles from './agents.module.css';

const callsLeft = ({ calls, used }: Agent): number => Math.max(0, calls - used);

/**
 * One's own agents, and everybody's for whoever may lock people; above them what they ask of this person. The one that is looked at is in the
 * URL, `?agent=ID`, or under the cursor.
 */
export default function Agents() {
  const { api, clusterId, query } = usePage();
  const { version, setKnown, shown, onSelected } = useLookedAt<Agent>('agents', query.agent, agentRank);
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<Agent>(
        async () => {
          const { items: found } = await api(listAgents, { params: { clusterId } });
          setKnown(found);
          return found;
        },
        {
          words: one =>
            [one.name, one.owner, agentRights(one), one.state, one.lastCall?.reason ?? '', one.id].join(' '),
          sortBy: (one, key) => {
            if (key === 'name') return one.name;
            if (key === 'owner') return one.owner;
            if (key === 'left') return callsLeft(one);
            return key === 'last' ? (one.lastCall?.at ?? '') : agentRank(one);
          },
        },
      ),
    [api, clusterId, setKnown],
  );
  return (
    <PagedList<Agent>
      thingOf={items.agent.thing}
      noun="agent"
      sort={{ key: 'state', down: false }}
      fetchPage={fetchPage}
      version={version}
      rowKey={({ id }) => id}
      copyOf={({ id }) => id}
      onSelected={onSelected}
      actions={
        <>
          <CommandButton id="list.reload" icon={<RefreshCw aria-hidden="true" />}>
            Refresh
          </CommandButton>
          <CommandButton id="agent.add" kind="primary" icon={<Plus aria-hidden="true" />}>
            Delegate an agent…
          </CommandButton>
        </>
      }
      above={
        <>
          <Asked />
          {shown && <Look at={shown} />}
        </>
      }
      columns={[
        { key: 'name', title: 'Agent', sorts: true, mono: true, width: '16%', phone: 'first', draw: one => one.name },
        { key: 'owner', title: 'Of', sorts: true, width: '10%', draw: one => one.owner },
        {
          key: 'rights',
          title: 'Works with',
          phone: 'hidden',
          draw: one => <span title={agentRights(one)}>{agentRights(one)}</span>,
        },
        { key: 'state', title: 'State', sorts: true, width: '170px', draw: one => agentState(one, new Date()) },
        {
          key: 'left',
          title: 'Calls left',
          sorts: true,
          width: '110px',
          draw: one => `${callsLeft(one)} of ${one.calls}`,
        },
        {
          key: 'last',
          title: 'Last call (UTC)',
          sorts: true,
          width: '20%',
          phone: 'hidden',
          draw: ({ lastCall }) =>
            lastCall ? (
              <span title={lastCall.reason}>
                {dateTime(lastCall.at)} {lastCall.tool}
              </span>
            ) : (
              'None yet'
            ),
        },
      ]}
      empty={
        <>
          <p>
            An agent is a program that works in your place: with fewer rights, for a while, and every call recorded.
          </p>
          <p>
            <ManualLink id="agents" />
          </p>
        </>
      }
    />
  );
}

/** What agents of this person want to do, each with the keys that allow and refuse it. */
function Asked() {
  const { api, clusterId, onListChanged, run } = usePage();
  const [waiting, setWaiting] = useState<readonly WaitingStatement[]>([]);
  useEffect(() => {
    let isHere = true;
    const look = (): void =>
      void api(listReviews, { params: { clusterId } }).then(
        found => isHere && setWaiting(found.items.filter(({ agent, mayDecide }) => agent !== '' && mayDecide)),
        // The next change asks again.
        () => undefined,
      );
    look();
    const unwatch = onListChanged('reviews', look);
    return () => {
      isHere = false;
      unwatch();
    };
  }, [api, clusterId, onListChanged]);
  return waiting.map(one => {
    const thing = items.review.thing(one);
    const given = { review: { value: thing.id, title: thing.title, thing } };
    const act = (id: string) => ({ id, things: [thing], onRun: () => run(id, given) });
    return (
      <section key={one.id} className={`${styles.look} ${styles.asks}`} aria-label={`Agent ${one.agent} asks`}>
        <h2 className={styles.heading}>
          Agent {one.agent} of {one.user} asks
        </h2>
        <pre className={styles.text}>{one.text}</pre>
        <Facts
          rows={[
            ['Where', `as ${one.dbUser} on ${[one.database, one.dbName].filter(part => part !== '').join('/')}`],
            ['Its reason', one.agentReason],
          ]}
        />
        <p className={styles.acts}>
          <CommandButton {...act('reviews.allow')} kind="primary" icon={<Check aria-hidden="true" />}>
            Allow once
          </CommandButton>
          <CommandButton {...act('reviews.refuse')}>Refuse</CommandButton>
        </p>
      </section>
    );
  });
}

/** One agent with what it was given, and what can be done with it. */
function Look({ at: one }: { readonly at: Agent }) {
  const { run } = usePage();
  const thing = items.agent.thing(one);
  const given = { agent: { value: thing.id, title: thing.title, thing } };
  const act = (id: string) => ({ id, things: [thing], onRun: () => run(id, given) });
  return (
    <section className={styles.look} aria-label="The agent">
      <Facts
        rows={[
          ['Agent', `${one.name} of ${one.owner}`],
          ['Works with', agentRights(one)],
          [
            'State',
            `${agentState(one, new Date())}; until ${dateTime(one.until)} UTC; ${one.used} of ${one.calls} calls made`,
          ],
          ...(one.lastCall
            ? [['Last call', `${dateTime(one.lastCall.at)} UTC, ${one.lastCall.tool}: ${one.lastCall.reason}`] as const]
            : []),
        ]}
      />
      <p className={styles.acts}>
        {one.state !== 'stopped' && <CommandButton {...act('agent.stop')}>Stop</CommandButton>}
        {one.isOwn && <CommandButton {...act('agent.renew')}>Renew…</CommandButton>}
        <CommandButton {...act('agent.remove')}>Delete…</CommandButton>
      </p>
    </section>
  );
}
