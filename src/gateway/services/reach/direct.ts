// The direct way out: a TCP connection from this machine.
import { type LookupAddress, lookup } from 'node:dns';
import { once } from 'node:events';
import { connect, type LookupFunction } from 'node:net';
import { ConnectError, type Reach } from '../../ports/reach.ts';
import { isOwnAddress } from '../own-addresses.ts';
import { givenBack } from '../reused-memory.ts';

/** Most that is read at once, bytes. */
const READ_MOST_BYTES = 64 * 1024;
/** What a connection that never says much reads into, bytes: hundreds of them wait for single keys. */
const READ_LEAST_BYTES = 4096;
/** How long a silent connection waits before the system asks whether the other side is still there, ms. */
const KEEPALIVE_MS = 30_000;
/** What has not answered by then is not there, ms. */
const CONNECT_MS = 10_000;
const lasting = { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEPALIVE_MS };

/** Names are judged by what they resolve to in the very look-up that is connected to: what they meant a moment ago counts nothing. */
const lookupOthers: LookupFunction = (hostname, options, done) =>
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[] = []) => {
    const others = found.filter(({ address }) => !isOwnAddress(address));
    const [first] = others;
    if (error || !first) done(error ?? ownRefused(hostname), '');
    else if (options.all) done(null, others);
    else done(null, first.address, first.family);
  });
const ownRefused = (host: string): ConnectError =>
  new ConnectError(
    'not_permitted',
    `${host} is the gateway's own machine or link: a role must allow that (reach_loopback)`,
  );

/** Reaches targets by their own address. The only way there is so far: whoever asks cannot tell it from another. */
export function createDirectReach(): Reach {
  return {
    open({ host, port }, receive) {
      // Memory of its own for every read, 64 kB each, would keep the collector busier than everything else with bulk output.
      let memory = Buffer.allocUnsafeSlow(READ_LEAST_BYTES);
      const socket = connect({
        host,
        port,
        ...lasting,
        onread: {
          buffer: () => memory,
          callback(length, read) {
            const bytes = read.subarray(0, length);
            receive(bytes);
            givenBack(bytes);
            if (length === read.length && length < READ_MOST_BYTES) memory = Buffer.allocUnsafeSlow(READ_MOST_BYTES);
            return true;
          },
        },
      });
      return socket;
    },
    async stream({ host, port }, own) {
      if (!own && isOwnAddress(host)) throw ownRefused(host);
      const socket = connect({ host, port, ...lasting, ...(!own && { lookup: lookupOthers }) });
      try {
        await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
        return socket;
      } catch (error) {
        socket.destroy();
        if (error instanceof ConnectError) throw error;
        throw new ConnectError('unreachable', `${host}:${port} cannot be reached: ${reasonOf(error)}`);
      }
    },
  };
}

const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.name === 'AbortError') return `no answer within ${CONNECT_MS / 1000} s`;
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
};
