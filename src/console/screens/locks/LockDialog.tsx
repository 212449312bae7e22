import { Copy } from 'lucide-react';
import { choiceOf } from '../../../../commands/answer.ts';
import { lockedThing, targetOf } from '../../../contract/lock-words.ts';
import type { Lock } from '../../../contract/locks.ts';
import { items } from '../../../features/items.ts';
import { dateTime } from '../../../features/times.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { copied } from '../Copyable.tsx';
import { usePage } from '../page.tsx';

/** One lock with its whole message. `ends`: until when, in words. */
export function LockDialog({
  lock,
  ends,
  onClose,
}: {
  readonly lock: Lock;
  readonly ends: string;
  readonly onClose: () => void;
}) {
  const page = usePage();
  const thing = items.lock.thing(lock);
  const [, name] = targetOf(lock);
  return (
    <Dialog
      title={`Lock on ${lockedThing(lock)}`}
      onEscape={onClose}
      actions={
        <>
          <Button autoFocus onClick={onClose}>
            Close
          </Button>
          <Button icon={<Copy aria-hidden="true" />} onClick={() => void copied(page, lock.name)}>
            Copy the id
          </Button>
          <CommandButton
            id="locks.remove"
            things={[thing]}
            onRun={() => {
              onClose();
              page.run('locks.remove', { lock: choiceOf(thing) });
            }}
          >
            Take it away…
          </CommandButton>
        </>
      }
    >
      <Facts
        rows={[
          ['Message', lock.message || 'None'],
          ['Ends', lock.expires === '' ? ends : `${ends} (${dateTime(lock.expires)} UTC)`],
          ['Made by', lock.createdBy || 'Not known'],
          ['Made at', `${dateTime(lock.createdAt)} UTC`],
          ...(lock.title !== name ? [['Names', <code key="name">{name}</code>] as const] : []),
          ['Id', <code key="id">{lock.name}</code>],
        ]}
      />
    </Dialog>
  );
}
