import { useCallback, useEffect, useState } from 'react';
import { type AccessListMember, getAccessList, type WholeAccessList } from '../../../contract/access-lists.ts';
import { grantsText, membershipText, reviewText } from '../../../features/access-lists.ts';
import { items } from '../../../features/items.ts';
import { features } from '../../../features/table.ts';
import { dateTime, shortDay } from '../../../features/times.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { messageOf } from '../../palette/run.ts';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Table } from '../../ui/Table.tsx';
import { actionsColumn } from '../../ui/table-column.ts';
import { ListPage } from '../ListPage.tsx';
import { LinkTo, usePage } from '../page.tsx';
import styles from './access-lists.module.css';
import { memberColumns, memberKey } from './members.tsx';
import { ListDialog } from './on-demand.ts';
import { Review } from './Review.tsx';

/** One access list: what it grants, its people, and how it was reviewed. It is reviewed at `?review=yes`, and changed at `?edit=yes`. */
export function Detail({ name }: { readonly name: string }) {
  const page = usePage();
  const { api, clusterId, onListChanged, onChange, select, query } = page;
  const [list, setList] = useState<WholeAccessList | null>(null);
  const [error, setError] = useState('');
  const load = useCallback(async (): Promise<void> => {
    try {
      setList(await api(getAccessList, { params: { clusterId, name } }));
      setError('');
    } catch (problem) {
      setList(null);
      setError(messageOf(problem));
    }
  }, [api, clusterId, name]);
  useEffect(() => {
    void load();
    const unwatch = [onListChanged('accessLists', () => void load()), onChange(() => void load())];
    return () => {
      for (const end of unwatch) end();
    };
  }, [load, onListChanged, onChange]);
  useEffect(() => {
    if (list !== null) select([items.accessList.thing(list)]);
  }, [list, select]);
  if (list === null)
    return (
      <ListPage title={features.accessLists.title} error={error === '' ? null : { message: error }}>
        {error === '' ? <p>The access list is on its way…</p> : <LinkTo id="accessLists">All access lists</LinkTo>}
      </ListPage>
    );
  if (query.review !== undefined && list.mayManage)
    return (
      <Review
        list={list}
        onCancel={() => page.setQuery({ review: undefined })}
        onDone={reviewed => {
          setList(reviewed);
          page.setQuery({ review: undefined });
          page.notify(`${reviewed.title} is reviewed; the next review is due on ${shortDay(reviewed.nextReview)}`);
        }}
      />
    );
  const thing = items.accessList.thing(list);
  const act = (id: string) => ({
    id,
    things: [thing],
    onRun: () => page.run(id, { list: { value: thing.id, title: thing.title, thing } }),
  });
  const due = list.isOverdue || list.isDue;
  return (
    <ListPage
      title={list.title}
      actions={
        <>
          {list.mayManage && (
            <>
              <CommandButton {...act('accessLists.review')} kind={due ? 'primary' : 'secondary'}>
                Review…
              </CommandButton>
              <CommandButton {...act('accessLists.addMember')} kind={due ? 'secondary' : 'primary'}>
                Add a member…
              </CommandButton>
            </>
          )}
          {list.mayEdit && <CommandButton {...act('accessLists.edit')}>Edit…</CommandButton>}
          {list.mayDelete && <CommandButton {...act('accessLists.delete')}>Delete…</CommandButton>}
        </>
      }
    >
      <section className={styles.about} aria-label="The access list">
        <Facts rows={factsOf(list)} />
      </section>
      {query.edit !== undefined && list.mayEdit && (
        <ListDialog
          name={list.name}
          onCancel={() => page.setQuery({ edit: undefined })}
          onDone={() => {
            page.setQuery({ edit: undefined });
            page.notify(`${list.title} has been saved`);
            void load();
          }}
        />
      )}
      {list.memberCount !== null && (
        <Members
          list={list}
          onRemove={member =>
            page.run('accessLists.removeMember', {
              list: { value: list.name, title: list.title, thing },
              member: { value: member.kind === 'list' ? `list:${member.name}` : member.name, title: member.title },
            })
          }
        />
      )}
      {list.reviews.length > 0 && (
        <section aria-labelledby="reviews-of-list">
          <h2 id="reviews-of-list" className={styles.heading}>
            Reviews
          </h2>
          <Facts
            rows={list.reviews.map(({ time, reviewer, kept, removed, notes }) => [
              dateTime(time),
              `${reviewer} kept ${kept}${removed.length > 0 ? ` and removed ${removed.join(', ')}` : ''}${notes && `: ${notes}`}`,
            ])}
          />
        </section>
      )}
    </ListPage>
  );
}

function factsOf(list: WholeAccessList): [string, string][] {
  const membership = membershipText(list);
  return [
    ['Name', list.name],
    ...(list.description === '' ? [] : [['For', list.description] as [string, string]]),
    ['Grants', grantsText(list.grants)],
    [
      'Owners',
      list.owners
        .map(
          ({ title, kind, description, ineligible }) =>
            `${kind === 'list' ? `members of ${title}` : title}${description && ` (${description})`}${ineligible && ` – no owner now: ${ineligible}`}`,
        )
        .join(', '),
    ],
    ['Members must have', grantsText(list.membershipRequires) || 'Nothing in particular'],
    ['Owners must have', grantsText(list.ownershipRequires) || 'Nothing in particular'],
    ['Next review', `${reviewText(list)}, then every ${list.frequency.replace(/^1 /, '')} on day ${list.dayOfMonth}`],
    ...(membership === '' ? [] : [['You', membership] as [string, string]]),
  ];
}

/** Who is in it directly; Enter, or the row's button, takes one out. */
function Members({
  list,
  onRemove,
}: {
  readonly list: WholeAccessList;
  readonly onRemove: (member: AccessListMember) => void;
}) {
  const columns = [
    ...memberColumns,
    ...(list.mayManage
      ? [
          actionsColumn<AccessListMember>('110px', member => (
            <Button
              kind="quiet"
              size="dense"
              tabIndex={-1}
              aria-label={`Remove ${member.title}`}
              onClick={() => onRemove(member)}
            >
              Remove…
            </Button>
          )),
        ]
      : []),
  ];
  return (
    <section aria-labelledby="members-of-list">
      <h2 id="members-of-list" className={styles.heading}>
        Members
      </h2>
      <Table<AccessListMember>
        label={`Members of ${list.title}`}
        columns={columns}
        rows={list.members}
        rowKey={memberKey}
        empty="Nobody is in it yet."
        onOpen={member => {
          if (list.mayManage) onRemove(member);
          return list.mayManage;
        }}
      />
    </section>
  );
}
