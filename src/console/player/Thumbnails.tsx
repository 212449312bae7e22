import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { clockText } from './clock.ts';
import type { Playback } from './playback.ts';
import styles from './player.module.css';

export interface SmallPicture {
  readonly ms: number;
  /** PNG, in base64. */
  readonly png: string;
}

/** Small pictures of a desktop, one for each minute: each leads to its moment. `count`: how many there are. */
export function Thumbnails(props: {
  readonly playback: Playback;
  readonly count: number;
  readonly fetch: (from: number) => Promise<readonly SmallPicture[]>;
}) {
  const { playback, count, fetch } = props;
  const { clock } = useSnapshot(playback.state);
  const [pictures, setPictures] = useState<readonly SmallPicture[]>([]);
  useEffect(() => {
    let isGone = false;
    async function load(): Promise<void> {
      for (let from = 0; from < count && !isGone; ) {
        const some = await fetch(from);
        if (isGone || some.length === 0) return;
        from += some.length;
        setPictures(all => (from === some.length ? some : [...all, ...some]));
      }
    }
    // Without them it plays as well.
    load().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [count, fetch]);
  if (pictures.length === 0) return null;
  const here = pictures.findLastIndex(({ ms }) => ms <= clock.at);
  return (
    <ol className={styles.thumbnails} aria-label="Minutes">
      {pictures.map(({ ms, png }, index) => (
        <li key={ms}>
          <button
            type="button"
            className={styles.thumbnail}
            aria-current={index === here ? 'true' : undefined}
            onClick={() => playback.apply({ kind: 'seek', to: ms })}
          >
            <img src={`data:image/png;base64,${png}`} alt="" loading="lazy" />
            <span>{clockText(ms)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
