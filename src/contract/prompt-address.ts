// How a database's prompt is named where the id of a server stands: in the terminal socket, in addresses of the console, in workspaces.

const PREFIX = 'database';

/** Which database of which database server. */
export interface PromptAddress {
  readonly database: string;
  /** '' where the server has none to name. */
  readonly dbName: string;
}
/** No id and no host has a slash: it can be taken for neither. */
export const promptAddress = ({ database, dbName }: PromptAddress): string => slashed(PREFIX, database, dbName);

/** Null for what names a server. */
export function readPromptAddress(serverId: string): PromptAddress | null {
  const [database, dbName, ...rest] = readSlashed(PREFIX, serverId) ?? [];
  return database && dbName !== undefined && rest.length === 0 ? { database, dbName } : null;
}

/** Names behind a prefix, with slashes between them. */
export const slashed = (prefix: string, ...names: readonly string[]): string =>
  [prefix, ...names.map(encodeURIComponent)].join('/');
/** The names again; null where it has another prefix. */
export function readSlashed(prefix: string, text: string): readonly string[] | null {
  const [first, ...names] = text.split('/');
  if (first !== prefix) return null;
  try {
    return names.map(decodeURIComponent);
  } catch {
    return null;
  }
}
/** Whether an id is that of a server, rather than of something else that has a terminal. */
export const namesServer = (serverId: string): boolean => serverId !== '' && !serverId.includes('/');
