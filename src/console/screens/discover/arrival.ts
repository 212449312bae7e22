// Waits for something that joins by itself: asks again and again until it is in the list.
import { useEffect, useRef, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';

/** Between two looks, ms: who pastes a line sees it soon, and the gateway is asked little. */
const LOOK_EVERY_MS = 2000;
/** After this long a person is told what may be wrong, ms (contract/ui-facts, section 13). */
const LATE_MS = 5 * 60_000;

interface Arrival<Thing> {
  readonly thing: Thing | null;
  /** Nothing has come for so long that something may be wrong. */
  readonly isLate: boolean;
  /** Why the list could not be asked the last time; '' = it could. */
  readonly problem: string;
}

/** `look`: what has come, or null; absent: nothing is waited for yet. One look at a time, none after the page was left. */
export function useArrival<Thing>(look: (() => Promise<Thing | null>) | undefined): Arrival<Thing> {
  const [arrival, setArrival] = useState<Arrival<Thing>>({ thing: null, isLate: false, problem: '' });
  const latest = useRef(look);
  latest.current = look;
  const isAwaited = look !== undefined && arrival.thing === null;
  useEffect(() => {
    if (!isAwaited) return;
    const began = Date.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isHere = true;
    const again = async (): Promise<void> => {
      const found = await Promise.resolve(latest.current?.() ?? null).then(
        thing => ({ thing, problem: '' }),
        (error: unknown) => ({ thing: null, problem: toApiError(error).message }),
      );
      if (!isHere) return;
      setArrival({ ...found, isLate: Date.now() - began > LATE_MS });
      if (found.thing === null) timer = setTimeout(() => void again(), LOOK_EVERY_MS);
    };
    void again();
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [isAwaited]);
  return arrival;
}
