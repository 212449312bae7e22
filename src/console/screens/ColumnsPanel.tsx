import { MenuCheck, MenuNote } from '../ui/MenuItem.tsx';
import type { Column } from '../ui/table-column.ts';
import { useChoices } from './choices.ts';
import { isOptional, labelKey, toggledColumn } from './list-choices.ts';
import { usePage } from './page.tsx';

const pageRows = [
  { rows: 15, title: '15 rows on a page' },
  { rows: 50, title: '50 rows on a page' },
  { rows: 100, title: '100 rows on a page' },
  { rows: 0, title: 'Go on while scrolling' },
] as const;

/** Which columns a list has, labels among them; how many rows; how dense they are. Kept with the person's preferences. */
export function ColumnsPanel({
  list,
  columns,
  labels,
  isPaged,
}: {
  readonly list: string;
  readonly columns: readonly Pick<Column<never>, 'key' | 'title' | 'quiet'>[];
  readonly labels: readonly string[];
  readonly isPaged: boolean;
}) {
  const page = usePage();
  const { choices, choose } = useChoices();
  const chosen = choices.columns[list];
  const isOn = (key: string, isOwn: boolean): boolean => chosen?.includes(key) ?? isOwn;
  const toggle = (key: string): void =>
    choose({ columns: { ...choices.columns, [list]: [...toggledColumn(columns, chosen, key)] } });
  const names = [
    ...new Set([...labels, ...(chosen ?? []).filter(key => key.startsWith('label:')).map(key => key.slice(6))]),
  ].sort();
  return (
    <>
      <div role="menu" aria-label="Columns">
        {columns.filter(isOptional).map(column => (
          <MenuCheck key={column.key} isOn={isOn(column.key, true)} onToggle={() => toggle(column.key)}>
            {column.title}
          </MenuCheck>
        ))}
      </div>
      {names.length > 0 && (
        <>
          <MenuNote>Labels as columns</MenuNote>
          <div role="menu" aria-label="Labels as columns">
            {names.map(name => (
              <MenuCheck key={name} isOn={isOn(labelKey(name), false)} onToggle={() => toggle(labelKey(name))}>
                <code>{name}</code>
              </MenuCheck>
            ))}
          </div>
        </>
      )}
      <MenuNote>Rows</MenuNote>
      <div role="menu" aria-label="Rows">
        {isPaged &&
          pageRows.map(({ rows, title }) => (
            <MenuCheck
              key={rows}
              isOne
              isOn={choices.pageRows === rows}
              onToggle={() => {
                page.setQuery({ after: undefined, from: undefined });
                choose({ pageRows: rows });
              }}
            >
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
