// The last screens of recordings, asked for few at a time and kept while the page is open.
import { useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { getLastScreen, type ScreenPicture } from '../../../contract/recordings.ts';
import { usePage } from '../page.tsx';

/** Whoever walks or scrolls through the list asks for the pictures on which they rest, ms. */
const REST_MS = 150;
const KEPT_MOST = 300;
const ASKED_AT_ONCE = 3;

export type Seen = { readonly picture: ScreenPicture } | { readonly fault: string };

const waiting: (() => void)[] = [];
let asked = 0;

async function inTurn(ask: () => Promise<void>): Promise<void> {
  if (asked >= ASKED_AT_ONCE) await new Promise<void>(go => waiting.push(go));
  else asked += 1;
  try {
    await ask();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else asked -= 1;
  }
}

/**
 * The last screen of a recording, undefined until it has come; `kept` are those that the page has. No `sid`: none is wanted. Without
 * letters nobody has watched anything.
 */
export function useLastScreen(
  kept: Map<string, Seen>,
  sid: string | undefined,
  letters: 'yes' | 'no',
): Seen | undefined {
  const { api, clusterId } = usePage();
  const [, draw] = useState(0);
  const key = `${sid} ${letters}`;
  const now = sid === undefined ? undefined : kept.get(key);
  const isWanted = sid !== undefined && now === undefined;
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    const keep = (seen: Seen): void => {
      kept.set(key, seen);
      const [oldest] = kept.keys();
      if (kept.size > KEPT_MOST && oldest !== undefined) kept.delete(oldest);
      if (!isGone) draw(count => count + 1);
    };
    const timer = setTimeout(() => {
      void inTurn(async () => {
        if (isGone) return;
        const query = letters === 'no' ? { letters } : {};
        await api(getLastScreen, { params: { clusterId, sid }, query }).then(
          picture => keep({ picture }),
          (error: unknown) => keep({ fault: toApiError(error).message }),
        );
      });
    }, REST_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [api, clusterId, kept, sid, letters, key, isWanted]);
  return now;
}
