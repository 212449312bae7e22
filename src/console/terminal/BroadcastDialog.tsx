import { type FormEvent, useState } from 'react';
import { useSnapshot } from 'valtio';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { ableTo, type Broadcast } from './broadcast.ts';
import styles from './paste-dialog.module.css';
import { proofOf } from './paste-guard.ts';
import type { Terminals } from './terminals.ts';

const FORM = 'broadcast-form';

/** Chooses the terminals that are typed into at once: digits take one in or out, `A` all. Where production is among them their number is typed. */
export function BroadcastDialog({
  terminals,
  broadcast,
  onClose,
}: {
  readonly terminals: Terminals;
  readonly broadcast: Broadcast;
  readonly onClose: () => void;
}) {
  const { tabs } = useSnapshot(terminals.state);
  const able = ableTo(tabs);
  const [out, setOut] = useState<ReadonlySet<string>>(new Set());
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const chosen = able.filter(({ key }) => !out.has(key));
  const proof = proofOf(chosen);
  const toggle = (key: string): void =>
    setOut(new Set(out.has(key) ? [...out].filter(one => one !== key) : [...out, key]));
  const begin = (event: FormEvent): void => {
    event.preventDefault();
    setWrong(typed !== proof);
    if (typed !== proof || chosen.length < 2) return;
    onClose();
    void broadcast.begin(chosen.map(({ key }) => key)).then(() => terminals.focus());
  };
  return (
    <Dialog
      title="Type into several terminals"
      onEscape={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={proof === '' ? 'primary' : 'danger'} type="submit" form={FORM} disabled={chosen.length < 2}>
            Type into {chosen.length}
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        className={styles.form}
        onSubmit={begin}
        onKeyDown={event => {
          if (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') return;
          if (event.ctrlKey || event.altKey || event.metaKey) return;
          const tab = able[Number(event.key) - 1];
          if (event.key === 'a') setOut(out.size === 0 ? new Set(able.map(({ key }) => key)) : new Set());
          else if (event.key === 'Enter') event.currentTarget.requestSubmit();
          else if (tab !== undefined) toggle(tab.key);
          else return;
          event.preventDefault();
        }}
      >
        {able.length < 2 && <p>Connect a second terminal first.</p>}
        <ul className={styles.targetList}>
          {able.map(({ key, title, production }, index) => (
            <li key={key}>
              <label className={styles.remember}>
                <input
                  type="checkbox"
                  data-first={index === 0 ? '' : undefined}
                  checked={!out.has(key)}
                  onChange={() => toggle(key)}
                />
                {index < 9 && <kbd>{index + 1}</kbd>} {title}
                {production && <strong className={styles.production}>production</strong>}
              </label>
            </li>
          ))}
        </ul>
        {proof !== '' && (
          <Field
            label={`Production is among them: type ${proof}, their number`}
            error={isWrong && typed !== proof ? `Type ${proof}, the number of terminals` : undefined}
            mono
            autoComplete="off"
            value={typed}
            onChange={event => setTyped(event.target.value.trim())}
          />
        )}
        <p className={styles.keys}>
          <kbd>1</kbd>–<kbd>9</kbd> one, <kbd>A</kbd> all or none, <kbd>↵</kbd> begin. The audit log will hold it as one
          act.
        </p>
      </form>
    </Dialog>
  );
}
