import { ChartBarBig, Download, ListFilter, Radio } from 'lucide-react';
import { type RefObject, useState } from 'react';
import type { AuditEvent } from '../../../contract/audit.ts';
import { auditTypes } from '../../../contract/audit-query.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { CommandItem } from '../../palette/CommandItem.tsx';
import { Button } from '../../ui/Button.tsx';
import { Menu, type MenuHandle } from '../../ui/Menu.tsx';
import { MenuField } from '../../ui/MenuField.tsx';
import { MenuCheck, MenuNote } from '../../ui/MenuItem.tsx';
import styles from './audit.module.css';
import { facetsOf } from './facets.ts';

/** Why there is no file to be made. */
export const NOTHING = 'There is nothing to export';
/** Types that the menu shows at once; typing narrows them. */
const SHOWN_MOST_TYPES = 60;

/** Picks event types; each choice is a word of the filter line. */
export function TypeFilter({
  chosen,
  onToggle,
  menu,
}: {
  readonly chosen: readonly string[];
  readonly onToggle: (type: string) => void;
  /** So that a key can open it. */
  readonly menu: RefObject<MenuHandle | null>;
}) {
  return (
    <Menu
      ref={menu}
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
  const found = [...auditTypes].filter(([type, { group, titles }]) =>
    `${type} ${group} ${titles.join(' ')}`.toLowerCase().includes(wanted),
  );
  const shown = found.toSorted(([one], [other]) => Number(chosen.includes(other)) - Number(chosen.includes(one)));
  const inGroups = Map.groupBy(shown.slice(0, SHOWN_MOST_TYPES), ([type, { group }]) =>
    chosen.includes(type) ? 'Chosen' : group,
  );
  return (
    <>
      <MenuField label="Find an event type or a group" value={typed} onType={setTyped} />
      {found.length === 0 && <MenuNote>No event type holds this.</MenuNote>}
      {found.length > 0 && (
        <div role="menu" aria-label="Types">
          {[...inGroups].map(([group, types]) => (
            // biome-ignore lint/a11y/useSemanticElements: entries of a menu are grouped by this role; a fieldset groups those of a form.
            <div key={group} role="group" aria-label={group}>
              <MenuNote>{group}</MenuNote>
              {types.map(([type, { titles }]) => (
                <MenuCheck key={type} isOn={chosen.includes(type)} onToggle={() => onToggle(type)}>
                  <code>{type}</code>
                  <span className={styles.titles}>{titles.slice(0, 3).join(', ')}</span>
                </MenuCheck>
              ))}
            </div>
          ))}
        </div>
      )}
      {found.length > SHOWN_MOST_TYPES && (
        <MenuNote>{found.length - SHOWN_MOST_TYPES} more; type to narrow them.</MenuNote>
      )}
    </>
  );
}

/** What this search has most of; Enter narrows to it, and again takes that back. */
export function FacetMenu({
  events,
  isPart,
  isChosen,
  onToggle,
  menu,
}: {
  readonly events: readonly AuditEvent[];
  /** There are more events, which are not counted. */
  readonly isPart: boolean;
  readonly isChosen: (part: string) => boolean;
  readonly onToggle: (part: string) => void;
  /** So that a key can open it. */
  readonly menu: RefObject<MenuHandle | null>;
}) {
  return (
    <Menu
      ref={menu}
      label="Top users, types and targets"
      placement="bottom-end"
      width={320}
      trigger={props => (
        <Button icon={<ChartBarBig aria-hidden="true" />} {...props}>
          Top
        </Button>
      )}
    >
      {() => (
        <>
          {isPart && <MenuNote>Of the newest {events.length} events of this search.</MenuNote>}
          {events.length === 0 && <MenuNote>This search has found nothing.</MenuNote>}
          {facetsOf(events).map(({ title, facets }) => (
            // biome-ignore lint/a11y/useSemanticElements: entries of a menu are grouped by this role; a fieldset groups those of a form.
            <div key={title} role="group" aria-label={title}>
              <MenuNote>{title}</MenuNote>
              {facets.map(({ value, count, part }) => (
                <MenuCheck key={value} isOn={isChosen(part)} onToggle={() => onToggle(part)}>
                  <span className={styles.facet}>
                    <span className={styles.title}>{value}</span>
                    <span className={styles.titles}>{count}</span>
                  </span>
                </MenuCheck>
              ))}
            </div>
          ))}
        </>
      )}
    </Menu>
  );
}

/** Saves what the search has found as a file. */
export function ExportMenu({ isEmpty }: { readonly isEmpty: boolean }) {
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
        (['audit.exportCsv', 'audit.exportNdjson'] as const).map(id => (
          <CommandItem
            key={id}
            id={id}
            refused={isEmpty ? NOTHING : undefined}
            detail="All events of this search"
            onChoose={close}
          />
        ))
      }
    </Menu>
  );
}

/** Shows new events as they come. */
export function LiveButton({ isOn }: { readonly isOn: boolean }) {
  return (
    <CommandButton
      id="audit.live"
      isPressed={isOn}
      icon={<Radio aria-hidden="true" className={isOn ? styles.live : undefined} />}
    >
      Live
    </CommandButton>
  );
}
