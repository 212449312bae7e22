// What stands around every page: notifications, the user's menu, the clusters, banners and notices.
import { hasCluster } from '../src/features/paths.ts';
import { type Command, command } from './command.ts';
import { inConsole } from './gates.ts';

export const frame: readonly Command[] = [
  command({
    id: 'notifications.open',
    title: 'Show the notifications',
    group: 'console',
    keys: 'shift+b',
    words: ['bell', 'messages', 'notices'],
    when: inConsole,
    run: (_given, _facts, tools) => tools.frame?.open('notifications'),
  }),
  command({
    id: 'notifications.read',
    title: 'Mark all notifications as read',
    group: 'console',
    words: ['bell', 'clear', 'seen'],
    when: inConsole,
    run: (_given, _facts, tools) => tools.frame?.readNotifications(),
  }),
  command({
    id: 'notices.dismiss',
    title: 'Dismiss all notices',
    group: 'console',
    words: ['close', 'messages', 'toasts'],
    when: inConsole,
    run: (_given, _facts, tools) => tools.frame?.dismissNotices(),
  }),
  command({
    id: 'banner.dismiss',
    title: 'Dismiss the first banner',
    group: 'console',
    words: ['close', 'alert'],
    when: inConsole,
    run: (_given, _facts, tools) => {
      if (tools.frame?.dismissBanner() === false) tools.notify('There is no banner');
    },
  }),
  command({
    id: 'account.menu',
    title: 'Open the user menu',
    group: 'console',
    words: ['account', 'profile'],
    when: inConsole,
    run: (_given, _facts, tools) => tools.frame?.open('user'),
  }),
  command({
    id: 'cluster.choose',
    title: 'Choose the cluster',
    group: 'console',
    words: ['switch', 'leaf', 'root'],
    when: facts => inConsole(facts) && facts.feature !== null && hasCluster(facts.feature),
    run: (_given, _facts, tools) => tools.frame?.open('clusters'),
  }),
];
