import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { listAccessLists } from '../../contract/access-lists.ts';
import { to } from '../../features/paths.ts';
import type { Console } from './console.ts';
import { StatusLink } from './StatusLink.tsx';
import styles from './statusline.module.css';

/** Access lists of one's own that are to be reviewed. */
export function WaitingLists({ built, clusterId }: { readonly built: Console; readonly clusterId: string }) {
  const { api, onListChanged, user } = built;
  const { who } = useSnapshot(user.state);
  const hasLists = who?.userAcl.accessList.list === true;
  const [due, setDue] = useState<readonly string[]>([]);
  useEffect(() => {
    let isHere = true;
    const look = (): void => {
      if (!hasLists) setDue([]);
      else
        api(listAccessLists, { params: { clusterId } }).then(
          ({ items }) => isHere && setDue(items.flatMap(one => (one.isOwner && one.isDue ? [one.name] : []))),
          // The next change asks again.
          () => undefined,
        );
    };
    look();
    const unwatch = onListChanged('accessLists', look);
    return () => {
      isHere = false;
      unwatch();
    };
  }, [api, onListChanged, clusterId, hasLists]);
  const [only] = due;
  if (only === undefined) return null;
  return (
    <span className={styles.pending}>
      <StatusLink to={due.length === 1 ? to('accessLists', { name: only }) : to('accessLists')}>
        {due.length === 1 ? '1 access list waits' : `${due.length} access lists wait`} for your review
      </StatusLink>
    </span>
  );
}
