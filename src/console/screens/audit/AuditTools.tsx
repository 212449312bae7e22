import { Download, ListFilter, Radio } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuCheck, MenuItem, MenuNote } from '../../ui/MenuItem.tsx';
import styles from './audit.module.css';
import type { ExportKind } from './export.ts';
import { auditTypes } from './query.ts';

/** Types that the menu shows at once; typing narrows them. */
const SHOWN_MOST_TYPES = 60;

/** Picks event types; each choice is a word of the filter line. */
export function TypeFilter({
  chosen,
  onToggle,
}: {
  readonly chosen: readonly string[];
  readonly onToggle: (type: string) => void;
}) {
  return (
    <Menu
      label="Event types"
      placement="bottom-end"
      kind="dialog"
      width={420}
      trigger={props => (
        <Button icon={<ListFilter aria-hidden="true" />} {...props}>
          {chosen.length === 0 ? 'Type' : `Type (${chosen.length})`}
        </Button>
      )}
    >
      {() => <TypeList chosen={chosen} onToggle={onToggle} />}
    </Menu>
  );
}

function TypeList({
  chosen,
  onToggle,
}: {
  readonly chosen: readonly string[];
  readonly onToggle: (type: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const found = [...auditTypes].filter(([type, titles]) =>
    `${type} ${titles.join(' ')}`.toLowerCase().includes(wanted),
  );
  const shown = [...found].sort(([one], [other]) => Number(chosen.includes(other)) - Number(chosen.includes(one)));
  return (
    <>
      <input
        data-menu-field
        className={styles.field}
        aria-label="Find an event type"
        placeholder="Find an event type"
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
      {found.length === 0 && <MenuNote>No event type holds this.</MenuNote>}
      {found.length > 0 && (
        <div role="menu" aria-label="Types">
          {shown.slice(0, SHOWN_MOST_TYPES).map(([type, titles]) => (
            <MenuCheck key={type} isOn={chosen.includes(type)} onToggle={() => onToggle(type)}>
              <code>{type}</code>
              <span className={styles.titles}>{titles.slice(0, 3).join(', ')}</span>
            </MenuCheck>
          ))}
        </div>
      )}
      {found.length > SHOWN_MOST_TYPES && (
        <MenuNote>{found.length - SHOWN_MOST_TYPES} more; type to narrow them.</MenuNote>
      )}
    </>
  );
}

/** Saves what the search has found as a file. */
export function ExportMenu({
  count,
  onExport,
}: {
  readonly count: number;
  readonly onExport: (kind: ExportKind) => void;
}) {
  return (
    <Menu
      label="Export"
      placement="bottom-end"
      width={280}
      trigger={props => (
        <Button icon={<Download aria-hidden="true" />} {...props}>
          Export
        </Button>
      )}
    >
      {close =>
        (['csv', 'ndjson'] as const).map(kind => (
          <MenuItem
            key={kind}
            refused={count === 0 ? 'There is nothing to export' : undefined}
            detail={`${count} event${count === 1 ? '' : 's'} of this search, at most 5000`}
            onChoose={() => {
              close();
              onExport(kind);
            }}
          >
            {kind.toUpperCase()}
          </MenuItem>
        ))
      }
    </Menu>
  );
}

/** Shows new events as they come. */
export function LiveButton({ isOn, onToggle }: { readonly isOn: boolean; readonly onToggle: () => void }) {
  return (
    <Button
      icon={<Radio aria-hidden="true" className={isOn ? styles.live : undefined} />}
      aria-pressed={isOn}
      title="Asks for new events every 2 seconds"
      onClick={onToggle}
    >
      Live
    </Button>
  );
}
