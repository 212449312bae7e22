import { useEffect, useRef, useState } from 'react';
import { dateTime, durationText } from '../../../features/times.ts';
import styles from './last-screen.module.css';
import { type Seen, useLastScreen } from './last-screens.ts';
import type { Recording } from './recording.ts';
import { ScreenPicture } from './ScreenPicture.tsx';

type Screens = Map<string, Seen>;

/** What stood on the screen when the session of the row under the cursor ended. */
export function LastScreen({ recording, kept }: { readonly recording: Recording | undefined; readonly kept: Screens }) {
  const sid = recording?.refused === undefined ? recording?.sid : undefined;
  const now = useLastScreen(kept, sid, 'yes');
  return (
    <aside className={styles.aside} aria-label="Last screen" aria-busy={sid !== undefined && now === undefined}>
      <div className={styles.frame}>
        {now !== undefined && 'picture' in now && <ScreenPicture picture={now.picture} />}
        {now !== undefined && 'fault' in now && <p role="status">{now.fault}</p>}
        {recording === undefined && <p>The last screen of the row under the cursor is shown here.</p>}
        {recording?.refused !== undefined && <p>{recording.refused}</p>}
      </div>
      {recording !== undefined && (
        <dl className={styles.facts}>
          <dt>{recording.hostname}</dt>
          <dd>{recording.users}</dd>
          <dd>{dateTime(recording.created)}</dd>
          <dd>{durationText(recording.durationMs)}</dd>
        </dl>
      )}
    </aside>
  );
}

/** The same as a thumbnail in its row, once the row is in view: only where something stood, so that nobody has watched the recording. */
export function Thumbnail({ recording, kept }: { readonly recording: Recording; readonly kept: Screens }) {
  const place = useRef<HTMLDivElement>(null);
  const [isInView, setInView] = useState(false);
  useEffect(() => {
    if (!place.current) return;
    const watch = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? false));
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  const seen = useLastScreen(kept, isInView && recording.refused === undefined ? recording.sid : undefined, 'no');
  return (
    <div ref={place} className={styles.thumbnail} aria-hidden="true">
      {seen !== undefined && 'picture' in seen && <ScreenPicture picture={seen.picture} />}
    </div>
  );
}
