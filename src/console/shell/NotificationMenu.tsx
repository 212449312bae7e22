import { MenuItem, MenuNote } from '../ui/MenuItem.tsx';
import { type Notices, type Notification, notificationText } from './notices.ts';

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** What the bell opens: the notifications, newest first. Choosing one goes to its page. */
export function NotificationMenu({
  notices,
  notifications,
  onGo,
  close,
}: {
  readonly notices: Notices;
  readonly notifications: readonly Notification[];
  readonly onGo: (path: string) => void;
  readonly close: () => void;
}) {
  if (notifications.length === 0) return <MenuNote>No notifications</MenuNote>;
  return (
    <>
      {notifications.map(({ id, date, item }) => (
        <MenuItem
          key={id}
          detail={`${item.resourceName} · ${time.format(date)}`}
          onChoose={() => {
            close();
            notices.read(id);
            onGo(item.route);
          }}
        >
          {notificationText(item)}
        </MenuItem>
      ))}
      <MenuItem
        onChoose={() => {
          close();
          notices.read();
        }}
      >
        Mark all as read
      </MenuItem>
    </>
  );
}
