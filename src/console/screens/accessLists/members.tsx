// Members of an access list as rows: on its page and in its review.
import type { AccessListMember } from '../../../contract/access-lists.ts';
import { dateTime } from '../../../features/times.ts';
import type { Column } from '../../ui/Table.tsx';
import styles from './access-lists.module.css';

export const memberColumns: readonly Column<AccessListMember>[] = [
  {
    key: 'name',
    title: 'Member',
    width: '20%',
    phone: 'first',
    draw: ({ kind, title }) => (kind === 'list' ? `Members of ${title}` : title),
  },
  {
    key: 'why',
    title: 'Gets it',
    width: '20%',
    phone: 'second',
    draw: ({ ineligible }) => (ineligible === '' ? 'Yes' : <span className={styles.ineligible}>No: {ineligible}</span>),
  },
  {
    key: 'expires',
    title: 'Until',
    width: '150px',
    phone: 'hidden',
    draw: ({ expires }) => (expires === '' ? 'Lasts' : dateTime(expires)),
  },
  { key: 'reason', title: 'Reason', draw: ({ reason }) => <span title={reason}>{reason}</span> },
  {
    key: 'added',
    title: 'Added by',
    width: '16%',
    phone: 'hidden',
    draw: ({ addedBy, joined }) => `${addedBy}, ${joined.slice(0, 10)}`,
  },
];
export const memberKey = ({ kind, name }: AccessListMember): string => `${kind} ${name}`;
