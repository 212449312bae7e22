// Locks.
import { createLock, deleteLock, listLocks, lockableDevices } from '../../contract/locks.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveLocks(serve: Serve, { locks }: Services): void {
  serve(listLocks, async (_asked, who) => [...(await locks.list(who))]);
  serve(lockableDevices, async (_asked, who) => [...(await locks.devices(who))]);
  serve(createLock, ({ body }, who) => locks.add(body, who));
  serve(deleteLock, async ({ params }, who) => {
    await locks.remove(params.name, who);
    return OK;
  });
}
