import { useEffect, useRef, useState } from 'react';
import { listReviews } from '../../contract/reviews.ts';
import { to } from '../../features/paths.ts';
import type { Console } from './console.ts';
import { StatusLink } from './StatusLink.tsx';
import styles from './statusline.module.css';

/** How many statements wait for this person, wherever they are in the console; one that comes is said once. */
export function WaitingReviews({ built, clusterId }: { readonly built: Console; readonly clusterId: string }) {
  const { api, notices, onListChanged } = built;
  const [count, setCount] = useState(0);
  /** All of it is what agents ask. */
  const [isAsked, setAsked] = useState(false);
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    let isHere = true;
    const look = (): void =>
      void api(listReviews, { params: { clusterId } }).then(
        ({ items }) => {
          if (!isHere) return;
          const mine = items.filter(({ mayDecide }) => mayDecide);
          for (const one of mine)
            if (known.current?.has(one.id) === false)
              notices.notify(
                one.agent === ''
                  ? `${one.user} waits for a review of a statement in ${one.database} (g e)`
                  : `Agent ${one.agent} of ${one.user} asks: ${one.agentReason} (g f)`,
                'reviews',
              );
          known.current = new Set(mine.map(({ id }) => id));
          setCount(mine.length);
          setAsked(mine.every(({ agent }) => agent !== ''));
        },
        // The next change asks again.
        () => undefined,
      );
    look();
    const unwatch = onListChanged('reviews', look);
    return () => {
      isHere = false;
      unwatch();
    };
  }, [api, notices, onListChanged, clusterId]);
  if (count === 0) return null;
  return (
    <span className={styles.pending}>
      <StatusLink to={isAsked ? to('agents') : to('reviews', { clusterId })}>
        {count === 1 ? '1 statement waits' : `${count} statements wait`} for your review
      </StatusLink>
    </span>
  );
}
