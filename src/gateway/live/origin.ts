// Which pages may open our sockets: browsers send cookies along with a socket from any page, so the Origin header decides.
import type { Server } from 'node:http';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'] as const;
const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/;

/**
 * Answers whether an Origin header names one of our own pages. Absent: a client that is no browser, and so carries nobody's
 * cookies unasked. Anything else must be one of ours to the letter; a gateway that listens on loopback only is also reached
 * by the loopback names of its port.
 */
export function createOriginCheck(
  own: readonly string[],
  server: Pick<Server, 'address'>,
  tls: boolean,
): (origin: string | undefined) => boolean {
  const fixed = new Set(own.map(url => new URL(url).origin));
  return origin => {
    if (origin === undefined) return true;
    if (fixed.has(origin)) return true;
    const address = server.address();
    if (address === null || typeof address === 'string' || !LOOPBACK_ADDRESS.test(address.address)) return false;
    return LOOPBACK_NAMES.some(
      name => origin === new URL(`${tls ? 'https' : 'http'}://${name}:${address.port}`).origin,
    );
  };
}
