// What the gateway relays of databases, and where servers of it listen when an address names no port.
export const relayedPorts: Readonly<Record<string, number>> = { postgres: 5432, mysql: 3306, redis: 6379 };

/** What can be used at a prompt in the console's terminals. */
export const promptProtocols: ReadonlySet<string> = new Set(['postgres']);
