import { Download, Film, Keyboard, Link, ListOrdered, Pause, Play, Search, SkipForward } from 'lucide-react';
import { useSnapshot } from 'valtio';
import type { RecordingSummary } from '../../contract/recordings.ts';
import { BarButton } from '../ui/BarButton.tsx';
import { clockText, SPEEDS, type Speed } from './clock.ts';
import type { Playback } from './playback.ts';
import styles from './player.module.css';
import { Timeline } from './Timeline.tsx';

/** The bottom bar: play, time, timeline, speed, and what can be taken along. */
export function Controls(props: {
  readonly playback: Playback;
  readonly summary: RecordingSummary;
  readonly onCopyLink: () => void;
  /** Absent where there is no text: a desktop's. */
  readonly onDownload?: () => void;
  /** Absent where there are no pictures. */
  readonly onVideo?: () => void;
  readonly onSearch?: () => void;
  readonly onCommands?: () => void;
  readonly onHelp: () => void;
}) {
  const { playback, summary } = props;
  const { clock, loading, error } = useSnapshot(playback.state);
  return (
    <footer className={styles.controls}>
      {error !== '' && (
        <p className={styles.error} role="alert">
          {error}
          <button
            type="button"
            className={styles.button}
            onClick={() => playback.apply({ kind: 'seek', to: clock.at })}
          >
            Try again
          </button>
        </p>
      )}
      <Timeline playback={playback} summary={summary} />
      <div className={styles.row}>
        <button
          type="button"
          className={styles.play}
          aria-label={clock.playing ? 'Pause' : 'Play'}
          title={clock.playing ? 'Pause (Space)' : 'Play (Space)'}
          onClick={() => playback.apply({ kind: 'toggle' })}
        >
          {clock.playing ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
        </button>
        <span className={styles.time}>
          {clockText(clock.at)} / {clockText(clock.durationMs)}
        </span>
        <span className={styles.note} role="status">
          {loading ? 'Loading…' : ''}
        </span>
        <span className={styles.gap} />
        <label className={styles.speed} title="Speed (< >)">
          <span className={styles.hidden}>Speed</span>
          <select
            value={clock.speed}
            onChange={event => playback.apply({ kind: 'speed', to: Number(event.target.value) as Speed })}
          >
            {SPEEDS.map(speed => (
              <option key={speed} value={speed}>
                {speed}×
              </option>
            ))}
          </select>
        </label>
        <BarButton
          name="Skip idle time"
          keys="s"
          isOn={clock.skipIdle}
          onClick={() => playback.apply({ kind: 'skipIdle', on: !clock.skipIdle })}
        >
          <SkipForward size={16} aria-hidden />
        </BarButton>
        {props.onSearch && (
          <BarButton name="Search" keys="/" onClick={props.onSearch}>
            <Search size={16} aria-hidden />
          </BarButton>
        )}
        {props.onCommands && (
          <BarButton name="Commands that were run" keys="c" onClick={props.onCommands}>
            <ListOrdered size={16} aria-hidden />
          </BarButton>
        )}
        <BarButton name="Copy link to this moment" keys="y" onClick={props.onCopyLink}>
          <Link size={16} aria-hidden />
        </BarButton>
        {props.onDownload && (
          <BarButton name="Download as asciicast" onClick={props.onDownload}>
            <Download size={16} aria-hidden />
          </BarButton>
        )}
        {props.onVideo && (
          <BarButton name="Make a video" keys="v" onClick={props.onVideo}>
            <Film size={16} aria-hidden />
          </BarButton>
        )}
        <BarButton name="Keys" keys="?" onClick={props.onHelp}>
          <Keyboard size={16} aria-hidden />
        </BarButton>
      </div>
    </footer>
  );
}
