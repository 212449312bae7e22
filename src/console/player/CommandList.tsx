import { Download, Upload } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { useSnapshot } from 'valtio';
import type { CommandMark, RecordingSummary, TransferMark } from '../../contract/recordings.ts';
import { chaptersOf } from './chapters.ts';
import { clockText } from './clock.ts';
import styles from './command-list.module.css';
import type { Playback } from './playback.ts';

const sources: Readonly<Record<CommandMark['source'], { readonly short: string; readonly long: string }>> = {
  kernel: { short: 'kernel', long: 'Told by the kernel of the server' },
  startup: {
    short: 'start-up',
    long: 'Told by the kernel of the server: it ran before the first command was given, as the shell started',
  },
  shell: { short: 'shell', long: 'Marked by the shell' },
  prompt: { short: 'guess', long: 'Guessed from the prompt' },
};

/** The commands that were run: Enter goes to the moment of one, arrows go on, Escape gives the keys back. */
export function CommandList({
  playback,
  summary,
  onClose,
}: {
  readonly playback: Playback;
  readonly summary: Pick<RecordingSummary, 'commands' | 'transfers'>;
  readonly onClose: () => void;
}) {
  const { clock } = useSnapshot(playback.state);
  const panel = useRef<HTMLElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const chapters = useMemo(() => chaptersOf(summary), [summary]);
  const current = chapters.findLastIndex(({ ms }) => ms <= clock.at);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the keys are put is decided once, when the list opens
  useEffect(() => {
    const buttons = list.current?.querySelectorAll('button');
    (buttons?.[Math.max(0, current)] ?? panel.current)?.focus();
  }, []);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      className={styles.list}
      aria-label="Commands"
      onKeyDown={event => {
        const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
        if (event.key === 'Escape') onClose();
        else if (step === undefined) return;
        const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
        const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
        if (step !== undefined) buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <h2>Commands</h2>
      {chapters.length === 0 && (
        <p>None were found in this recording: its shell marks none, and no line of it looks like a prompt.</p>
      )}
      <ol ref={list}>
        {chapters.map((chapter, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same command may have run twice, and none changes its place.
          <li key={index}>
            <button
              type="button"
              aria-current={index === current ? 'step' : undefined}
              onClick={() => playback.apply({ kind: 'seek', to: chapter.ms })}
            >
              <span className={styles.when}>{clockText(chapter.ms)}</span>
              {'action' in chapter ? <Copied transfer={chapter} /> : <Ran command={chapter} />}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Ran({ command }: { readonly command: CommandMark }) {
  return (
    <>
      <code>{command.text}</code>
      {command.status !== null && command.status !== 0 && (
        <span className={styles.failed}>status {command.status}</span>
      )}
      <span className={styles.source} title={sources[command.source].long}>
        {sources[command.source].short}
      </span>
    </>
  );
}

function Copied({ transfer: { action, path, user, isFailed } }: { readonly transfer: TransferMark }) {
  const Icon = action === 'upload' ? Upload : Download;
  return (
    <>
      <Icon size={12} role="img" aria-label={action === 'upload' ? 'Uploaded' : 'Downloaded'} />
      <code>{path}</code>
      {isFailed && <span className={styles.failed}>failed</span>}
      <span className={styles.source} title="From the audit log: a file that was copied during the session">
        {user}
      </span>
    </>
  );
}
