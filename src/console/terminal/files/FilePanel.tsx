import { X } from 'lucide-react';
import { type DragEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { BarButton } from '../../ui/BarButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import type { Terminals } from '../terminals.ts';
import styles from './file-panel.module.css';
import type { Place } from './place.ts';
import { TransferList } from './TransferList.tsx';
import type { Transfers } from './transfers.ts';

/** Over the terminal, at its top right: one path to copy from or to, and what is on its way. */
export function FilePanel({
  terminals,
  transfers,
  kind,
  place,
}: {
  readonly terminals: Terminals;
  readonly transfers: Transfers;
  readonly kind: 'download' | 'upload';
  readonly place: Place;
}) {
  const [location, setLocation] = useState('~/');
  const field = useRef<HTMLInputElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const { transfers: list } = useSnapshot(transfers.state);
  const isDownload = kind === 'download';
  // biome-ignore lint/correctness/useExhaustiveDependencies: whichever of both was asked for has the keys.
  useEffect(() => {
    const input = field.current;
    input?.focus();
    input?.setSelectionRange(input.value.length, input.value.length);
  }, [kind]);

  const upload = (files: FileList | null): void => void transfers.upload(place, [...(files ?? [])], location);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isDownload) {
      picker.current?.click();
    } else if (!location.endsWith('/')) {
      void transfers.download(place, [{ location }]);
      setLocation(location.replace(/[^/]*$/, ''));
    }
  }
  async function close(): Promise<void> {
    const running = list.filter(({ status }) => status === 'running' || status === 'waiting');
    const agreed =
      running.length === 0 ||
      (await terminals.ports.confirm({
        title: running.length === 1 ? 'Stop the file transfer?' : `Stop ${running.length} file transfers?`,
        text: 'What has not arrived whole is removed.',
        action: 'Stop',
      }));
    if (!agreed) return field.current?.focus();
    for (const { id } of running) transfers.cancel(id);
    transfers.clear();
    terminals.endTransfer();
  }
  function drop(event: DragEvent): void {
    event.preventDefault();
    event.stopPropagation();
    upload(event.dataTransfer.files);
  }

  const title = `${isDownload ? 'Download from' : 'Upload to'} ${place.title}`;
  return (
    <section
      className={styles.panel}
      role="dialog"
      aria-label={title}
      onKeyDown={event => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        void close();
      }}
    >
      <header className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <BarButton name="Close" onClick={() => void close()}>
          <X size={14} aria-hidden />
        </BarButton>
      </header>
      <form className={styles.form} onSubmit={submit}>
        <Field
          ref={field}
          label={isDownload ? 'File or folder to download' : 'Folder or file to upload to'}
          mono
          spellCheck={false}
          autoComplete="off"
          value={location}
          onChange={event => setLocation(event.target.value)}
        />
        <Button
          kind="primary"
          type="submit"
          disabled={isDownload ? location.endsWith('/') || location === '' : location === ''}
        >
          {isDownload ? 'Download' : 'Choose files'}
        </Button>
        {isDownload && (
          <Button
            disabled={location === ''}
            onClick={() => void transfers.download(place, [{ location, archive: 'tar' }])}
          >
            Folder as tar
          </Button>
        )}
      </form>
      {!isDownload && (
        <>
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            aria-label="Files to upload"
            onChange={event => {
              upload(event.target.files);
              event.target.value = '';
              field.current?.focus();
            }}
          />
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the keyboard has the button above; this takes what is dragged. */}
          <div className={styles.drop} onDragOver={event => event.preventDefault()} onDrop={drop}>
            Drop files here
          </div>
        </>
      )}
      <TransferList transfers={transfers} />
    </section>
  );
}
