// The folders that this browser was in last, by server and login; forgotten with the rest when the person signs out.
const KEY = 'postern:folders';
/** Logins that are remembered. */
const KEPT_MOST = 100;

const keyOf = (serverId: string, login: string): string => `${serverId}/${login}`;
function read(storage: Pick<Storage, 'getItem'>): [string, string][] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    const isPair = (one: unknown): one is [string, string] =>
      Array.isArray(one) && one.length === 2 && one.every(part => typeof part === 'string');
    return Array.isArray(kept) ? kept.filter(isPair) : [];
  } catch {
    // Storage belongs to the person, who may edit it.
    return [];
  }
}
/** The folder that a login was in last; undefined where it was in none. */
export const folderOf = (storage: Pick<Storage, 'getItem'>, serverId: string, login: string): string | undefined =>
  read(storage).find(([key]) => key === keyOf(serverId, login))?.[1];
export function keepFolder(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  serverId: string,
  login: string,
  path: string,
) {
  const key = keyOf(serverId, login);
  const others = read(storage).filter(([other]) => other !== key);
  storage.setItem(KEY, JSON.stringify([[key, path], ...others].slice(0, KEPT_MOST)));
}
