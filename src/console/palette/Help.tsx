// The help sheet: every command that has keys, what works here first.
import { useEffect, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import type { Facts } from '../../../commands/command.ts';
import { commands } from '../../../commands/index.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { joined } from '../ui/joined.ts';
import { KeyCap } from '../ui/KeyCap.tsx';
import type { Commanding } from './commanding.ts';
import { useCommanding } from './context.tsx';
import styles from './help.module.css';
import { cannotBeTaken, type HelpGroup, helpSheet } from './help.ts';

/** Shown while help is open. */
export function Help() {
  const commanding = useCommanding();
  const { help } = useSnapshot(commanding.surface);
  return help ? <Sheet commanding={commanding} /> : null;
}

function Sheet({ commanding }: { readonly commanding: Commanding }) {
  // As it was when the sheet opened: the sheet itself has the focus now, which is not what it is about.
  const [facts] = useState<Facts>(commanding.facts);
  const [typed, setTyped] = useState('');
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    search.current?.focus();
    commanding.shown();
  }, [commanding]);
  const { here, elsewhere } = helpSheet(commands, facts, commanding.keymap, typed);
  return (
    <Dialog
      title="Keyboard help"
      size="wide"
      onEscape={() => (typed === '' ? commanding.closeHelp() : setTyped(''))}
      actions={<Button onClick={commanding.closeHelp}>Close</Button>}
    >
      <input
        ref={search}
        type="search"
        aria-label="Search keys and commands"
        placeholder="Search keys and commands"
        className={styles.search}
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
      {here.length > 0 && <Groups title="Works here" groups={here} />}
      {elsewhere.length > 0 && <Groups title="Works elsewhere" groups={elsewhere} isFaint />}
      {here.length + elsewhere.length === 0 && (
        <p className={styles.part}>Nothing matches "{typed}". Escape clears the search.</p>
      )}
      <p className={styles.part}>
        In a terminal every other key goes to the shell. The browser keeps{' '}
        {cannotBeTaken.map(([chord, why], index) => (
          <span key={chord}>
            {index > 0 && ', '}
            <KeyCap chord={chord} /> ({why})
          </span>
        ))}{' '}
        for itself.
      </p>
    </Dialog>
  );
}

function Groups({
  title,
  groups,
  isFaint = false,
}: {
  readonly title: string;
  readonly groups: readonly HelpGroup[];
  readonly isFaint?: boolean;
}) {
  return (
    <>
      <p className={styles.part}>{title}</p>
      <div className={joined(styles.groups, isFaint && styles.faint)}>
        {groups.map(group => (
          <div key={group.title} className={styles.group}>
            <h3>{group.title}</h3>
            {group.rows.map(row => (
              <div key={row.id} className={styles.row} title={row.refused}>
                <span>{row.title}</span>
                <span className={styles.keys}>
                  {row.keys.map(keys => (
                    <KeyCap key={keys} chord={keys} />
                  ))}
                  {row.terminalKeys.map(keys => (
                    <KeyCap key={keys} chord={keys} />
                  ))}
                  {row.terminalKeys.length > 0 && <span className={styles.over}>in a terminal</span>}
                </span>
              </div>
            ))}
          </div>
        ))}
      </div>
    </>
  );
}
