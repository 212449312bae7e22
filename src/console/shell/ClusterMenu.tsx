import { useContext, useEffect, useState } from 'react';
import { toApiError } from '../../client/errors.ts';
import type { Cluster } from '../../contract/clusters.ts';
import { HoldKeysContext } from '../ui/lazy.tsx';
import { MenuField } from '../ui/MenuField.tsx';
import { MenuItem, MenuNote } from '../ui/MenuItem.tsx';
import type { ClusterSelectorProps } from './ClusterSelector.tsx';
import { clustersWith } from './clusters-with.ts';

/** What the cluster selector opens: a filter by a part of the name (specification section 5), and the clusters. */
export function ClusterMenu({
  current,
  load,
  onPick,
}: {
  readonly current: string;
  readonly load: ClusterSelectorProps['load'];
  readonly onPick: (clusterId: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const [clusters, setClusters] = useState<readonly Cluster[] | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let gone = false;
    load().then(
      found => !gone && setClusters(found),
      error => !gone && setProblem(toApiError(error).message),
    );
    return () => {
      gone = true;
    };
  }, [load]);
  const shown = clustersWith(clusters ?? [], typed);
  const first = shown.find(({ status }) => status !== 'offline')?.name;
  // Enter that comes before the clusters counts once they are here, and the keys behind it wait for that; Escape calls it off.
  const [isAwaited, setAwaited] = useState(false);
  const isLoading = clusters === null && problem === '';
  const hold = useContext(HoldKeysContext);
  useEffect(() => (isAwaited ? hold({ onEscape: () => setAwaited(false) }) : undefined), [isAwaited, hold]);
  useEffect(() => {
    if (!isAwaited || isLoading) return;
    setAwaited(false);
    if (first !== undefined) onPick(first);
  }, [isAwaited, isLoading, first, onPick]);
  return (
    <>
      <MenuField
        label="Filter clusters"
        value={typed}
        onType={setTyped}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          if (isLoading) setAwaited(true);
          else if (first !== undefined) onPick(first);
        }}
      />
      {problem !== '' && <MenuNote>Error: {problem}</MenuNote>}
      {clusters !== null && shown.length === 0 && <MenuNote>No leaf clusters found</MenuNote>}
      {shown.length > 0 && (
        <div role="menu" aria-label="Clusters">
          {shown.map(cluster => (
            <MenuItem
              key={cluster.name}
              onChoose={() => onPick(cluster.name)}
              refused={cluster.status === 'offline' ? 'Offline' : undefined}
              detail={cluster.name === current ? 'Shown now' : undefined}
            >
              {cluster.name}
            </MenuItem>
          ))}
        </div>
      )}
    </>
  );
}
