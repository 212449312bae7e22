// What a database server needs to be used through the gateway: its certificate, and the lines of its own configuration.
import { signDatabase } from '../../contract/databases.ts';
import { shellWord } from '../../features/shell-word.ts';
import { SESSION_FLAG } from '../read.ts';
import { Refused, type Surface, type Typed, UsageError, type Verb } from '../verb.ts';
import { open } from './opened.ts';
import { keep } from './tools.ts';

/** Engines and the lines that make one of their servers show its certificate and take those of the gateway. */
const setUpLines: Readonly<Record<string, (users: readonly string[]) => readonly string[]>> = {
  postgres: () => [
    '# postgresql.conf, beside which the three files lie, owned by postgres:',
    'ssl = on',
    "ssl_cert_file = 'server.crt'",
    "ssl_key_file = 'server.key'",
    "ssl_ca_file = 'server.cas'",
    '# pg_hba.conf, above lines that let others in; the name in the certificate is that of the database user:',
    'hostssl all all 0.0.0.0/0 cert',
    'hostssl all all ::/0 cert',
  ],
  mysql: users => [
    '# my.cnf, with the folder where the three files lie, owned by mysql:',
    '[mysqld]',
    'ssl_cert = /etc/mysql/postern/server.crt',
    'ssl_key = /etc/mysql/postern/server.key',
    'ssl_ca = /etc/mysql/postern/server.cas',
    '# As its administrator, for each database user; the name in the certificate is that of the user:',
    ...(users.length > 0 ? users : ['USER']).map(
      user => `create user '${user}'@'%' require subject '/CN=${user}'; grant select on DATABASE.* to '${user}'@'%';`,
    ),
  ],
  redis: () => [
    '# redis.conf, with the folder where the four files lie, owned by redis:',
    'port 0',
    'tls-port 6379',
    'tls-cert-file /etc/redis/server.crt',
    'tls-key-file /etc/redis/server.key',
    'tls-ca-cert-file /etc/redis/server.cas',
    'tls-auth-clients yes',
    '# Its users and what they may, and no other user line beside it:',
    'aclfile /etc/redis/users.acl',
  ],
};

async function setUp(typed: Typed, { print }: Surface): Promise<number> {
  const [hostname = ''] = typed.words;
  const engine = typed.one('--protocol') ?? 'postgres';
  const users = typed.all('--db-user');
  const lines = setUpLines[engine]?.(users);
  if (!lines) throw new UsageError(`--protocol: one of ${Object.keys(setUpLines).join(', ')} expected`);
  if (engine === 'redis' && users.length === 0)
    throw new UsageError('--db-user: name the users of this Redis, which cannot tell them by certificates');
  const { session, clusterId } = await open(typed);
  const { body } = await session.file(signDatabase, {
    params: { clusterId },
    body: {
      hostname,
      ...(typed.has('--ttl') && { ttl: typed.one('--ttl') ?? '' }),
      ...(engine === 'redis' && { users: [...users] }),
    },
  });
  const to = typed.one('--to') ?? `postern_mTLS_${hostname.split(',')[0]?.replaceAll(':', '-')}.tar.gz`;
  if (!body) throw new Refused('the gateway answered nothing');
  await keep(body as AsyncIterable<Uint8Array>, to);
  const files = `server.crt, server.key${engine === 'redis' ? ', server.cas and users.acl' : ' and server.cas'}`;
  print(`${to} holds ${files}. On the database server:`);
  print([`tar xzf ${shellWord(to)}`, ...lines].join('\n'));
  return 0;
}

export const databaseSetUpVerb: Verb = {
  verb: 'db setup',
  words: ['HOSTNAME'],
  help: 'Certificate and key for a database server, and the lines of its configuration that use them',
  flags: [
    { name: '--protocol', argument: Object.keys(setUpLines).join('|'), help: 'What it speaks; postgres unless said' },
    { name: '--db-user', argument: 'NAME', help: 'A database user of it; needed for Redis', many: true },
    { name: '--ttl', argument: 'TIME', help: 'How long the certificate lasts; 2190h unless said' },
    { name: '--to', argument: 'FILE', help: 'Where the archive is written' },
    SESSION_FLAG,
  ],
  run: setUp,
};
