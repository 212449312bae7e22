// The direct way out: a TCP connection from this machine.
import { connect } from 'node:net';
import type { Reach } from '../../ports.ts';
import { givenBack } from '../reused-memory.ts';

/** Most that is read at once, bytes. */
const READ_MOST_BYTES = 64 * 1024;
/** What a connection that never says much reads into, bytes: hundreds of them wait for single keys. */
const READ_LEAST_BYTES = 4096;
/** How long a silent connection waits before the system asks whether the other side is still there, ms. */
const KEEPALIVE_MS = 30_000;

/** Reaches targets by their own address. The only way there is so far: whoever asks cannot tell it from another. */
export function createDirectReach(): Reach {
  return {
    open({ host, port }, receive) {
      // Memory of its own for every read, 64 kB each, would keep the collector busier than everything else with bulk output.
      let memory = Buffer.allocUnsafeSlow(READ_LEAST_BYTES);
      const socket = connect({
        host,
        port,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: KEEPALIVE_MS,
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
  };
}
