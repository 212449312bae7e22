import { Bell, Menu as MenuIcon, Search } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { KeyCap } from '../ui/KeyCap.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuNote } from '../ui/MenuItem.tsx';
import { ClusterSelector, type ClusterSelectorProps } from './ClusterSelector.tsx';
import { Mark } from './Mark.tsx';
import styles from './topbar.module.css';
import { UserMenu, type UserMenuProps } from './UserMenu.tsx';

export interface TopBarProps extends UserMenuProps {
  /** Absent where the URL has no cluster: then the page's title stands there. */
  readonly cluster: ClusterSelectorProps | undefined;
  readonly title: string;
  readonly paletteKeys: string | undefined;
  readonly onPalette: () => void;
  readonly onPaletteNear: () => void;
  readonly onDrawer: () => void;
  readonly drawerOpen: boolean;
}

/** 72 px: where am I, what can I search, who am I. */
export function TopBar({
  cluster,
  title,
  paletteKeys,
  onPalette,
  onPaletteNear,
  onDrawer,
  drawerOpen,
  ...user
}: TopBarProps) {
  return (
    <header className={styles.bar}>
      <Button
        kind="quiet"
        className={styles.drawer}
        aria-label="Pages"
        aria-expanded={drawerOpen}
        onClick={onDrawer}
        icon={<MenuIcon aria-hidden="true" />}
      />
      <Mark />
      {cluster !== undefined ? <ClusterSelector {...cluster} /> : <p className={styles.title}>{title}</p>}
      <button
        type="button"
        className={styles.search}
        onClick={onPalette}
        onPointerEnter={onPaletteNear}
        onFocus={onPaletteNear}
      >
        <Search aria-hidden="true" />
        <span className={styles.searchText}>Search or run…</span>
        {paletteKeys !== undefined && <KeyCap chord={paletteKeys} />}
      </button>
      <div className={styles.right}>
        <Menu
          label="Notifications"
          width={300}
          placement="bottom-end"
          kind="dialog"
          trigger={props => (
            <Button kind="quiet" aria-label="Notifications" icon={<Bell aria-hidden="true" />} {...props} />
          )}
        >
          {() => <MenuNote>No notifications</MenuNote>}
        </Menu>
        <UserMenu {...user} />
      </div>
    </header>
  );
}
