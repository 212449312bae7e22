import { RowButton } from '../ui/RowButton.tsx';
import { actionsColumn, type Column } from '../ui/table-column.ts';

/** The column whose button, and Enter on the row, shows how something is reached. */
export const connectColumn = <Row extends { readonly name: string }>(onConnect: (row: Row) => void): Column<Row> =>
  actionsColumn('112px', row => (
    <RowButton action={{ title: `Connect to ${row.name}`, run: () => onConnect(row) }}>Connect</RowButton>
  ));
