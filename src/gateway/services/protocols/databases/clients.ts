// Clients of databases once it is known whose they are: by the certificate that they have shown here, or by a root that vouches for them.
import type { Duplex } from 'node:stream';
import type { Identity } from '../identity.ts';
import type { DatabaseDoor } from './door.ts';
import type { Engine } from './engine.ts';
import { createMysql, type Mysql } from './mysql/relay.ts';
import { createPostgresql } from './postgresql/relay.ts';
import { createRedis } from './redis/relay.ts';

/** The way in for somebody who is known. Throws Failure with a sentence for the person. */
export type Enter = (identity: Identity, remoteAddr: string) => Promise<DatabaseDoor>;
interface Client {
  readonly identity: Identity;
  readonly remoteAddr: string;
  /** What it has begun to speak; undefined: what its database does. */
  readonly spoken: Engine | undefined;
}
export interface DatabaseClients {
  readonly mysql: Mysql;
  readonly postgresql: ReturnType<typeof createPostgresql>;
  /** By what clients say that they speak as TLS begins: libpq 17, and the plain ports of people's machines. */
  readonly byAlpn: ReadonlyMap<string, Engine>;
  /** Tells a client why it does not come in. */
  refuse(client: Duplex, spoken: Engine | undefined, why: string): void;
  serve(client: Duplex, of: Client): Promise<void>;
  /** The engine of a client that has said elsewhere what it speaks; undefined: nothing that is known. `number`: as it was greeted. */
  engineOf(protocol: string, number: number | null): Engine | undefined;
}

export function createDatabaseClients(enter: Enter): DatabaseClients {
  const postgresql = createPostgresql();
  const mysql = createMysql();
  const redis = createRedis();
  const engines: readonly Engine[] = [postgresql, mysql, redis];
  const refuse: DatabaseClients['refuse'] = (client, spoken, why) => (spoken ?? redis).refuse(client, why);
  return {
    mysql,
    postgresql,
    byAlpn: new Map([
      ['postgresql', postgresql],
      ...engines.map(engine => [`postern-${engine.protocol}`, engine] as const),
    ]),
    refuse,
    async serve(client, { identity, remoteAddr, spoken }) {
      let door: DatabaseDoor;
      try {
        door = await enter(identity, remoteAddr);
      } catch (error) {
        return refuse(client, spoken, error instanceof Error ? error.message : String(error));
      }
      const { name, protocol } = door.database;
      const engine = spoken ?? engines.find(one => one.protocol === protocol);
      if (engine?.protocol !== protocol)
        return refuse(client, spoken, `${name} speaks ${protocol}: connect as postern db login ${name} says`);
      await engine.serve(client, door);
    },
    engineOf: (protocol, number) =>
      protocol === mysql.protocol && number !== null
        ? mysql.greeted(number)
        : engines.find(one => one.protocol === protocol),
  };
}
