// What a database server needs to be used through the gateway: its certificate, and the lines of its own configuration.
import { signDatabase } from '../../contract/databases.ts';
import { databaseSetUpLines } from '../../features/database-set-up.ts';
import { shellWord } from '../../features/shell-word.ts';
import { SESSION_FLAG } from '../read.ts';
import { Refused, type Surface, type Typed, UsageError, type Verb } from '../verb.ts';
import { open } from './opened.ts';
import { keep } from './tools.ts';

async function setUp(typed: Typed, { print }: Surface): Promise<number> {
  const [hostname = ''] = typed.words;
  const engine = typed.one('--protocol') ?? 'postgres';
  const users = typed.all('--db-user');
  const lines = databaseSetUpLines[engine]?.(users);
  if (!lines) throw new UsageError(`--protocol: one of ${Object.keys(databaseSetUpLines).join(', ')} expected`);
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
    {
      name: '--protocol',
      argument: Object.keys(databaseSetUpLines).join('|'),
      help: 'What it speaks; postgres unless said',
    },
    { name: '--db-user', argument: 'NAME', help: 'A database user of it; needed for Redis', many: true },
    { name: '--ttl', argument: 'TIME', help: 'How long the certificate lasts; 2190h unless said' },
    { name: '--to', argument: 'FILE', help: 'Where the archive is written' },
    SESSION_FLAG,
  ],
  run: setUp,
};
