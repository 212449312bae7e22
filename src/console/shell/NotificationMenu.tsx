import { dateTime } from '../../features/times.ts';
import { MenuItem, MenuNote } from '../ui/MenuItem.tsx';
import { type Notices, type Notification, notificationText } from './notices.ts';

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
          detail={`${item.resourceName} · ${dateTime(date)}`}
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
