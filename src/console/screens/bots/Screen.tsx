import { UserCog } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type Bot, listBots } from '../../../contract/bots.ts';
import { lockEnd, lockedThing } from '../../../contract/lock-words.ts';
import { holds, type Lock, listLocks } from '../../../contract/locks.ts';
import { items } from '../../../features/items.ts';
import { dateTime, untilText } from '../../../features/times.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { useGate } from '../../palette/gate.ts';
import { LockedName } from '../LockedName.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';
import { BotDialog } from './on-demand.ts';

/** The latest of some times of a bot's machines; empty: nothing has joined. */
const latest = ({ instances }: Bot, at: 'renewed' | 'expires'): string =>
  instances
    .map(one => one[at])
    .toSorted()
    .at(-1) ?? '';
/** What the row of a bot says of a lock that holds it. */
const botLockText = (lock: Lock): string => {
  const until = lock.expires === '' ? '' : ` until ${lockEnd(lock)}`;
  return `Locked (${lockedThing(lock)})${until}${lock.message === '' ? '.' : `: ${lock.message}`}`;
};
const machines = ({ instances }: Bot): string =>
  [...new Set(instances.map(({ method, remoteAddr }) => `${remoteAddr.replace(/:\d+$/, '')} (${method})`))].join(', ');

/**
 * Users that are machines: what has joined as each, when it was last here, how long its certificates last, and what holds it back. The form for a
 * new one is open at `?new=yes`.
 */
export default function Bots() {
  const page = usePage();
  const { api, clusterId } = page;
  const seesLocks = page.who?.userAcl.lock.list === true;
  /** Those that this person may see. */
  const [locks, setLocks] = useState<readonly Lock[]>([]);
  const [made, setMade] = useState(0);
  const create = useGate('bot.create');
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<Bot>(
        async () => {
          const found = await api(listBots);
          setLocks(seesLocks ? await api(listLocks, { params: { clusterId } }) : []);
          return found;
        },
        {
          words: bot => [bot.name, bot.user, ...bot.roles, machines(bot)].join(' '),
          sortBy: (bot, key) =>
            key === 'seen'
              ? latest(bot, 'renewed')
              : key === 'until'
                ? latest(bot, 'expires')
                : key === 'created'
                  ? bot.created
                  : bot.name,
        },
      ),
    [api, clusterId, seesLocks],
  );
  return (
    <>
      <PagedList<Bot>
        thingOf={items.bot.thing}
        noun="bot"
        sort={{ key: 'name', down: false }}
        fetchPage={fetchPage}
        version={made}
        rowKey={bot => bot.name}
        copyOf={bot => bot.user}
        actions={
          <CommandButton id="bot.create" kind="primary" icon={<UserCog aria-hidden="true" />}>
            Add a bot…
          </CommandButton>
        }
        columns={[
          {
            key: 'name',
            title: 'Bot',
            sorts: true,
            width: '160px',
            mono: true,
            phone: 'first',
            draw: bot => (
              <LockedName
                name={bot.name}
                told={locks.filter(lock => holds(lock, { user: bot.user, roles: bot.roles })).map(botLockText)}
              />
            ),
          },
          { key: 'roles', title: 'Roles', draw: ({ roles }) => roles.join(', ') },
          { key: 'machines', title: 'Machines', draw: bot => machines(bot) || 'None has joined' },
          {
            key: 'seen',
            title: 'Last seen (UTC)',
            sorts: true,
            width: '170px',
            mono: true,
            draw: bot => {
              const seen = latest(bot, 'renewed');
              return seen === '' ? '' : dateTime(seen);
            },
          },
          {
            key: 'until',
            title: 'Certificates end',
            sorts: true,
            width: '140px',
            draw: bot => {
              const until = latest(bot, 'expires');
              return until === '' ? '' : <span title={dateTime(until)}>In {untilText(until, new Date())}</span>;
            },
          },
          {
            key: 'created',
            title: 'Made at (UTC)',
            sorts: true,
            width: '170px',
            mono: true,
            phone: 'hidden',
            draw: ({ created }) => dateTime(created),
          },
        ]}
        empty={
          <>
            <p>A bot is a machine with an identity of its own: a job of a pipeline, a service, a cron job.</p>
            <p>
              <ManualLink id="addBot" />
            </p>
          </>
        }
      />
      {page.query.new !== undefined && create.refused === undefined && (
        <BotDialog onMade={() => setMade(count => count + 1)} onClose={() => page.setQuery({ new: undefined })} />
      )}
    </>
  );
}
