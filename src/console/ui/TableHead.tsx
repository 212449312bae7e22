import { ArrowDown, ArrowUp } from 'lucide-react';
import styles from './table.module.css';
import { type Column, type Sort, sortedBy } from './table-column.ts';

/** The headings; those that sort are buttons. */
export function TableHead<Row>({
  columns,
  sort,
  onSort,
}: {
  readonly columns: readonly Column<Row>[];
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
}) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column, index) => (
          <th
            key={column.key}
            scope="col"
            aria-colindex={index + 1}
            data-phone={column.phone}
            style={column.width === undefined ? undefined : { width: column.width }}
            aria-sort={
              !column.sorts ? undefined : sort?.key !== column.key ? 'none' : sort.down ? 'descending' : 'ascending'
            }
          >
            {column.quiet ? (
              <span className="visually-hidden">{column.title}</span>
            ) : column.sorts && onSort ? (
              <button type="button" className={styles.sort} onClick={() => onSort(sortedBy(column.key, sort))}>
                {column.title}
                {sort?.key === column.key &&
                  (sort.down ? <ArrowDown aria-hidden="true" /> : <ArrowUp aria-hidden="true" />)}
              </button>
            ) : (
              <span title={column.title}>{column.title}</span>
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}
