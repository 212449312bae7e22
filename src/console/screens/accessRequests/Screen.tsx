import { Plus, RefreshCw } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import {
  type AccessRequest,
  getAccessRequest,
  listAccessRequests,
  type RequestGrants,
} from '../../../contract/access-requests.ts';
import { items } from '../../../features/items.ts';
import { requestRank, requestState, requestWords } from '../../../features/requests.ts';
import { features } from '../../../features/table.ts';
import { dateTime, durationText } from '../../../features/times.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { messageOf } from '../../palette/run.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { useLookedAt } from '../use-looked-at.ts';
import { pagesOfWhole } from '../whole.ts';
import styles from './requests.module.css';

/**
 * One's own access requests, and those of others that one may review. The one that is looked at is in the URL, `?request=ID`, or under the
 * cursor.
 */
export default function AccessRequests() {
  const { api, clusterId, query } = usePage();
  const { version, setKnown, shown, onSelected } = useLookedAt<AccessRequest>('requests', query.request, requestRank);
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<AccessRequest>(
        async () => {
          const { items: found } = await api(listAccessRequests, { params: { clusterId } });
          setKnown(found);
          return found;
        },
        {
          words: one =>
            [one.user, requestWords(one), one.requestReason, requestState(one, new Date()), one.state, one.id].join(
              ' ',
            ),
          sortBy: (one, key) =>
            key === 'user' ? one.user : key === 'created' ? Date.parse(one.created) : requestRank(one),
        },
      ),
    [api, clusterId, setKnown],
  );
  return (
    <PagedList<AccessRequest>
      thingOf={items.request.thing}
      noun="request"
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
          <CommandButton id="goto.newRequest" kind="primary" icon={<Plus aria-hidden="true" />}>
            {features.newRequest.title}
          </CommandButton>
        </>
      }
      above={shown && <Look at={shown} version={version} />}
      columns={[
        { key: 'user', title: 'Who', sorts: true, width: '130px', phone: 'first', draw: one => one.user },
        {
          key: 'what',
          title: 'What',
          width: '26%',
          draw: one => <span title={requestWords(one)}>{requestWords(one)}</span>,
        },
        {
          key: 'reason',
          title: 'Reason',
          draw: one => <span title={one.requestReason}>{one.requestReason}</span>,
        },
        { key: 'state', title: 'State', sorts: true, width: '210px', draw: one => requestState(one, new Date()) },
        {
          key: 'created',
          title: 'Asked at (UTC)',
          sorts: true,
          width: '170px',
          mono: true,
          phone: 'hidden',
          draw: one => dateTime(one.created),
        },
      ]}
      empty={
        <>
          <p>Nobody has asked for access that you may review, and you have asked for none.</p>
          <p>
            <ManualLink id="requestAccess" />
          </p>
        </>
      }
    />
  );
}

/** One request with what it gives by name, and what can be done with it. */
function Look({ at: one, version }: { readonly at: AccessRequest; readonly version: number }) {
  const { api, clusterId, run } = usePage();
  const [grants, setGrants] = useState<RequestGrants | null>(null);
  const [error, setError] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has changed at the gateway is asked for again.
  useEffect(() => {
    let isHere = true;
    setError('');
    api(getAccessRequest, { params: { clusterId, id: one.id } }).then(
      answer => isHere && setGrants(answer.grants),
      (problem: unknown) => isHere && setError(messageOf(problem)),
    );
    return () => {
      isHere = false;
    };
  }, [api, clusterId, one.id, version]);
  const thing = items.request.thing(one);
  const given = thing === null ? {} : { request: { value: thing.id, title: thing.title, thing } };
  const things = thing === null ? [] : [thing];
  const said = one.reviews.map(
    ({ author, state, reason }) =>
      `${author} ${state === 'APPROVED' ? 'approved' : 'denied'}${reason && `: ${reason}`}`,
  );
  const act = (id: string) => ({ id, things, onRun: () => run(id, given) });
  return (
    <section className={styles.look} aria-label="The access request">
      <Facts
        rows={[
          ['Who and what', `${one.user} asks for ${requestWords(one)}, for ${durationText(one.maxDuration)}`],
          ...(one.resources.length > 0 ? [['Through', one.roles.join(', ')] as [string, string]] : []),
          ['Reason', one.requestReason || 'None was given'],
          ...Object.entries(one.annotations).map(
            ([name, values]) =>
              [name, <Pills key={name} labels={values.map(value => ({ name: '', value }))} />] as const,
          ),
          ['State', requestState(one, new Date())],
          ...(said.length > 0 ? [['Reviews', said.join('; ')] as [string, string]] : []),
          ...(one.reviewers.length > said.length
            ? [['Put before', one.reviewers.map(({ name }) => name).join(', ')] as [string, string]]
            : []),
        ]}
      />
      <h2 className={styles.heading}>{one.state === 'APPROVED' ? 'It gives' : 'It would give'}</h2>
      {error !== '' && <p className={styles.error}>{error}</p>}
      {grants === null ? error === '' && <p>What it gives is on its way…</p> : <Given grants={grants} />}
      <p className={styles.acts}>
        {one.mayReview && (
          <>
            <CommandButton {...act('requests.approve')} kind="primary">
              Approve
            </CommandButton>
            <CommandButton {...act('requests.approvePart')}>Approve a part…</CommandButton>
            <CommandButton {...act('requests.deny')}>Deny</CommandButton>
          </>
        )}
        {one.isOwn && one.state === 'APPROVED' && !one.isOver && !one.isAssumed && (
          <CommandButton {...act('requests.use')} kind="primary">
            Use
          </CommandButton>
        )}
        {one.isAssumed && <CommandButton id="requests.drop">Drop</CommandButton>}
        {one.isOwn && !one.isOver && <CommandButton {...act('requests.withdraw')}>Withdraw…</CommandButton>}
      </p>
    </section>
  );
}

/** Each thing by name, with what could be used there. */
function Given({ grants: { things, isPart, rights } }: { readonly grants: RequestGrants }) {
  if (things.length + rights.length === 0) return <p>Nothing that its person does not have already.</p>;
  return (
    <ul className={styles.given}>
      {things.map(({ kind, id, title, principals, details }) => (
        <li key={`${kind} ${id}`}>
          <code>{title}</code>
          {principals.length > 0 && <span className={styles.faint}> as {principals.join(', ')}</span>}
          {details && (
            <>
              <span className={styles.faint}>
                {[details.address, details.description].filter(text => text !== '').map(text => `, ${text}`)}
              </span>{' '}
              <Pills labels={details.labels} />
            </>
          )}
        </li>
      ))}
      {rights.map(line => (
        <li key={line}>{line}</li>
      ))}
      {isPart && <li>and more than can be named here</li>}
    </ul>
  );
}
