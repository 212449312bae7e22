// What a person has answered once for each server, kept in the browser. Another person of the same browser is asked anew.
import type { TextStorage } from './ports.ts';

/** Servers remembered: more than a person answers for; the oldest answer goes first. */
const SERVERS_MOST = 500;

type Answer = readonly [serverId: string, isAllowed: boolean];
const isAnswer = (value: unknown): value is Answer =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'boolean';

/** The answers to one question, under a key of the storage. What is stored there by somebody else counts as nothing. */
export function createServerAnswers(storage: TextStorage, key: string) {
  function read(user: string): readonly Answer[] {
    try {
      const value: unknown = JSON.parse(storage.getItem(key) ?? 'null');
      if (typeof value !== 'object' || value === null) return [];
      const { user: whose, servers } = value as { readonly user?: unknown; readonly servers?: unknown };
      return whose === user && Array.isArray(servers) ? servers.filter(isAnswer) : [];
    } catch {
      return []; // not ours: the next answer replaces it
    }
  }
  return {
    /** The answer for a server; undefined: it was never given. */
    get: (user: string, serverId: string): boolean | undefined => read(user).find(([id]) => id === serverId)?.[1],
    set(user: string, serverId: string, isAllowed: boolean): void {
      const others = read(user).filter(([id]) => id !== serverId);
      try {
        const servers = [...others, [serverId, isAllowed] as const].slice(-SERVERS_MOST);
        storage.setItem(key, JSON.stringify({ user, servers }));
      } catch {
        storage.removeItem(key); // the quota is used up: it is asked again
      }
    },
  };
}
