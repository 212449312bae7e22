import type { Ref } from 'react';
import type { Viewer } from '../../features/feature.ts';
import { Menu, type MenuHandle } from '../ui/Menu.tsx';
import type { Theme } from './theme.ts';
import styles from './topbar.module.css';
import { UserEntries } from './UserEntries.tsx';

export interface UserMenuProps {
  readonly viewer: Viewer;
  readonly clusterId: string;
  /** Undefined for a custom theme, which nobody switches. */
  readonly theme: Theme | undefined;
  readonly onGo: (path: string) => void;
  readonly onTheme: (theme: Theme) => void;
  readonly onSignOut: () => void;
}

/** The user menu is this wide, pixels (specification section 9). */
const WIDTH_PX = 265;

/** Who is signed in, and the menu of what is theirs. */
export function UserMenu({
  menu,
  viewer,
  clusterId,
  theme,
  onGo,
  onTheme,
  onSignOut,
}: UserMenuProps & { readonly menu: Ref<MenuHandle> }) {
  const name = viewer.who?.userName ?? '';
  return (
    <Menu
      ref={menu}
      label={name}
      width={WIDTH_PX}
      placement="bottom-end"
      trigger={props => (
        <button type="button" className={styles.user} title="User menu" {...props}>
          <span className={styles.letter} aria-hidden="true">
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className={styles.userName}>{name}</span>
        </button>
      )}
    >
      {close => <UserEntries {...{ viewer, clusterId, theme, onGo, onTheme, onSignOut, close }} />}
    </Menu>
  );
}
