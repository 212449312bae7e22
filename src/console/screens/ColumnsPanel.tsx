import { MenuCheck, MenuNote } from '../ui/MenuItem.tsx';
import type { Column } from '../ui/table-column.ts';
import { useChoices } from './choices.ts';
import { isOptional, labelKey, labelNames, toggledColumn } from './list-choices.ts';

const pageRows = [
  { rows: 0, title: 'Go on while scrolling' },
  { rows: 15, title: '15 rows on a page' },
  { rows: 50, title: '50 rows on a page' },
  { rows: 100, title: '100 rows on a page' },
] as const;

/** Which columns a list has, labels among them; how many rows; how dense they are. Kept with the person's preferences. */
export function ColumnsPanel({
  list,
  columns,
  atFirst,
  labels,
}: {
  readonly list: string;
  readonly columns: readonly Pick<Column<never>, 'key' | 'title' | 'quiet'>[];
  /** Keys of the columns that are shown while nobody has chosen. */
  readonly atFirst: readonly string[];
  readonly labels: readonly string[];
}) {
  const { choices, choose } = useChoices();
  const shown = choices.columns[list] ?? atFirst;
  const toggle = (key: string): void =>
    choose({ columns: { ...choices.columns, [list]: [...toggledColumn(shown, key)] } });
  const names = [...new Set([...labels, ...labelNames(shown)])].sort();
  return (
    <>
      <div role="menu" aria-label="Columns">
        {columns.filter(isOptional).map(column => (
          <MenuCheck key={column.key} isOn={shown.includes(column.key)} onToggle={() => toggle(column.key)}>
            {column.title}
          </MenuCheck>
        ))}
      </div>
      {names.length > 0 && (
        <>
          <MenuNote>Labels as columns</MenuNote>
          <div role="menu" aria-label="Labels as columns">
            {names.map(name => (
              <MenuCheck key={name} isOn={shown.includes(labelKey(name))} onToggle={() => toggle(labelKey(name))}>
                <code>{name}</code>
              </MenuCheck>
            ))}
          </div>
        </>
      )}
      <MenuNote>Rows</MenuNote>
      <div role="menu" aria-label="Rows">
        {pageRows.map(({ rows, title }) => (
          <MenuCheck key={rows} isOne isOn={choices.pageRows === rows} onToggle={() => choose({ pageRows: rows })}>
            {title}
          </MenuCheck>
        ))}
        <MenuCheck isOn={choices.dense} onToggle={() => choose({ dense: !choices.dense })}>
          Dense rows
        </MenuCheck>
      </div>
    </>
  );
}
