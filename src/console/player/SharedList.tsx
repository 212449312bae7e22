import type { SharedMark } from '../../contract/recordings.ts';
import { clockText } from './clock.ts';
import type { Playback } from './playback.ts';
import styles from './player.module.css';

const words: Readonly<Record<SharedMark['action'], string>> = {
  send: 'sent text to the desktop',
  receive: 'copied text on the desktop',
  share: 'shared a directory',
  read: 'let the desktop read',
  write: 'let the desktop write',
};

/** What was shared with a desktop, by name and size: what it held is in no recording. */
export function SharedList({
  shared,
  playback,
}: {
  readonly shared: readonly SharedMark[];
  readonly playback: Playback;
}) {
  if (shared.length === 0) return null;
  return (
    <details className={styles.shared}>
      <summary>Shared with the desktop: {shared.length}</summary>
      <ol>
        {shared.map((mark, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change, and two may be alike
          <li key={index}>
            <button type="button" onClick={() => playback.apply({ kind: 'seek', to: mark.ms })}>
              <time>{clockText(mark.ms)}</time> {mark.user} {words[mark.action]} {mark.name}
              {mark.bytes !== null && ` (${mark.bytes.toLocaleString('en')} bytes)`}
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
