// What a line needs of a real browser: sockets, time, the way home from sleep, and why a socket was refused.
import { fromAnswer } from '../../contract/failure.ts';
import { type TerminalParams, terminalPath } from '../../contract/terminal.ts';
import type { LinePorts, Socket } from './line.ts';
import type { Refusal } from './verdict.ts';

/** Address of the terminal socket (contract/websockets.md 1). */
export function terminalUrl(origin: string, clusterId: string, params: TerminalParams, token: string): string {
  const url = new URL(terminalPath.replace(':clusterId', encodeURIComponent(clusterId)), origin);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  url.search = new URLSearchParams({ access_token: token, params: JSON.stringify(params), traceparent: '' }).toString();
  return url.href;
}

const COULD_NOT_TEXT = 'The connection could not be opened';

/** Asks the same address without an upgrade: the gateway checks it alike and says in plain HTTP what is wrong. */
export async function whyRefused(socketUrl: string, fetch = globalThis.fetch): Promise<Refusal> {
  const url = new URL(socketUrl);
  url.protocol = url.protocol === 'ws:' ? 'http:' : 'https:';
  try {
    const answer = await fetch(url, { cache: 'no-store', credentials: 'same-origin', redirect: 'error' });
    if (answer.ok || answer.status === 426) return { status: 426, text: COULD_NOT_TEXT };
    const body: unknown = await answer.json().catch(() => null); // a proxy may answer with a page; the status still counts
    const told = fromAnswer({ status: answer.status, url: url.pathname }, body);
    return { status: answer.status, text: told.response?.status && body === null ? COULD_NOT_TEXT : told.message };
  } catch {
    return { status: 0, text: 'The gateway cannot be reached' };
  }
}

export function browserPorts(clusterId: string, token: () => string | Promise<string>): LinePorts {
  return {
    url: (params, bearer) => terminalUrl(location.origin, clusterId, params, bearer),
    token,
    connect: url => new WebSocket(url) as unknown as Socket,
    why: url => whyRefused(url),
    clock: {
      now: () => Date.now(),
      after(ms, run) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    onWake(run) {
      const shown = (): void => {
        if (document.visibilityState === 'visible') run();
      };
      addEventListener('online', run);
      document.addEventListener('visibilitychange', shown);
      return () => {
        removeEventListener('online', run);
        document.removeEventListener('visibilitychange', shown);
      };
    },
  };
}
