import { useEffect, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { type AccessRequest, listAccessRequests } from '../../contract/access-requests.ts';
import { listNotifications, readNotifications } from '../../contract/notifications.ts';
import { to } from '../../features/paths.ts';
import { requestWords } from '../../features/requests.ts';
import type { Console } from './console.ts';
import { StatusLink } from './StatusLink.tsx';
import styles from './statusline.module.css';
import { WaitingLists } from './WaitingLists.tsx';
import { WaitingReviews } from './WaitingReviews.tsx';

/** Longer, a timer of a browser cannot wait, ms. */
const TIMER_MOST_MS = 2 ** 31 - 1;

/** What waits for this person, wherever they are in the console; fetched once the page in front has come. */
export function Waiting({
  built,
  clusterId,
  statements,
}: {
  readonly built: Console;
  readonly clusterId: string;
  /** They may review statements. */
  readonly statements: boolean;
}) {
  return (
    <>
      {statements && <WaitingReviews built={built} clusterId={clusterId} />}
      <WaitingLists built={built} clusterId={clusterId} />
      <WaitingRequests built={built} clusterId={clusterId} />
      <ToldNotifications built={built} clusterId={clusterId} />
    </>
  );
}

/** Keeps what stands under the bell: asked for at first, and whenever the gateway says that it may be other. */
function ToldNotifications({ built, clusterId }: { readonly built: Console; readonly clusterId: string }) {
  const { api, notices, onListChanged } = built;
  useEffect(() => {
    let isHere = true;
    const params = { clusterId };
    // What could not be told now is unread once more at the next look.
    const mark = (ids: readonly string[]): void =>
      void api(readNotifications, { params, body: { ids: [...ids] } }).catch(() => undefined);
    const look = (): void =>
      void api(listNotifications, { params }).then(
        ({ items }) => isHere && notices.tell(items, mark),
        // The next change asks again.
        () => undefined,
      );
    look();
    const unwatch = onListChanged('notifications', look);
    return () => {
      isHere = false;
      unwatch();
    };
  }, [api, notices, onListChanged, clusterId]);
  return null;
}

/** Access requests that wait for a review; one that comes, or that was answered, is said once, and what was used is dropped when it ends. */
function WaitingRequests({ built, clusterId }: { readonly built: Console; readonly clusterId: string }) {
  const { api, notices, onListChanged, tools, user } = built;
  const { who } = useSnapshot(user.state);
  const [count, setCount] = useState(0);
  const known = useRef<ReadonlyMap<string, AccessRequest> | null>(null);
  useEffect(() => {
    let isHere = true;
    const look = (): void =>
      void api(listAccessRequests, { params: { clusterId } }).then(
        ({ items }) => {
          if (!isHere) return;
          for (const one of items) tell(known.current, one, text => notices.notify(text, 'access requests'));
          known.current = new Map(items.map(one => [one.id, one]));
          setCount(items.filter(({ mayReview }) => mayReview).length);
        },
        // The next change asks again.
        () => undefined,
      );
    look();
    const unwatch = onListChanged('requests', () => {
      look();
      // What is used may have been taken back.
      if ((user.state.who?.assumed.length ?? 0) > 0) void tools.reloadUser?.().catch(() => undefined);
    });
    return () => {
      isHere = false;
      unwatch();
    };
  }, [api, notices, onListChanged, clusterId, tools, user]);
  const ends = Math.min(...(who?.assumed ?? []).map(one => Date.parse(one.ends)));
  useEffect(() => {
    if (!Number.isFinite(ends)) return;
    const timer = setTimeout(
      () => void tools.reloadUser?.().catch(() => undefined),
      Math.min(TIMER_MOST_MS, Math.max(0, ends - Date.now()) + 1000),
    );
    return () => clearTimeout(timer);
  }, [ends, tools]);
  if (count === 0) return null;
  return (
    <span className={styles.pending}>
      <StatusLink to={to('accessRequests')}>
        {count === 1 ? '1 access request waits' : `${count} access requests wait`} for your review
      </StatusLink>
    </span>
  );
}

/** Says what is new of a request since it was last looked at; nothing at the first look. */
function tell(known: ReadonlyMap<string, AccessRequest> | null, one: AccessRequest, say: (text: string) => void): void {
  if (known === null) return;
  const before = known.get(one.id);
  if (before === undefined && one.mayReview) say(`${one.user} asks for ${requestWords(one)} (g q)`);
  if (one.isOwn && before?.state === 'PENDING' && one.state !== 'PENDING')
    say(
      one.state === 'APPROVED'
        ? `You may use ${requestWords(one)} now (g q)`
        : `Your request for ${requestWords(one)} was denied${one.resolveReason && `: ${one.resolveReason}`}`,
    );
}
