import { Bell as BellIcon } from 'lucide-react';
import type { Ref } from 'react';
import { useSnapshot } from 'valtio';
import { Button } from '../ui/Button.tsx';
import { Menu, type MenuHandle } from '../ui/Menu.tsx';
import { NotificationMenu } from './NotificationMenu.tsx';
import type { Notices } from './notices.ts';
import styles from './topbar.module.css';

/** Width of the dropdown, pixels (specification section 9). */
const WIDTH_PX = 300;

/** The notifications, newest first; a dot when there are any. Choosing one closes the dropdown and goes to its page. */
export function Bell({
  menu,
  notices,
  onGo,
}: {
  readonly menu: Ref<MenuHandle>;
  readonly notices: Notices;
  readonly onGo: (path: string) => void;
}) {
  const { notifications: said, told } = useSnapshot(notices.state);
  const notifications = [...told, ...said];
  const { length } = notifications;
  return (
    <Menu
      ref={menu}
      label="Notifications"
      width={WIDTH_PX}
      placement="bottom-end"
      kind={length === 0 ? 'dialog' : 'menu'}
      trigger={props => (
        <Button
          kind="quiet"
          className={styles.bell}
          aria-label={length === 0 ? 'Notifications' : `Notifications: ${length}`}
          icon={
            <>
              <BellIcon aria-hidden="true" />
              {length > 0 && <span className={styles.dot} aria-hidden="true" />}
            </>
          }
          {...props}
        />
      )}
    >
      {close => <NotificationMenu notices={notices} notifications={notifications} onGo={onGo} close={close} />}
    </Menu>
  );
}
