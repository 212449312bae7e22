import type { ReactNode } from 'react';
import type { Given, Thing } from '../../../commands/command.ts';
import { KeyCap } from '../ui/KeyCap.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { useGate } from './gate.ts';

interface CommandItemProps {
  readonly id: string;
  readonly things?: readonly Thing[];
  readonly given?: Given;
  readonly icon?: ReactNode;
  /** Another label than the command's title. */
  readonly children?: ReactNode;
  readonly detail?: ReactNode;
  /** Why it cannot be done with this thing, whoever asks. */
  readonly refused?: string | undefined;
  /** Called before the command runs: closes the menu. */
  readonly onChoose?: () => void;
}

/** An entry of a menu for a command: same gate, label, key and reason as everywhere else. */
export function CommandItem({ id, things, given, icon, children, detail, refused, onChoose }: CommandItemProps) {
  const gate = useGate(id, things, given);
  if (gate.hidden) return null;
  return (
    <MenuItem
      icon={icon}
      detail={detail}
      refused={refused ?? gate.refused}
      danger={gate.destructive}
      trailing={gate.keys === undefined ? undefined : <KeyCap chord={gate.keys} />}
      onChoose={byPointer => {
        onChoose?.();
        gate.run();
        if (byPointer) gate.teach();
      }}
    >
      {children ?? gate.title}
    </MenuItem>
  );
}
