// A connection of the gateway's own, beside the one that it relays: as the same database user, and gone once it has answered.
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';

/** Of all that is read of the database, bytes. */
const READ_MOST_BYTES = 4 * 1024 * 1024;

export interface OwnConnection {
  /** Of the server, its major version; 0: it has not said. */
  readonly version: number;
  /** One statement, by the extended protocol: whatever the text is, it is no more. Rejects. */
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly (readonly unknown[])[] }>;
  close(): void;
}

/** As whom, and where. */
export interface OwnLogin {
  readonly dbUser: string;
  readonly dbName: string;
  /** What is shown where a password is asked for; absent: the certificate is what counts. */
  readonly password?: () => Promise<string>;
}
const noPassword = (): Promise<string> => Promise.reject(new Error('the database asks for a password'));

/** `dial` connects and never logs in; all of it takes no longer than `mostMs`. Rejects with a sentence. */
export async function openOwn(
  { dbUser, dbName, password = noPassword }: OwnLogin,
  dial: () => Promise<Duplex>,
  mostMs: number,
): Promise<OwnConnection> {
  let stream: Duplex | undefined;
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    stream?.destroy(new Error('the database took too long'));
  }, mostMs);
  const close = (): void => {
    clearTimeout(late);
    stream?.destroy();
  };
  try {
    const reached = await dial();
    stream = reached;
    if (isLate) throw new Error('the database took too long');
    let read = 0;
    reached.on('data', (bytes: Buffer) => {
      read += bytes.length;
      if (read > READ_MOST_BYTES) reached.destroy(new Error('the answer is too long'));
    });
    const client = new pg.Client({
      stream: () => connected(reached),
      ssl: false,
      user: dbUser,
      database: dbName,
      client_encoding: 'UTF8',
      application_name: 'postern',
      password,
    });
    const { connection } = client as unknown as { readonly connection: NodeJS.EventEmitter };
    let version = 0;
    connection.on(
      'parameterStatus',
      ({ parameterName, parameterValue }: { parameterName: string; parameterValue: string }) => {
        if (parameterName === 'server_version') version = Number.parseInt(parameterValue, 10);
      },
    );
    const failed = once(client, 'error').then(([error]) => Promise.reject(error));
    failed.catch(() => undefined);
    await Promise.race([client.connect(), failed]);
    return {
      get version() {
        return version;
      },
      query(text, values = []) {
        const asked = { text, values: [...values], rowMode: 'array', queryMode: 'extended' } as pg.QueryArrayConfig;
        return Promise.race([client.query(asked), failed]);
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** What `pg` asks of a socket that is connected already. */
function connected(stream: Duplex): Duplex {
  return Object.assign(stream, {
    connect() {
      queueMicrotask(() => stream.emit('connect'));
      return stream;
    },
  });
}
