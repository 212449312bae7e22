import type { ReactNode } from 'react';
import type { Given, Thing } from '../../../commands/command.ts';
import { Button, type ButtonProps } from '../ui/Button.tsx';
import { KeyCap } from '../ui/KeyCap.tsx';
import { useGate } from './gate.ts';

interface CommandButtonProps
  extends Pick<
    ButtonProps,
    'kind' | 'size' | 'icon' | 'className' | 'tabIndex' | 'aria-label' | 'aria-haspopup' | 'aria-expanded'
  > {
  readonly id: string;
  /** Things that answer the command's questions of their kind, such as the row's own server. */
  readonly things?: readonly Thing[];
  readonly given?: Given;
  /** Another label than the command's title, where the place already says the rest ("Connect" in a server's row). */
  readonly children?: ReactNode;
  /** It switches something that is on or off. */
  readonly isPressed?: boolean;
  /** Draws the chord beside the label. */
  readonly showKeys?: boolean;
  /** Why it cannot be done with these things, whoever asks. */
  readonly closed?: string | undefined;
  /** Runs it where something around the button asks what it still needs; without it the palette asks. */
  readonly onRun?: (button: HTMLElement) => void;
}

/** A button for a command: hidden, greyed with the reason, labelled and run exactly as the palette would. */
export function CommandButton({
  id,
  things,
  given,
  children,
  isPressed,
  showKeys = false,
  closed,
  onRun,
  ...look
}: CommandButtonProps) {
  const gate = useGate(id, things, given, closed);
  if (gate.hidden) return null;
  const { refused } = gate;
  return (
    <Button
      {...look}
      kind={look.kind ?? (gate.destructive ? 'danger' : 'secondary')}
      aria-disabled={refused === undefined ? undefined : true}
      aria-pressed={isPressed}
      aria-keyshortcuts={ariaKeys(gate.keys)}
      title={refused ?? (children === undefined ? undefined : gate.title)}
      onClick={event => {
        if (onRun === undefined) gate.run();
        else onRun(event.currentTarget);
        // Keys and Enter press buttons, too; only a pointer counts its clicks.
        if (event.detail > 0 && refused === undefined) gate.teach();
      }}
    >
      {children ?? gate.title}
      {showKeys && gate.keys !== undefined && <KeyCap chord={gate.keys} />}
    </Button>
  );
}

/** A chord in the spelling of aria-keyshortcuts; it has none for sequences. */
function ariaKeys(keys: string | undefined): string | undefined {
  if (keys === undefined || keys.includes(' ')) return undefined;
  const names: Readonly<Record<string, string>> = {
    mod: 'Control',
    ctrl: 'Control',
    alt: 'Alt',
    shift: 'Shift',
    meta: 'Meta',
  };
  return keys
    .split('+')
    .map(part => names[part] ?? (part.length === 1 ? part.toUpperCase() : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('+');
}
