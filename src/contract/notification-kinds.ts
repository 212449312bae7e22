// What people can be told of, by kind: under the console's bell, and by plugins.
export const notificationKinds = {
  request: 'Access requests to review',
  answer: 'Answers to access requests',
  list: 'Access lists to review',
  certificate: 'Certificates and licences that run out',
  upload: 'Recordings and logs that do not get through',
  lock: 'Locks',
} as const;
export type NotificationKind = keyof typeof notificationKinds;
export const notificationKindIds = Object.keys(notificationKinds) as readonly NotificationKind[];
