import { Menu as MenuIcon, Search } from 'lucide-react';
import type { Ref } from 'react';
import { Button } from '../ui/Button.tsx';
import { KeyCap } from '../ui/KeyCap.tsx';
import { Bell } from './Bell.tsx';
import { type BarMenus, putIn } from './bar-menus.ts';
import { ClusterSelector, type ClusterSelectorProps } from './ClusterSelector.tsx';
import { Mark } from './Mark.tsx';
import type { Notices } from './notices.ts';
import styles from './topbar.module.css';
import { UserMenu, type UserMenuProps } from './UserMenu.tsx';

export interface TopBarProps extends UserMenuProps {
  /** Absent where the URL has no cluster: then the page's title stands there. */
  readonly cluster: Omit<ClusterSelectorProps, 'menu'> | undefined;
  readonly menus: BarMenus;
  readonly notices: Notices;
  readonly title: string;
  readonly paletteKeys: string | undefined;
  readonly onPalette: () => void;
  readonly onPaletteNear: () => void;
  readonly drawerButton: Ref<HTMLButtonElement>;
  readonly onDrawer: () => void;
  readonly drawerOpen: boolean;
}

/** 72 px: where am I, what can I search, who am I. */
export function TopBar({
  cluster,
  menus,
  notices,
  title,
  paletteKeys,
  onPalette,
  onPaletteNear,
  drawerButton,
  onDrawer,
  drawerOpen,
  ...user
}: TopBarProps) {
  return (
    <header className={styles.bar}>
      <Button
        ref={drawerButton}
        kind="quiet"
        className={styles.drawer}
        aria-label="Pages"
        aria-expanded={drawerOpen}
        onClick={onDrawer}
        icon={<MenuIcon aria-hidden="true" />}
      />
      <Mark />
      {cluster !== undefined ? (
        <ClusterSelector {...cluster} menu={putIn(menus, 'clusters')} />
      ) : (
        <p className={styles.title}>{title}</p>
      )}
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
        <Bell menu={putIn(menus, 'notifications')} notices={notices} onGo={user.onGo} />
        <UserMenu {...user} menu={putIn(menus, 'user')} />
      </div>
    </header>
  );
}
