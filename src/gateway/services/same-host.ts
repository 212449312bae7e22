// Whether two requests came from one place, for roles that bind a sign-in to where it began.

/** The host of a host:port, or of a host alone, as one spelling: an IPv4 address that came over IPv6 is itself, and this machine is one however it calls itself. */
function hostOfPeer(peer: string): string {
  const host = peer
    .replace(/^([^:]*|\[.*\]):\d+$/, '$1')
    .replace(/^\[|\]$/g, '')
    .replace(/^::ffff:(?=\d+\.)/i, '');
  return /^(127\.|::1$)/.test(host) ? 'loopback' : host;
}
/** Whether two peers are at one address. Who is gone already is nowhere. */
export const isSameHost = (one: string, other: string): boolean => one !== '' && hostOfPeer(one) === hostOfPeer(other);
