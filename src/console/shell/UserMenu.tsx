import { LogOut, Moon, Sun } from 'lucide-react';
import type { CSSProperties } from 'react';
import { placed } from '../../features/access.ts';
import type { Asking } from '../../features/feature.ts';
import { to } from '../../features/paths.ts';
import { features } from '../../features/table.ts';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { FeatureIcon } from './icons.tsx';
import { type Theme, themeToggle } from './theme.ts';
import styles from './topbar.module.css';

export interface UserMenuProps {
  readonly asking: Asking;
  readonly clusterId: string;
  /** Undefined for a custom theme, which nobody switches. */
  readonly theme: Theme | undefined;
  readonly onGo: (path: string) => void;
  readonly onTheme: (theme: Theme) => void;
  readonly onSignOut: () => void;
}

/** The user menu is this wide, pixels; its entries appear one after the other (specification section 9). */
const WIDTH_PX = 265;
const FIRST_ENTRY_MS = 80;
const NEXT_ENTRY_MS = 20;

/** Who is signed in, their pages, the theme, and the way out. */
export function UserMenu({ asking, clusterId, theme, onGo, onTheme, onSignOut }: UserMenuProps) {
  const name = asking.who?.userName ?? '';
  const toggle = theme === undefined ? undefined : themeToggle(theme);
  const entries = [
    ...placed('menu', asking).map(id => ({
      key: id,
      title: features[id].title,
      icon: <FeatureIcon id={id} />,
      run: () => onGo(to(id, { clusterId })),
    })),
    ...(toggle === undefined
      ? []
      : [
          {
            key: 'theme',
            title: toggle.title,
            icon: toggle.next === 'light' ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />,
            run: () => onTheme(toggle.next),
          },
        ]),
    { key: 'logout', title: 'Logout', icon: <LogOut aria-hidden="true" />, run: onSignOut },
  ];
  return (
    <Menu
      label={name}
      width={WIDTH_PX}
      placement="bottom-end"
      trigger={props => (
        <button type="button" id="user-button" className={styles.user} title="User menu" {...props}>
          <span className={styles.letter} aria-hidden="true">
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className={styles.userName}>{name}</span>
        </button>
      )}
    >
      {close =>
        entries.map((entry, index) => (
          <div
            key={entry.key}
            role="none"
            className={styles.staggered}
            style={{ animationDelay: `${FIRST_ENTRY_MS + index * NEXT_ENTRY_MS}ms` } satisfies CSSProperties}
          >
            <MenuItem
              icon={entry.icon}
              onChoose={() => {
                close();
                entry.run();
              }}
            >
              {entry.title}
            </MenuItem>
          </div>
        ))
      }
    </Menu>
  );
}
