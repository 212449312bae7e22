// The direct way out: a TCP connection from this machine.
import { connect } from 'node:net';
import type { Reach } from '../../ports.ts';
import { givenBack } from '../reused-memory.ts';

/** Most that is read at once, bytes. */
const READ_BYTES = 64 * 1024;
/** How long a silent connection waits before the system asks whether the other side is still there, ms. */
const KEEPALIVE_MS = 30_000;

/** Reaches targets by their own address. The only way there is so far: whoever asks cannot tell it from another. */
export function createDirectReach(): Reach {
  return {
    open({ host, port }, receive) {
      // Memory of its own for every read, 64 kB each, would keep the collector busier than everything else with bulk output.
      const memory = Buffer.allocUnsafeSlow(READ_BYTES);
      const socket = connect({
        host,
        port,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: KEEPALIVE_MS,
        onread: {
          buffer: memory,
          callback(length) {
            const bytes = memory.subarray(0, length);
            receive(bytes);
            givenBack(bytes);
            return true;
          },
        },
      });
      return socket;
    },
  };
}
