import type { AccessAction, Reached as Row } from '../../../contract/rights.ts';
import { accessActionNames, listReached } from '../../../contract/rights.ts';
import { nouns } from '../../../features/nouns.ts';
import { reachable } from '../../../features/reach.ts';
import { capital } from '../../../features/thing.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { useGate } from '../../palette/gate.ts';
import { Button } from '../../ui/Button.tsx';
import { PagedList } from '../PagedList.tsx';
import { LinkTo, usePage } from '../page.tsx';
import { givenColumns, givenText } from './given.tsx';

/** What one user may reach, kind by kind, as whom, and by which roles. */
export function Reached({ user, action }: { readonly user: string; readonly action: AccessAction }) {
  const { api, clusterId, who, setQuery } = usePage();
  const { noun } = reachable[action];
  const { many } = nouns[noun];
  const others = useGate('users.reached');
  const isSelf = user === who?.userName;
  return (
    <PagedList<Row>
      noun={noun}
      title={`What ${isSelf ? 'you' : user} may reach: ${many}`}
      thingOf={({ id, title }) => ({ kind: noun, id, title })}
      rowKey={({ id }) => id}
      fetchPage={({ limit, search, startKey, offset }) =>
        api(listReached, {
          params: { clusterId, name: user },
          query: { action, limit, ...(search && { search }), ...(startKey && { startKey }), ...(offset && { offset }) },
        })
      }
      copyOf={row => givenText(row.title, row)}
      actions={
        <>
          <CommandButton id="users.reached">Another user…</CommandButton>
          <CommandButton id="rights.why">Why…</CommandButton>
        </>
      }
      filters={
        <fieldset aria-label="Kind" style={{ display: 'contents' }}>
          {accessActionNames.map(name => (
            <Button
              key={name}
              kind={name === action ? 'secondary' : 'quiet'}
              aria-pressed={name === action}
              onClick={() => setQuery({ action: name, search: undefined, row: undefined })}
            >
              {capital(nouns[reachable[name].noun].many)}
            </Button>
          ))}
        </fieldset>
      }
      columns={[
        {
          key: 'name',
          title: 'Name',
          mono: true,
          width: '30%',
          phone: 'first',
          draw: ({ id, title }) =>
            others.refused === undefined ? (
              <LinkTo id="rights" query={{ action, target: id }} title={`Who may reach ${title}`}>
                {title}
              </LinkTo>
            ) : (
              title
            ),
        },
        ...givenColumns(action),
      ]}
      empty={<p>None of {isSelf ? 'your' : 'their'} roles opens any.</p>}
    />
  );
}
