import { useEffect, useMemo, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { getLastScreen, type ScreenPicture as Picture } from '../../../contract/recordings.ts';
import { dateTime, durationText } from '../../../features/times.ts';
import { usePage } from '../page.tsx';
import styles from './last-screen.module.css';

import type { Recording } from './recording.ts';
import { ScreenPicture } from './ScreenPicture.tsx';

/** Whoever walks through the list asks for the pictures of rows on which the cursor rests, ms. */
const REST_MS = 150;
/** Pictures kept while the list is on screen. */
const KEPT_MOST = 50;

type Seen = { readonly picture: Picture } | { readonly fault: string };

/** What stood on the screen when the session of the row under the cursor ended. */
export function LastScreen({ recording }: { readonly recording: Recording | undefined }) {
  const { api, clusterId } = usePage();
  const seen = useMemo(() => new Map<string, Seen>(), []);
  const [, setDrawn] = useState(0);
  const sid = recording?.refused === undefined ? recording?.sid : undefined;
  useEffect(() => {
    if (sid === undefined || seen.has(sid)) return;
    const keep = (one: Seen): void => {
      seen.set(sid, one);
      const [oldest] = seen.keys();
      if (seen.size > KEPT_MOST && oldest !== undefined) seen.delete(oldest);
      setDrawn(count => count + 1);
    };
    const timer = setTimeout(() => {
      api(getLastScreen, { params: { clusterId, sid } }).then(
        picture => keep({ picture }),
        (error: unknown) => keep({ fault: toApiError(error).message }),
      );
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [api, clusterId, sid, seen]);
  const now = sid === undefined ? undefined : seen.get(sid);
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
