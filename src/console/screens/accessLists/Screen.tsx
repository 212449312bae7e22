import { Plus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { type AccessList, listAccessLists } from '../../../contract/access-lists.ts';
import { grantsText, membershipText, reviewText } from '../../../features/access-lists.ts';
import { items } from '../../../features/items.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { useGate } from '../../palette/gate.ts';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';
import { Detail } from './Detail.tsx';
import { ListDialog } from './on-demand.ts';

/** The access lists that one is in or owns, or one of them: `/web/accesslists/NAME`. A new one is written at `?new=yes`. */
export default function AccessLists() {
  const { params } = usePage();
  return params.name === undefined ? <Lists /> : <Detail key={params.name} name={params.name} />;
}

function Lists() {
  const page = usePage();
  const { api, clusterId, onListChanged } = page;
  const [version, setVersion] = useState(0);
  useEffect(() => onListChanged('accessLists', () => setVersion(count => count + 1)), [onListChanged]);
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<AccessList>(async () => (await api(listAccessLists, { params: { clusterId } })).items, {
        words: one =>
          [
            one.title,
            one.name,
            one.description,
            grantsText(one.grants),
            ...one.owners.map(({ title }) => title),
            membershipText(one),
            reviewText(one),
          ].join(' '),
        sortBy: (one, key) =>
          key === 'review' ? one.nextReview : key === 'members' ? (one.memberCount ?? 0) : one.title.toLowerCase(),
      }),
    [api, clusterId],
  );
  const create = useGate('accessLists.create');
  return (
    <>
      <PagedList<AccessList>
        thingOf={items.accessList.thing}
        noun="accessList"
        sort={{ key: 'title', down: false }}
        fetchPage={fetchPage}
        version={version}
        rowKey={({ name }) => name}
        copyOf={({ name }) => name}
        actions={
          <CommandButton id="accessLists.create" kind="primary" icon={<Plus aria-hidden="true" />}>
            Create an access list
          </CommandButton>
        }
        columns={[
          {
            key: 'title',
            title: 'Title',
            sorts: true,
            width: '22%',
            phone: 'first',
            draw: one => <span title={one.description}>{one.title}</span>,
          },
          {
            key: 'grants',
            title: 'Grants',
            width: '18%',
            draw: one => <span title={grantsText(one.grants)}>{grantsText(one.grants)}</span>,
          },
          {
            key: 'owners',
            title: 'Owners',
            phone: 'hidden',
            draw: one => one.owners.map(({ title }) => title).join(', '),
          },
          { key: 'members', title: 'Members', sorts: true, width: '86px', draw: one => one.memberCount ?? '' },
          { key: 'membership', title: 'You', width: '96px', draw: membershipText },
          { key: 'review', title: 'Next review', sorts: true, width: '190px', phone: 'second', draw: reviewText },
        ]}
        empty={
          <>
            <p>You are in no access list and own none. A list gives its members roles, and its owners review them.</p>
            <p>
              <ManualLink id="accessLists" />
            </p>
          </>
        }
      />
      {page.query.new !== undefined && create.refused === undefined && (
        <ListDialog
          name={null}
          onCancel={() => page.setQuery({ new: undefined })}
          onDone={name => {
            page.notify(`The access list ${name} has been created`);
            page.go('accessLists', { name });
          }}
        />
      )}
    </>
  );
}
