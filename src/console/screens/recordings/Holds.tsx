import { heldOn } from '../../../contract/holds.ts';
import { dateTime } from '../../../features/times.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { usePage } from '../page.tsx';
import type { HeldRecordings } from './recording.ts';
import styles from './recordings.module.css';

/** What is held of the recordings, by whom and why. */
export function Holds({ held, onClose }: { readonly held: HeldRecordings; readonly onClose: () => void }) {
  const page = usePage();
  return (
    <Dialog
      title="Legal holds"
      size="wide"
      onEscape={onClose}
      actions={
        <Button autoFocus onClick={onClose}>
          Close
        </Button>
      }
    >
      {held.holds.length === 0 ? (
        <p>Nothing is held. What is past its time is removed, where the gateway's settings name one.</p>
      ) : (
        <table className={styles.holds}>
          <thead>
            <tr>
              <th scope="col">On</th>
              <th scope="col">Since</th>
              <th scope="col">By</th>
              <th scope="col">Reason</th>
              {held.mayRelease && <th scope="col">Actions</th>}
            </tr>
          </thead>
          <tbody>
            {held.holds.map(one => (
              <tr key={one.id}>
                <td>{heldOn(one)}</td>
                <td>{dateTime(one.since)}</td>
                <td>{one.by}</td>
                <td>{one.why}</td>
                {held.mayRelease && (
                  <td>
                    <CommandButton
                      id="recording.release"
                      size="dense"
                      onRun={() => {
                        onClose();
                        page.run('recording.release', { hold: { value: one.id, title: heldOn(one) } });
                      }}
                    >
                      Release…
                    </CommandButton>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}
