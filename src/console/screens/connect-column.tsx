import { Button } from '../ui/Button.tsx';
import { actionsColumn, type Column } from '../ui/table-column.ts';

/** The column whose button, and Enter on the row, shows how something is reached. */
export const connectColumn = <Row extends { readonly name: string }>(onConnect: (row: Row) => void): Column<Row> =>
  actionsColumn('112px', row => (
    <Button
      size="dense"
      tabIndex={-1}
      data-primary
      aria-label={`Connect to ${row.name}`}
      onClick={() => onConnect(row)}
    >
      Connect
    </Button>
  ));
