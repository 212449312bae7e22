import type { AccessAction, Giver } from '../../../contract/rights.ts';
import { reachable } from '../../../features/reach.ts';
import { Pills } from '../../ui/Pills.tsx';
import type { Column } from '../../ui/table-column.ts';
import { RoleLinks } from '../RoleLinks.tsx';

/** As whom somebody reaches something, and by which roles. */
interface Given {
  readonly principals: readonly string[];
  readonly roles: readonly Giver[];
}
export const givenColumns = (action: AccessAction): readonly Column<Given>[] => [
  {
    key: 'principals',
    title: reachable[action].principals,
    draw: ({ principals }) => <Pills labels={principals.map(value => ({ name: '', value }))} />,
  },
  {
    key: 'roles',
    title: 'By',
    width: '26%',
    phone: 'second',
    draw: ({ roles }) => <RoleLinks roles={roles} isBrief />,
  },
];
/** A row as it is copied: tabs between its columns. */
export const givenText = (title: string, { principals, roles }: Given): string =>
  [title, principals.join(','), roles.map(({ name }) => name).join(',')].join('\t');
