import { LockKeyhole } from 'lucide-react';
import { useMemo, useState } from 'react';
import { lockedThing, lockTargets, targetOf } from '../../../contract/lock-words.ts';
import { isInForce, type Lock, listLocks } from '../../../contract/locks.ts';
import { items } from '../../../features/items.ts';
import { features } from '../../../features/table.ts';
import { dateTime, untilText } from '../../../features/times.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { useNamed } from '../use-named.ts';
import { pagesOfWhole } from '../whole.ts';
import { LockDialog } from './LockDialog.tsx';

/** Until when, and how long that still is. */
const endOf = ({ expires }: Lock, now: Date): string =>
  expires === ''
    ? 'Never'
    : isInForce({ expires }, now)
      ? `In ${untilText(expires, now)}`
      : `Expired ${dateTime(expires)}`;

/** Whoever and whatever is held back now. The lock that is shown whole is in the URL: `?lock=ID`. */
export default function Locks() {
  const { api, clusterId } = usePage();
  const [known, setKnown] = useState<readonly Lock[]>([]);
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<Lock>(
        async () => {
          const found = await api(listLocks, { params: { clusterId } });
          setKnown(found);
          return found;
        },
        {
          words: lock => [lockedThing(lock), targetOf(lock)[1], lock.message, lock.createdBy, lock.name].join(' '),
          sortBy: (lock, key) =>
            key === 'created'
              ? lock.createdAt
              : key === 'expires'
                ? Date.parse(lock.expires) || Number.MAX_SAFE_INTEGER
                : key === 'by'
                  ? lock.createdBy
                  : key === 'message'
                    ? lock.message
                    : lockedThing(lock),
        },
      ),
    [api, clusterId],
  );
  const find = (id: string, among: readonly Lock[]): Lock | undefined => among.find(({ name }) => name === id);
  const { item, close } = useNamed<Lock>({
    part: 'lock',
    one: 'lock in force',
    known: id => find(id, known),
    ask: async id => find(id, await api(listLocks, { params: { clusterId } })),
  });
  return (
    <>
      <PagedList<Lock>
        thingOf={items.lock.thing}
        noun="lock"
        sort={{ key: 'created', down: true }}
        fetchPage={fetchPage}
        rowKey={lock => lock.name}
        copyOf={lock => lock.name}
        actions={
          <CommandButton id="goto.newLock" kind="primary" icon={<LockKeyhole aria-hidden="true" />}>
            {features.newLock.title}
          </CommandButton>
        }
        columns={[
          {
            key: 'target',
            title: 'Locked',
            sorts: true,
            width: '20%',
            phone: 'first',
            draw: lock => (
              <span title={targetOf(lock)[1]}>
                {lockTargets[targetOf(lock)[0]]} <code>{lock.title || targetOf(lock)[1]}</code>
              </span>
            ),
          },
          {
            key: 'message',
            title: 'Message',
            sorts: true,
            draw: ({ message }) => <span title={message}>{message}</span>,
          },
          { key: 'by', title: 'Made by', sorts: true, width: '110px', mono: true, draw: lock => lock.createdBy },
          {
            key: 'created',
            title: 'Made at (UTC)',
            sorts: true,
            width: '170px',
            mono: true,
            phone: 'hidden',
            draw: lock => dateTime(lock.createdAt),
          },
          {
            key: 'expires',
            title: 'Ends',
            sorts: true,
            width: '110px',
            draw: lock => <span title={lock.expires && dateTime(lock.expires)}>{endOf(lock, new Date())}</span>,
          },
        ]}
        empty={
          <>
            <p>
              A lock holds back a user, a role, a login, a server, a desktop or a device at once, wherever it is used.
            </p>
            <p>
              <ManualLink id="lock" />
            </p>
          </>
        }
      />
      {item !== null && <LockDialog lock={item} ends={endOf(item, new Date())} onClose={close} />}
    </>
  );
}
