import { Bell as BellIcon } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { Button } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem, MenuNote } from '../ui/MenuItem.tsx';
import type { Notices } from './notices.ts';
import styles from './topbar.module.css';

/** Width of the dropdown, pixels (specification section 9). */
const WIDTH_PX = 300;
const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** What was said and may not have been seen, newest first; a dot when there is any. Choosing one closes the dropdown. */
export function Bell({ notices }: { readonly notices: Notices }) {
  const { missed } = useSnapshot(notices.state);
  return (
    <Menu
      label="Notifications"
      width={WIDTH_PX}
      placement="bottom-end"
      kind={missed.length === 0 ? 'dialog' : 'menu'}
      trigger={props => (
        <Button
          kind="quiet"
          className={styles.bell}
          aria-label={missed.length === 0 ? 'Notifications' : `Notifications: ${missed.length}`}
          icon={
            <>
              <BellIcon aria-hidden="true" />
              {missed.length > 0 && <span className={styles.dot} aria-hidden="true" />}
            </>
          }
          {...props}
        />
      )}
    >
      {close =>
        missed.length === 0 ? (
          <MenuNote>No notifications</MenuNote>
        ) : (
          missed.map(notice => (
            <MenuItem
              key={notice.id}
              detail={time.format(notice.at)}
              onChoose={() => {
                close();
                notices.read(notice.id);
              }}
            >
              {notice.text}
            </MenuItem>
          ))
        )
      }
    </Menu>
  );
}
