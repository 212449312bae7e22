// Notifications of the person who asks.
import { listNotifications, readNotifications } from '../../contract/notifications.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveNotifications(serve: Serve, { notifications }: Services): void {
  serve(listNotifications, async (_asked, who) => ({ items: [...(await notifications.list(who))] }));
  serve(readNotifications, async ({ body }, who) => {
    await notifications.read(who, body.ids);
    return OK;
  });
}
