// Short texts between the gateways of one PostgreSQL: LISTEN on a connection of its own, NOTIFY apart from every writing transaction.
import pg from 'pg';
import type { Announcements } from '../store.ts';

/** The channel is the schema's: several clusters may share a database. A channel's name has at most 63 bytes. */
const CHANNEL = "left('postern ' || current_schema(), 63)";
/** Pause before the first try after a loss, and before the last of many, ms. */
const RETRY_LEAST_MS = 500;
const RETRY_MOST_MS = 30_000;

export interface AnnouncementParts {
  readonly url: string;
  /** Runs a statement on any connection. */
  readonly run: (sql: string, values: readonly string[]) => Promise<unknown>;
  readonly warn: (message: string) => void;
}

/** Connects when somebody listens. You must close it. */
export function openAnnouncements({ url, run, warn }: AnnouncementParts): Announcements & { close(): Promise<void> } {
  const listeners = new Set<(text: string) => void>();
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | undefined;
  let pause = RETRY_LEAST_MS;
  let isClosed = false;

  async function connect(): Promise<void> {
    const mine = new pg.Client({ connectionString: url, application_name: 'postern announcements', keepAlive: true });
    client = mine;
    let isLost = false;
    const lose = (error?: Error): void => {
      if (isLost || isClosed) return;
      isLost = true;
      warn(
        `changes of other gateways are noticed later, until the database is reached again: ${error?.message ?? 'the connection ended'}`,
      );
      void mine.end().catch(() => undefined);
      retry = setTimeout(() => void connect(), pause).unref();
      pause = Math.min(2 * pause, RETRY_MOST_MS);
    };
    mine.on('error', lose);
    mine.on('end', () => lose());
    mine.on('notification', ({ payload = '' }) => {
      for (const listener of listeners) listener(payload);
    });
    try {
      await mine.connect();
      const { rows } = await mine.query<{ channel: string }>(`SELECT quote_ident(${CHANNEL}) AS channel`);
      await mine.query(`LISTEN ${rows[0]?.channel}`);
      pause = RETRY_LEAST_MS;
    } catch (error) {
      lose(error instanceof Error ? error : new Error(String(error)));
    }
  }

  return {
    send: async text => void (await run(`SELECT pg_notify(${CHANNEL}, $1)`, [text])),
    async listen(listener) {
      listeners.add(listener);
      if (client === null) await connect();
      return () => void listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
