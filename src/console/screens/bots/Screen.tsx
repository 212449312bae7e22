import { UserCog } from 'lucide-react';
import { useMemo } from 'react';
import { type Bot, listBots } from '../../../contract/bots.ts';
import { items } from '../../../features/items.ts';
import { dateTime, untilText } from '../../../features/times.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';

/** The latest of some times of a bot's machines; empty: nothing has joined. */
const latest = ({ instances }: Bot, at: 'renewed' | 'expires'): string =>
  instances
    .map(one => one[at])
    .toSorted()
    .at(-1) ?? '';
const machines = ({ instances }: Bot): string =>
  [...new Set(instances.map(({ method, remoteAddr }) => `${remoteAddr.replace(/:\d+$/, '')} (${method})`))].join(', ');

/** Users that are machines: what has joined as each, when it was last here, and how long its certificates last. */
export default function Bots() {
  const { api } = usePage();
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<Bot>(() => api(listBots), {
        words: bot => [bot.name, bot.user, ...bot.roles, machines(bot)].join(' '),
        sortBy: (bot, key) =>
          key === 'seen'
            ? latest(bot, 'renewed')
            : key === 'until'
              ? latest(bot, 'expires')
              : key === 'created'
                ? bot.created
                : bot.name,
      }),
    [api],
  );
  return (
    <PagedList<Bot>
      thingOf={items.bot.thing}
      noun="bot"
      sort={{ key: 'name', down: false }}
      fetchPage={fetchPage}
      rowKey={bot => bot.name}
      copyOf={bot => bot.user}
      actions={
        <CommandButton id="bot.add" kind="primary" icon={<UserCog aria-hidden="true" />}>
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
          draw: ({ name }) => name,
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
  );
}
