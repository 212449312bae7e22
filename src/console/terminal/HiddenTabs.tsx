import { ChevronsRight } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { companyText } from './company.ts';
import styles from './tab-bar.module.css';
import { shownIn, type Terminals } from './terminals.ts';

/** The tabs that do not fit into the bar, by their whole titles. */
export function HiddenTabs({ terminals, keys }: { readonly terminals: Terminals; readonly keys: readonly string[] }) {
  const shown = shownIn(useSnapshot(terminals.state));
  const label = `${keys.length} more ${keys.length === 1 ? 'terminal' : 'terminals'}`;
  return (
    <Menu
      label={label}
      trigger={given => (
        <button type="button" className={styles.more} aria-label={label} title={label} {...given}>
          <ChevronsRight size={14} aria-hidden /> {keys.length}
        </button>
      )}
    >
      {close =>
        shown.map(
          ({ tab, key, title }, index) =>
            keys.includes(key) && (
              <MenuItem
                key={key}
                detail={companyText(tab) || undefined}
                trailing={index < 9 && <kbd>Alt+{index + 1}</kbd>}
                onChoose={() => {
                  close();
                  terminals.selectGroup(key);
                }}
              >
                {title}
              </MenuItem>
            ),
        )
      }
    </Menu>
  );
}
