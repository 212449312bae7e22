// Open sockets by web session: when the session ends, here or on another gateway, they are closed with a reason.
import type { Sessions } from '../services/identity/web-sessions.ts';
import { openChecks } from '../services/sessions/policy/checks.ts';

export interface Sockets {
  /** Calls `close` once when the web session is over. Answers the function that forgets the socket. */
  add(webSessionId: string, close: () => void): () => void;
  dispose(): void;
}

/** `failed` hears of a check that could not be made; the sockets stay until the next one. */
export function openSockets(sessions: Pick<Sessions, 'alive' | 'onEnded'>, failed: (error: unknown) => void): Sockets {
  const open = new Map<string, Set<() => void>>();

  const checks = openChecks(async () => {
    for (const id of [...open.keys()]) {
      if (await sessions.alive(id)) continue;
      const closes = open.get(id) ?? [];
      open.delete(id);
      for (const close of closes) close();
    }
  }, failed);
  sessions.onEnded(checks.now);

  return {
    add(webSessionId, close) {
      const closes = open.get(webSessionId) ?? new Set();
      open.set(webSessionId, closes.add(close));
      return () => {
        closes.delete(close);
        if (closes.size === 0 && open.get(webSessionId) === closes) open.delete(webSessionId);
      };
    },
    dispose: checks.dispose,
  };
}
