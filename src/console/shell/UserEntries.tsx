import { LogOut, Moon, Sun } from 'lucide-react';
import type { CSSProperties } from 'react';
import { placed } from '../../features/access.ts';
import { to } from '../../features/paths.ts';
import { features } from '../../features/table.ts';
import { MenuItem } from '../ui/MenuItem.tsx';
import styles from './frame-menus.module.css';
import { FeatureIcon } from './icons.tsx';
import { themeToggle } from './theme.ts';
import type { UserMenuProps } from './UserMenu.tsx';

/** The entries appear one after the other (specification section 9). */
const FIRST_ENTRY_MS = 80;
const NEXT_ENTRY_MS = 20;

/** The user menu's entries: the person's own pages, the theme, and the way out. */
export function UserEntries({
  viewer,
  clusterId,
  theme,
  onGo,
  onTheme,
  onSignOut,
  close,
}: UserMenuProps & { readonly close: () => void }) {
  const toggle = theme === undefined ? undefined : themeToggle(theme);
  const entries = [
    ...placed('menu', viewer).map(id => ({
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
  return entries.map((entry, index) => (
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
  ));
}
