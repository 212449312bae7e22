// Looks at the certificate that a desktop over RDP shows, without logging in.
import type { DesktopTarget } from '../../../ports/desktops.ts';
import type { Reach } from '../../../ports/reach.ts';
import type { Who } from '../../../ports/who.ts';

/** All of it takes no longer, ms. */
const SHOWN_MS = 15_000;

/** Answers the SHA-256 of the certificate, hex. Throws ConnectError. */
export function createShownCertificate({ reach }: { readonly reach: Pick<Reach, 'stream'> }) {
  return async (who: Who, desktop: DesktopTarget): Promise<string> => {
    const { name, host, port } = desktop;
    const { shownCertificate } = await import('./rdp/rdp.ts');
    const stream = await reach.stream({ target: name, host, port }, who.rights.options.reachLoopback);
    stream.on('error', () => undefined);
    const late = setTimeout(() => stream.destroy(), SHOWN_MS);
    try {
      return await shownCertificate(stream, desktop);
    } finally {
      clearTimeout(late);
    }
  };
}
