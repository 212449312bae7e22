import { useSnapshot } from 'valtio';
import { Button } from '../ui/Button.tsx';
import { clockText } from './clock.ts';
import type { Playback } from './playback.ts';
import styles from './player.module.css';

/** A video that is being made: how far it is, and a way to give it up. */
export function VideoBar({
  share,
  playback,
  onCancel,
}: {
  /** 0 to 1. */
  readonly share: number;
  readonly playback: Playback;
  readonly onCancel: () => void;
}) {
  const { clock } = useSnapshot(playback.state);
  const percent = Math.floor(share * 100);
  return (
    <div className={styles.video}>
      <label className={styles.videoLabel}>
        Making a video at {clock.speed}×
        <progress max={100} value={percent} />
      </label>
      <span className={styles.time}>
        {percent} % · {clockText(clock.at)} / {clockText(clock.durationMs)}
      </span>
      <span className={styles.gap} />
      <Button size="dense" autoFocus onClick={onCancel}>
        Cancel the video
      </Button>
    </div>
  );
}
