import { Check, RefreshCw } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { listReviews, type WaitingStatement } from '../../../contract/reviews.ts';
import { items } from '../../../features/items.ts';
import { durationText } from '../../../features/times.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';
import styles from './reviews.module.css';

const waited = ({ since }: WaitingStatement): string => durationText(Date.now() - Date.parse(since));

/** Statements that wait because a guard asks about them. The one that is looked at is in the URL, `?review=ID`, or under the cursor. */
export default function Reviews() {
  const { api, clusterId, onListChanged, query } = usePage();
  const [version, setVersion] = useState(0);
  const [known, setKnown] = useState<readonly WaitingStatement[]>([]);
  const [chosen, setChosen] = useState('');
  useEffect(() => onListChanged('reviews', () => setVersion(count => count + 1)), [onListChanged]);
  useEffect(() => setChosen(query.review ?? ''), [query.review]);
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<WaitingStatement>(
        async () => {
          const { items: found } = await api(listReviews, { params: { clusterId } });
          setKnown(found);
          return found;
        },
        {
          words: one => [one.user, one.database, one.dbUser, one.text, one.guard, one.guardRole].join(' '),
          sortBy: (one, key) => (key === 'user' ? one.user : key === 'database' ? one.database : Date.parse(one.since)),
        },
      ),
    [api, clusterId],
  );
  const shown = known.find(({ id }) => id === chosen) ?? known[0];
  return (
    <PagedList<WaitingStatement>
      thingOf={items.review.thing}
      noun="review"
      sort={{ key: 'since', down: false }}
      fetchPage={fetchPage}
      version={version}
      rowKey={({ id }) => id}
      onSelected={rows => {
        const [first] = rows;
        if (first) setChosen(first.id);
      }}
      actions={
        <CommandButton id="list.reload" icon={<RefreshCw aria-hidden="true" />}>
          Refresh
        </CommandButton>
      }
      above={shown && <Look at={shown} />}
      columns={[
        { key: 'user', title: 'Who', sorts: true, width: '120px', phone: 'first', draw: one => one.user },
        { key: 'text', title: 'Statement', mono: true, draw: one => <span title={one.text}>{one.text}</span> },
        {
          key: 'database',
          title: 'Where',
          sorts: true,
          width: '16%',
          mono: true,
          draw: one => `${one.dbUser}@${one.database}`,
        },
        { key: 'guard', title: 'Guard', width: '14%', phone: 'hidden', draw: one => one.guard },
        { key: 'since', title: 'Waits', sorts: true, width: '80px', draw: waited },
      ]}
      empty={
        <>
          <p>Statements, and requests to clusters, wait here when a guard of a role asks about them.</p>
          <p>
            <ManualLink id="reviewStatements" />
          </p>
        </>
      }
    />
  );
}

/** One statement, whole, with what the guard says and how the database would go about it. */
function Look({ at: one }: { readonly at: WaitingStatement }) {
  const thing = items.review.thing(one);
  const { run } = usePage();
  const given = { review: { value: thing.id, title: thing.title, thing } };
  return (
    <section className={styles.look} aria-label="The statement">
      <pre className={styles.text}>{one.text}</pre>
      <Facts
        rows={[
          [
            'Who',
            `${one.user}, as ${one.dbUser} in ${[one.database, one.dbName].filter(part => part !== '').join('/')}`,
          ],
          ...(one.agent === '' ? [] : [['Agent', `${one.agent}: ${one.agentReason}`] as const]),
          ['Why', one.why],
        ]}
      />
      <pre className={styles.plan}>
        {one.plan || (one.noPlan === '' ? 'The plan is on its way…' : `No plan: ${one.noPlan}`)}
      </pre>
      <p className={styles.acts}>
        <CommandButton
          id="reviews.allow"
          things={[thing]}
          kind="primary"
          icon={<Check aria-hidden="true" />}
          onRun={() => run('reviews.allow', given)}
        >
          Allow once
        </CommandButton>
        <CommandButton id="reviews.allowSession" things={[thing]} onRun={() => run('reviews.allowSession', given)}>
          For the session
        </CommandButton>
        <CommandButton id="reviews.refuse" things={[thing]} onRun={() => run('reviews.refuse', given)}>
          Refuse
        </CommandButton>
      </p>
    </section>
  );
}
