import { Fragment } from 'react';
import { notificationKinds } from '../../contract/notification-kinds.ts';
import { dateTime } from '../../features/times.ts';
import { MenuItem, MenuNote } from '../ui/MenuItem.tsx';
import type { Notices, Notification } from './notices.ts';

const titles = { ...notificationKinds, notice: 'Said in this tab' } as const;
const kinds = Object.keys(titles) as readonly (keyof typeof titles)[];

/** What the bell opens: the notifications by kind, of each the newest first. Choosing one reads it and goes to its page. */
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
      {kinds.map(kind => {
        const found = notifications.filter(({ item }) => item.kind === kind);
        return (
          found.length > 0 && (
            <Fragment key={kind}>
              <MenuNote>{titles[kind]}</MenuNote>
              {found.map(({ id, date, item }) => (
                <MenuItem
                  key={id}
                  detail={`${item.resourceName} · ${dateTime(date)}`}
                  onChoose={() => {
                    close();
                    notices.read(id);
                    onGo(item.route);
                  }}
                >
                  {item.text}
                </MenuItem>
              ))}
            </Fragment>
          )
        );
      })}
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
