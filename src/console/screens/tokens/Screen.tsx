import { KeyRound } from 'lucide-react';
import { useMemo } from 'react';
import { type JoinToken, listJoinTokens } from '../../../contract/join-tokens.ts';
import { items } from '../../../features/items.ts';
import { dateTime, untilText } from '../../../features/times.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';

const [, asColumn, usesColumn] = items.token.columns;
const labelText = ({ labels }: JoinToken): string => labels.map(({ name, value }) => `${name}=${value}`).join(' ');

/** Tokens by which machines may join, until they end, are used up or are revoked. */
export default function Tokens() {
  const { api } = usePage();
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<JoinToken>(() => api(listJoinTokens), {
        words: token => [token.name, asColumn?.of(token), labelText(token), token.createdBy].join(' '),
        sortBy: (token, key) =>
          key === 'expiry'
            ? Date.parse(token.expiry ?? '') || Number.MAX_SAFE_INTEGER
            : key === 'created'
              ? token.created
              : key === 'createdBy'
                ? token.createdBy
                : token.name,
      }),
    [api],
  );
  return (
    <PagedList<JoinToken>
      thingOf={items.token.thing}
      noun="token"
      sort={{ key: 'created', down: true }}
      fetchPage={fetchPage}
      rowKey={token => token.name}
      copyOf={token => token.name}
      actions={
        <CommandButton id="tokens.add" kind="primary" icon={<KeyRound aria-hidden="true" />}>
          Let a machine join…
        </CommandButton>
      }
      columns={[
        {
          key: 'name',
          title: 'Token',
          sorts: true,
          width: '130px',
          mono: true,
          phone: 'first',
          draw: ({ name }) => name,
        },
        { key: 'as', title: 'Lets in', width: '160px', draw: token => asColumn?.of(token) },
        { key: 'uses', title: 'Joined', width: '160px', draw: token => usesColumn?.of(token) },
        { key: 'labels', title: 'Labels', draw: token => <Pills labels={token.labels} /> },
        { key: 'createdBy', title: 'Made by', sorts: true, width: '110px', mono: true, draw: token => token.createdBy },
        {
          key: 'created',
          title: 'Made at (UTC)',
          sorts: true,
          width: '170px',
          mono: true,
          phone: 'hidden',
          draw: ({ created }) => dateTime(created),
        },
        {
          key: 'expiry',
          title: 'Ends',
          sorts: true,
          width: '110px',
          draw: ({ expiry }) =>
            expiry === null ? 'Never' : <span title={dateTime(expiry)}>In {untilText(expiry, new Date())}</span>,
        },
      ]}
      empty={
        <>
          <p>A machine joins by one line, pasted into a shell of its own: no account and no port to open.</p>
          <p>
            <ManualLink id="joinMachine" />
          </p>
        </>
      }
    />
  );
}
