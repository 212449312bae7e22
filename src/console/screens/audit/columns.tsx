import { codeDescription } from '../../../contract/audit-codes.ts';
import { describe } from '../../../contract/audit-text.ts';
import { dateTime } from '../../../features/times.ts';
import { Pills } from '../../ui/Pills.tsx';
import type { Column } from '../../ui/Table.tsx';
import styles from './audit.module.css';
import { type Folded, foldText } from './fold.ts';
import { iconOfCode } from './group-icons.ts';

/** The columns of the audit log; a click on a user narrows the list to them. */
export function columnsOf(onUser: (name: string) => void): readonly Column<Folded>[] {
  return [
    {
      key: 'type',
      title: 'Type',
      sorts: true,
      width: '20%',
      phone: 'first',
      draw: row => <Type row={row} />,
    },
    {
      key: 'description',
      title: 'Description',
      phone: 'rest',
      draw: ({ event, events }) => {
        const text = events.length === 0 ? describe(event) : foldText(events);
        return (
          <span className={styles.description} title={text}>
            {text}
          </span>
        );
      },
    },
    {
      key: 'user',
      title: 'User',
      sorts: true,
      width: '14%',
      phone: 'hidden',
      draw: ({ event }) =>
        event.user === undefined || event.user === '' ? (
          ''
        ) : (
          <Pills labels={[{ name: '', value: event.user }]} onPick={({ value }) => onUser(value)} />
        ),
    },
    {
      key: 'created',
      title: 'Created (UTC)',
      sorts: true,
      mono: true,
      width: '176px',
      draw: ({ event }) => dateTime(event.time),
    },
  ];
}

function Type({ row: { event, events } }: { readonly row: Folded }) {
  const { Icon, severity, label } = iconOfCode(event.code);
  return (
    <span className={styles.type}>
      <Icon className={styles[severity]} aria-label={label} role="img" />
      <span className={styles.title}>
        {events.length === 0 ? codeDescription(event.code) : `${events.length} of one session`}
      </span>
    </span>
  );
}
