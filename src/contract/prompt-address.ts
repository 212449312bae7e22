// How a database's prompt is named where the id of a server stands: in the terminal socket, in addresses of the console, in workspaces.

const PREFIX = 'database';

/** Which database of which database server. */
export interface PromptAddress {
  readonly database: string;
  /** '' where the server has none to name. */
  readonly dbName: string;
}
/** No id and no host has a slash: it can be taken for neither. */
export const promptAddress = ({ database, dbName }: PromptAddress): string =>
  [PREFIX, encodeURIComponent(database), encodeURIComponent(dbName)].join('/');

/** Null for what names a server. */
export function readPromptAddress(serverId: string): PromptAddress | null {
  const [prefix, database, dbName, ...rest] = serverId.split('/');
  if (prefix !== PREFIX || !database || dbName === undefined || rest.length > 0) return null;
  try {
    return { database: decodeURIComponent(database), dbName: decodeURIComponent(dbName) };
  } catch {
    return null;
  }
}
