import { type KeyboardEvent, type MouseEvent, memo } from 'react';
import { joined } from './joined.ts';
import styles from './table.module.css';
import type { Column } from './table-column.ts';

export interface RowEvents {
  readonly focus: (id: string) => void;
  readonly keyDown: (event: KeyboardEvent<HTMLTableRowElement>, index: number) => void;
  readonly click: (event: MouseEvent<HTMLTableRowElement>, index: number) => void;
  /** The right button, a long touch, or the keyboard's own key for menus. */
  readonly menu: (event: MouseEvent<HTMLTableRowElement>, index: number) => void;
}

export interface TableRowProps<Row> {
  readonly row: Row;
  readonly id: string;
  readonly index: number;
  /** 1-based among all rows there are, the heading being the first. */
  readonly place: number;
  readonly columns: readonly Column<Row>[];
  readonly isCurrent: boolean;
  readonly isTabbed: boolean;
  /** Undefined where nothing can be marked. */
  readonly isMarked: boolean | undefined;
  readonly events: RowEvents;
}

function PlainRow<Row>({ row, id, index, place, columns, isCurrent, isTabbed, isMarked, events }: TableRowProps<Row>) {
  return (
    <tr
      tabIndex={isTabbed ? 0 : -1}
      aria-rowindex={place}
      aria-selected={isMarked}
      className={joined(isCurrent && styles.current, isMarked && styles.marked)}
      onFocus={() => events.focus(id)}
      onKeyDown={event => events.keyDown(event, index)}
      onClick={event => events.click(event, index)}
      onContextMenu={event => events.menu(event, index)}
    >
      {columns.map((column, at) => (
        // biome-ignore lint/a11y: cells of a grid; the row takes the focus, as the pattern allows.
        <td
          key={column.key}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: cells of a grid.
          role="gridcell"
          aria-colindex={at + 1}
          data-phone={column.phone ?? 'second'}
          data-title={column.isNamed ? column.title : undefined}
          className={joined(column.mono && styles.mono, column.quiet && styles.actions)}
        >
          {column.draw(row)}
        </td>
      ))}
    </tr>
  );
}

/** One row; drawn anew only when something of its own has changed. */
export const TableRow = memo(PlainRow) as typeof PlainRow;
