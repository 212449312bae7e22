import { useId, useState } from 'react';
import { type AccessListMember, reviewAccessList, type WholeAccessList } from '../../../contract/access-lists.ts';
import { grantsText } from '../../../features/access-lists.ts';
import { messageOf } from '../../palette/run.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { actionsColumn } from '../../ui/table-column.ts';
import { ListPage } from '../ListPage.tsx';
import { useGuard, usePage } from '../page.tsx';
import styles from './access-lists.module.css';
import { memberColumns, memberKey } from './members.tsx';

/** A review: Enter on a member takes them out or keeps them after all, and one button sends it. Those whom it gives nothing come first. */
export function Review({
  list,
  onDone,
  onCancel,
}: {
  readonly list: WholeAccessList;
  readonly onDone: (list: WholeAccessList) => void;
  readonly onCancel: () => void;
}) {
  const { api, clusterId } = usePage();
  const id = useId();
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [notes, setNotes] = useState('');
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  useGuard(removed.size > 0 && !isBusy, 'What you decided is not sent yet.');
  const isOut = (member: AccessListMember): boolean => removed.has(memberKey(member));
  const toggle = (member: AccessListMember): void =>
    setRemoved(before => {
      const after = new Set(before);
      if (!after.delete(memberKey(member))) after.add(memberKey(member));
      return after;
    });
  const out = list.members.filter(isOut);
  const submit = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      onDone(
        await api(reviewAccessList, {
          params: { clusterId, name: list.name },
          body: { notes: notes.trim(), remove: out.map(({ kind, name }) => ({ kind, name })) },
        }),
      );
    } catch (problem) {
      setError(messageOf(problem));
      setBusy(false);
    }
  };
  const rows = [...list.members].sort((one, other) => Number(one.ineligible === '') - Number(other.ineligible === ''));
  const columns: readonly Column<AccessListMember>[] = [
    {
      key: 'decision',
      title: 'Decision',
      width: '110px',
      draw: member => (isOut(member) ? <span className={styles.out}>Remove</span> : 'Keep'),
    },
    ...memberColumns,
    actionsColumn('110px', member => (
      <Button
        kind="quiet"
        size="dense"
        tabIndex={-1}
        aria-label={`${isOut(member) ? 'Keep' : 'Remove'} ${member.title}`}
        onClick={() => toggle(member)}
      >
        {isOut(member) ? 'Keep' : 'Remove'}
      </Button>
    )),
  ];
  return (
    <ListPage title={`Review of ${list.title}`}>
      <p className={styles.lead}>
        It grants {grantsText(list.grants)}. Move with the arrows; Enter takes a member out, or keeps them after all.
      </p>
      {error !== '' && <Alert>{error}</Alert>}
      <Table<AccessListMember>
        label={`Members of ${list.title} to keep or remove`}
        columns={columns}
        rows={rows}
        rowKey={memberKey}
        empty="Nobody is in it."
        onOpen={member => {
          toggle(member);
          return true;
        }}
      />
      <form
        id={id}
        className={styles.bar}
        onSubmit={event => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className={styles.notes}>
          <Field
            label="Notes"
            tip="Kept with the review; may stay empty"
            maxLength={1000}
            value={notes}
            onChange={event => setNotes(event.target.value)}
          />
        </div>
        <span role="status">
          {list.members.length - out.length} stay, {out.length} {out.length === 1 ? 'goes' : 'go'}
        </span>
        <Button onClick={onCancel}>Back</Button>
        <Button kind="primary" type="submit" disabled={isBusy}>
          Submit the review
        </Button>
      </form>
    </ListPage>
  );
}
