// What the gateway relays of databases, and where servers of it listen when an address names no port.
export const relayedPorts: Readonly<Record<string, number>> = { postgres: 5432, mysql: 3306, redis: 6379 };

/** What can be used at a prompt in the console's terminals. */
export const promptProtocols: ReadonlySet<string> = new Set(['postgres', 'mysql', 'redis']);

/** The databases of a server that a prompt may be opened on, as roles name them; a Redis server's have numbers, which they do not name. */
export const promptNames = ({
  protocol,
  database_names: names,
}: {
  readonly protocol: string;
  readonly database_names: readonly string[];
}): readonly string[] => (protocol === 'redis' ? [''] : names);

/** Whose servers make users for sessions, by their administrator (admin_user). */
export const userMakingProtocols: ReadonlySet<string> = new Set(['postgres', 'mysql']);
