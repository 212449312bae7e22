// What a terminal connection needs of Node: sockets that carry the session's cookies, time, and waking up.
import { explainRefusal, terminalAddress } from '../../client/refusal.ts';
import type { Socket, TerminalConnectionPorts } from '../../client/terminal-ports.ts';
import { send } from './http.ts';
import type { Session } from './signed.ts';

/** Node's own WebSocket takes headers beside what a browser's takes. */
const HeadedSocket = globalThis.WebSocket as unknown as new (
  address: string,
  options: { readonly headers: Readonly<Record<string, string>> },
) => Socket;

/** The ports of a terminal of this cluster, for whoever is signed in. */
export function nodePorts({ url, bearer, cookies }: Session, clusterId: string): TerminalConnectionPorts {
  return {
    address: (params, token) => terminalAddress(clusterId, params, token),
    token: bearer,
    connect: address => new HeadedSocket(url.replace(/^http/, 'ws') + address, { headers: { cookie: cookies() } }),
    explainRefusal: address =>
      explainRefusal(
        (path, request) => send(url, path, { ...request, headers: { ...request.headers, cookie: cookies() } }),
        address,
      ),
    clock: {
      now: () => performance.now(),
      after(ms, run) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    // A process that was stopped goes on.
    onWake(run) {
      process.on('SIGCONT', run);
      return () => process.off('SIGCONT', run);
    },
  };
}
