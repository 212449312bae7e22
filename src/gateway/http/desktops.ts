// Desktops: added, changed and removed one by one, and found in directories.
import * as z from 'zod/mini';
import { compareDesktopCertificate, trustDesktopCertificate } from '../../contract/desktop-certificates.ts';
import { createDesktop, deleteDesktop, updateDesktop } from '../../contract/desktop-changes.ts';
import { setDesktopPassword } from '../../contract/desktop-sessions.ts';
import { createDiscovery } from '../../contract/discovery-changes.ts';
import { Failure } from '../../contract/failure.ts';
import { desktop } from '../../contract/resources.ts';
import { OK } from '../../contract/shapes.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveDesktops(serve: Serve, services: Services): void {
  const { managedDesktops, managedDiscoveries, desktopCertificates, reachable } = services;
  serve(createDesktop, async ({ body }, who) => {
    await managedDesktops.add(body, who);
    const { name, addr, protocol, labels } = body;
    // Who adds one need not be among those whose roles select it.
    return reachable.desktop(who, name).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'not_found')
        return z.parse(desktop, { name, addr, protocol, labels });
      throw error;
    });
  });
  serve(updateDesktop, async ({ params: { name }, body: { addr, protocol, labels } }, who) => {
    await managedDesktops.change(name, { addr, protocol, labels }, who);
    return reachable.desktop(who, name);
  });
  serve(setDesktopPassword, async ({ params: { name, login }, body }, who) => {
    await managedDesktops.keepPassword(name, login, body.password, who);
    return OK;
  });
  serve(compareDesktopCertificate, ({ params }, who) => desktopCertificates.compare(who, params.name));
  serve(trustDesktopCertificate, ({ params, body }, who) => desktopCertificates.trust(who, params.name, body));
  serve(createDiscovery, async ({ body }, who) => ({ name: body.name, ...(await managedDiscoveries.add(body, who)) }));
  serve(deleteDesktop, async ({ params }, who) => {
    await managedDesktops.remove(params.name, who);
    return OK;
  });
}
