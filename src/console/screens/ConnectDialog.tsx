import { type ReactNode, useId } from 'react';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { Snippet } from '../ui/Snippet.tsx';

/** What someone fills into the lines. */
interface Choice {
  readonly label: string;
  readonly value: string;
  /** What their roles allow; `*`, which means any, is no suggestion. */
  readonly suggested: readonly string[];
  readonly onChange: (value: string) => void;
  readonly tip?: string;
}
interface Step {
  /** What the line is for; a single line needs none. */
  readonly title?: string;
  /** Names the line for the copy button. */
  readonly label: string;
  readonly text: string;
  /** Of the shell that it is typed into; `$` unless said. Null: into none. */
  readonly prefix?: '>' | null;
}

/** What roles name as principals, without `*`. */
export const named = (principals: readonly string[]): readonly string[] => principals.filter(one => one !== '*');

/** How to reach something from a terminal: lines to copy, with what someone chooses filled in. */
export function ConnectDialog({
  name,
  choices,
  steps,
  children,
  onClose,
}: {
  readonly name: string;
  readonly choices: readonly Choice[];
  readonly steps: readonly Step[];
  /** What to know about it. */
  readonly children: ReactNode;
  readonly onClose: () => void;
}) {
  const id = useId();
  return (
    <Dialog
      title={`Connect to ${name}`}
      size="wide"
      onEscape={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div style={{ display: 'flex', flexDirection: 'column', gap: 16 }}>
        <div style={{ display: 'grid', gridTemplateColumns: choices.length > 1 ? '1fr 1fr' : '1fr', gap: 12 }}>
          {choices.map(({ label, value, onChange, tip }, at) => (
            <Field
              key={label}
              label={label}
              mono
              {...(tip === undefined ? {} : { tip })}
              list={`${id}-${at}`}
              value={value}
              onChange={event => onChange(event.target.value)}
            />
          ))}
          {choices.map(({ label, suggested }, at) => (
            <datalist key={label} id={`${id}-${at}`}>
              {named(suggested).map(one => (
                <option key={one} value={one} />
              ))}
            </datalist>
          ))}
        </div>
        {steps.map(({ title, label, text, prefix = '$' as const }) => (
          <div key={label} style={{ display: 'flex', flexDirection: 'column', gap: 4 }}>
            {title !== undefined && <span>{title}</span>}
            <Snippet {...(prefix === null ? {} : { prefix })} label={label} text={text} />
          </div>
        ))}
        <p>{children}</p>
      </div>
    </Dialog>
  );
}
