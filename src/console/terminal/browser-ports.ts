// What a terminal connection needs of a real browser: sockets, time, the way home from sleep.
import { explainRefusal, terminalAddress } from '../../client/refusal.ts';
import type { Socket, TerminalConnectionPorts } from '../../client/terminal-ports.ts';
import { startTrace } from '../ui/trace.ts';
import { onWake } from '../ui/wake.ts';

/** The ports of a terminal of this cluster. */
export function browserPorts(clusterId: string, token: TerminalConnectionPorts['token']): TerminalConnectionPorts {
  const trace = startTrace(localStorage);
  return {
    address: (params, bearer) => terminalAddress(clusterId, params, bearer, trace()),
    token,
    connect: address => new WebSocket(location.origin.replace(/^http/, 'ws') + address) as unknown as Socket,
    explainRefusal: address =>
      explainRefusal(
        (path, request) =>
          fetch(path, { ...request, cache: 'no-store', credentials: 'same-origin', redirect: 'error' }),
        address,
      ),
    clock: {
      now: () => Date.now(),
      after(ms, run) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    onWake,
  };
}
