// Clients that people have for the databases that are relayed: the files that `postern db login` writes for them, and their command lines.
import { conninfo } from './conninfo.ts';

/** The one section of a service file, as libpq calls it. */
const SERVICE = 'postern';
/** What is a password in form only: redis-cli names a user with one alone, and the gateway looks at the certificate. */
const ANY_PASSWORD = 'certificate';

/** Where a log-in leads, and where its files are. */
interface LoggedIn {
  readonly host: string;
  readonly port: number;
  /** Folder of gateway.crt, client.crt and client.key. */
  readonly folder: string;
}
interface As {
  readonly user: string;
  /** '' for none. */
  readonly database: string;
}
export interface ClientLine {
  readonly env?: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}
export interface DatabaseClient {
  readonly program: string;
  /** As packages call it. */
  readonly name: string;
  /** Whether a database is named beside the user: always, where roles name one, or by a number that they do not name. */
  readonly names: 'always' | 'optional' | 'number';
  /** A port of one's own machine for it, beside that of a server there. */
  readonly plainPort: number;
  /** What `db login` writes for it beside certificate and key. */
  readonly file: { readonly name: string; readonly text: (at: LoggedIn) => string } | null;
  /** With what a log-in has written. */
  line(at: LoggedIn, as: As): ClientLine;
  /** To a plain port of one's own machine. */
  plain(port: number, as: As): ClientLine;
}

const given = (flag: string, value: string): readonly string[] => (value === '' ? [] : [flag, value]);
const redisUser = (user: string): readonly string[] =>
  user === '' ? [] : ['--user', user, '--pass', ANY_PASSWORD, '--no-auth-warning'];

/** By what a database speaks. */
export const databaseClients: Readonly<Record<string, DatabaseClient>> = {
  postgres: {
    program: 'psql',
    name: 'PostgreSQL',
    names: 'always',
    plainPort: 5433,
    file: {
      name: 'service.conf',
      text: ({ host, port, folder }) =>
        `[${SERVICE}]\nhost=${host}\nport=${port}\nsslmode=verify-full\nsslrootcert=${folder}/gateway.crt\nsslcert=${folder}/client.crt\nsslkey=${folder}/client.key\n`,
    },
    line: ({ folder }, { user, database }) => ({
      env: { PGSERVICEFILE: `${folder}/service.conf` },
      words: ['psql', conninfo({ service: SERVICE, user, dbname: database })],
    }),
    plain: (port, { user, database }) => ({
      words: ['psql', conninfo({ host: '127.0.0.1', port, user, dbname: database })],
    }),
  },
  mysql: {
    program: 'mariadb',
    name: 'MariaDB',
    names: 'optional',
    plainPort: 3307,
    file: {
      name: 'client.cnf',
      text: ({ host, port, folder }) =>
        `[client]\nprotocol=tcp\nhost=${host}\nport=${port}\nssl-ca=${folder}/gateway.crt\nssl-cert=${folder}/client.crt\nssl-key=${folder}/client.key\n`,
    },
    line: ({ folder }, { user, database }) => ({
      words: [
        ...['mariadb', `--defaults-file=${folder}/client.cnf`, '--ssl-verify-server-cert'],
        ...given('-u', user),
        ...given('-D', database),
      ],
    }),
    plain: (port, { user, database }) => ({
      words: [
        ...['mariadb', '-h', '127.0.0.1', '-P', String(port), '--skip-ssl'],
        ...given('-u', user),
        ...given('-D', database),
      ],
    }),
  },
  redis: {
    program: 'redis-cli',
    name: 'Redis',
    names: 'number',
    plainPort: 6380,
    file: null,
    line: ({ host, port, folder }, { user, database }) => ({
      words: [
        ...['redis-cli', '-h', host, '-p', String(port), '--tls', '--cacert', `${folder}/gateway.crt`],
        ...['--cert', `${folder}/client.crt`, '--key', `${folder}/client.key`],
        ...redisUser(user),
        ...given('-n', database),
      ],
    }),
    plain: (port, { user, database }) => ({
      words: ['redis-cli', '-p', String(port), ...redisUser(user), ...given('-n', database)],
    }),
  },
};
