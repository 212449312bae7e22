// What concerns a person and has happened while they did not look. Ours: a notification has the shape of the specification, section 3.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { type NotificationKind, notificationKindIds } from './notification-kinds.ts';
import { clusterParams, ok, time } from './shapes.ts';

/** Notifications of one person that are listed. */
export const NOTIFICATIONS_MOST = 100;
const id = z.string().check(z.minLength(1), z.maxLength(200));

export const notification = z.object({
  id,
  date: time,
  item: z.object({
    kind: z.enum(notificationKindIds as [NotificationKind, ...NotificationKind[]]),
    /** Page of the console that it leads to. */
    route: z.string(),
    /** What it is about. */
    resourceName: z.string(),
    text: z.string(),
  }),
  /** Also when it was read on another device. */
  isRead: z.boolean(),
});
export type PersonNotification = z.infer<typeof notification>;

export const listNotifications = call('GET', 'sites/:clusterId/notifications', {
  summary: 'What concerns this person, the newest first, at most 100: as their rights are now.',
  access: 'signedIn',
  params: clusterParams,
  reply: z.object({ items: z.array(notification) }),
  isAutomatic: true,
});
export const readNotifications = call('PUT', 'sites/:clusterId/notifications/read', {
  summary: 'Mark notifications as read, on all devices of this person: those that are named, or all.',
  access: 'signedIn',
  params: clusterParams,
  body: z.object({ ids: z.optional(z.array(id).check(z.maxLength(NOTIFICATIONS_MOST))) }),
  reply: ok,
});
