import { useMemo } from 'react';
import { useSnapshot } from 'valtio';
import type { RecordingSummary } from '../../contract/recordings.ts';
import { ACTIVITY_UNITS, activityPath } from './activity-path.ts';
import { clockText } from './clock.ts';
import type { Playback } from './playback.ts';
import styles from './player.module.css';

/** Where in the recording we are, with its activity, size changes and search hits. The slider is the browser's own. */
export function Timeline({ playback, summary }: { readonly playback: Playback; readonly summary: RecordingSummary }) {
  const { clock, search } = useSnapshot(playback.state);
  const strip = useMemo(() => activityPath(summary.activity), [summary]);
  const slices = Math.max(1, summary.activity.length);
  const place = (ms: number): number => (clock.durationMs === 0 ? 0 : (ms / clock.durationMs) * slices);
  return (
    <div className={styles.timeline}>
      <svg
        className={styles.strip}
        viewBox={`0 0 ${slices} ${ACTIVITY_UNITS}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path className={styles.activity} d={strip} />
        <rect className={styles.past} width={place(clock.at)} height={ACTIVITY_UNITS} />
        {summary.resizes.map(({ ms }) => (
          <line key={ms} className={styles.resize} x1={place(ms)} x2={place(ms)} y1={0} y2={ACTIVITY_UNITS} />
        ))}
        <path className={styles.party} d={summary.parties.map(({ ms }) => `M${place(ms)} 0v6`).join('')} />
        <path className={styles.transfer} d={summary.transfers.map(({ ms }) => `M${place(ms)} 6v6`).join('')} />
        <path className={styles.transfer} d={(summary.shared ?? []).map(({ ms }) => `M${place(ms)} 6v6`).join('')} />
        <path
          className={styles.command}
          d={summary.commands.map(({ ms }) => `M${place(ms)} ${ACTIVITY_UNITS}v-6`).join('')}
        />
        {search.hits.length > 0 && (
          <path className={styles.hit} d={search.hits.map(hit => `M${place(hit.ms)} 0v${ACTIVITY_UNITS}`).join('')} />
        )}
        <line className={styles.now} x1={place(clock.at)} x2={place(clock.at)} y1={0} y2={ACTIVITY_UNITS} />
      </svg>
      <input
        type="range"
        className={styles.slider}
        aria-label="Moment"
        aria-valuetext={`${clockText(clock.at)} of ${clockText(clock.durationMs)}`}
        min={0}
        max={Math.max(1, Math.ceil(clock.durationMs))}
        step={1}
        value={Math.round(clock.at)}
        onChange={event => playback.apply({ kind: 'seek', to: Number(event.target.value) })}
      />
    </div>
  );
}
