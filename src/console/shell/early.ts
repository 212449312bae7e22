// What every signed-in page asks first, asked before the files that read the answers are here.
import type { ApiPorts } from '../api/client.ts';

/** Paths of the user context and the preferences, spelled out because the contract is not loaded yet; a test holds them equal to it. */
export const earlyPaths = ['/v1/webapi/sites/-current-/context', '/v1/webapi/user/preferences'] as const;

/** A fetch that hands out each early answer once; everything else, and everything later, goes to the network. */
export function createEarlyFetch(fetch: ApiPorts['fetch'], headers: () => Readonly<Record<string, string>>) {
  const early = new Map<string, Promise<Response>>();
  return {
    begin: (): void => {
      for (const path of earlyPaths) {
        const answer = fetch(path, { headers: headers(), credentials: 'same-origin', cache: 'no-store' });
        // Whoever takes it hears of the failure; an answer that nobody takes may fail in silence.
        answer.catch(() => undefined);
        early.set(path, answer);
      }
    },
    fetch: ((url, init) => {
      const waiting = typeof url === 'string' && init?.method === 'GET' ? early.get(url) : undefined;
      if (waiting === undefined) return fetch(url, init);
      early.delete(String(url));
      return waiting;
    }) satisfies ApiPorts['fetch'],
  };
}
