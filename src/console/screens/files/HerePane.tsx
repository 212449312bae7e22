import { useContext, useEffect, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ListSlotContext } from '../../ui/list.ts';
import { type Dropped, pickedFolder } from './dropped.ts';
import styles from './files.module.css';

/** This computer as a pane: what is chosen here goes up to the other one. `target`: where to, as people read it; null: to nowhere yet. */
export function HerePane({
  target,
  onPick,
  onServer,
}: {
  readonly target: string | null;
  readonly onPick: (picked: Dropped) => void;
  readonly onServer: () => void;
}) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const slot = useContext(ListSlotContext);
  // What copies from here asks which files.
  useEffect(
    () =>
      slot.put({
        move: () => undefined,
        filter: () => undefined,
        mark: () => undefined,
        menu: () => undefined,
        open: () => undefined,
        act: what => {
          if (what === 'copyOver' && target !== null) files.current?.click();
        },
      }),
    [slot, target],
  );
  return (
    <div className={styles.here}>
      <h2>This computer</h2>
      {target === null ? (
        <p>Choose a server for one of the panes.</p>
      ) : (
        <p>
          Drop files and folders here, or choose them: they go to <span className={styles.path}>{target}</span>. What is
          copied here is downloaded, folders as tar.
        </p>
      )}
      <div className={styles.bar}>
        {target !== null && (
          <>
            <Button onClick={() => files.current?.click()}>Upload files…</Button>
            <Button onClick={() => folder.current?.click()}>Upload a folder…</Button>
          </>
        )}
        <Button onClick={onServer}>Show a server here…</Button>
      </div>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ target: { files: picked } }) => {
          onPick({ files: [...(picked ?? [])], folders: [] });
          if (files.current) files.current.value = '';
        }}
      />
      <input
        ref={element => {
          folder.current = element;
          element?.setAttribute('webkitdirectory', '');
        }}
        type="file"
        hidden
        aria-label="Folder to upload"
        onChange={({ target: { files: picked } }) => {
          onPick(pickedFolder([...(picked ?? [])]));
          if (folder.current) folder.current.value = '';
        }}
      />
    </div>
  );
}
