import { ChevronsUpDown, Network } from 'lucide-react';
import type { Ref } from 'react';
import type { Cluster } from '../../contract/clusters.ts';
import { Menu, type MenuHandle } from '../ui/Menu.tsx';
import { ClusterMenu } from './ClusterMenu.tsx';
import styles from './topbar.module.css';

export interface ClusterSelectorProps {
  readonly menu: Ref<MenuHandle>;
  readonly clusterId: string;
  readonly load: () => Promise<readonly Cluster[]>;
  readonly onPick: (clusterId: string) => void;
}

/** Width and the height of its menu, pixels (specification section 9). */
const WIDTH_PX = 384;
const MENU_MOST_PX = 200;

/** The cluster that the page shows, and the way to another one. */
export function ClusterSelector({ menu, clusterId, load, onPick }: ClusterSelectorProps) {
  return (
    <Menu
      ref={menu}
      label="Clusters"
      width={WIDTH_PX}
      maxHeight={MENU_MOST_PX}
      kind="dialog"
      trigger={props => (
        <button type="button" className={styles.cluster} aria-label={`Cluster: ${clusterId}`} {...props}>
          <Network aria-hidden="true" />
          <span className={styles.clusterName}>{clusterId}</span>
          <ChevronsUpDown aria-hidden="true" />
        </button>
      )}
    >
      {close => (
        <ClusterMenu
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
