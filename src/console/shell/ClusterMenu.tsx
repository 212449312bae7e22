import { useEffect, useState } from 'react';
import { toApiError } from '../../client/errors.ts';
import type { Cluster } from '../../contract/clusters.ts';
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
  return (
    <>
      <MenuField
        label="Filter clusters"
        value={typed}
        onType={setTyped}
        onKeyDown={event => {
          const [first] = shown;
          if (event.key === 'Enter' && first !== undefined) onPick(first.name);
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
