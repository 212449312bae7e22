import { ChevronsUpDown, Network } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Cluster } from '../../contract/clusters.ts';
import { toApiError } from '../api/errors.ts';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem, MenuNote } from '../ui/MenuItem.tsx';
import { clustersWith } from './clusters-with.ts';
import styles from './topbar.module.css';

export interface ClusterSelectorProps {
  readonly clusterId: string;
  readonly load: () => Promise<readonly Cluster[]>;
  readonly onPick: (clusterId: string) => void;
}

/** Width and the height of its menu, pixels (specification section 9). */
const WIDTH_PX = 384;
const MENU_MOST_PX = 200;

/** The cluster that the page shows, and the way to another one. */
export function ClusterSelector({ clusterId, load, onPick }: ClusterSelectorProps) {
  return (
    <Menu
      label="Clusters"
      width={WIDTH_PX}
      maxHeight={MENU_MOST_PX}
      kind="dialog"
      trigger={props => (
        <button
          type="button"
          id="clusters-button"
          className={styles.cluster}
          aria-label={`Cluster: ${clusterId}`}
          {...props}
        >
          <Network aria-hidden="true" />
          <span className={styles.clusterName}>{clusterId}</span>
          <ChevronsUpDown aria-hidden="true" />
        </button>
      )}
    >
      {close => (
        <Clusters
          current={clusterId}
          load={load}
          onPick={picked => {
            close();
            onPick(picked);
          }}
        />
      )}
    </Menu>
  );
}

function Clusters({
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
      <input
        data-menu-field
        className={styles.filter}
        aria-label="Filter clusters"
        placeholder="Filter clusters"
        value={typed}
        onChange={event => setTyped(event.target.value)}
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
