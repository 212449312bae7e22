// Databases from a person's own machine: the key is made and stays here, the gateway signs a certificate for it, and psql, mariadb,
// redis-cli or any other client connects with both.
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ReplyOf } from '../../contract/call.ts';
import { createDatabaseCertificate, databaseKeyChallenge } from '../../contract/databases.ts';
import { listDatabases } from '../../contract/resources.ts';
import { type ClientLine, type DatabaseClient, databaseClients } from '../../features/database-clients.ts';
import { shellWord } from '../../features/shell-word.ts';
import { complain, plainText } from '../output.ts';
import { CLUSTER_FLAG, SESSION_FLAG } from '../read.ts';
import { table } from '../table.ts';
import { type Flag, Refused, type Surface, type Typed, UsageError, type Verb } from '../verb.ts';
import { certify as certifyFor } from './certificate.ts';
import { databaseSetUpVerb } from './database-set-up.ts';
import { dial, keptFresh, listenLocally, portOf } from './local-port.ts';
import { everyRow, type Opened, open } from './opened.ts';

type Credential = ReplyOf<typeof createDatabaseCertificate>;
/** A credential and the key that it is for. */
interface Ready extends Credential {
  readonly privateKey: string;
}
/** Where what a client of a database needs is kept, beside the session that it belongs to. */
const folderOf = ({ file, leaf }: Opened, name: string): string =>
  join(
    dirname(file),
    ...(leaf === null ? [] : ['leaves', encodeURIComponent(leaf)]),
    'databases',
    encodeURIComponent(name),
  );

/** Throws Refused, ApiError. */
const certify = ({ session, clusterId }: Opened, name: string): Promise<Ready> =>
  certifyFor(
    session,
    (body): Promise<Credential> => session.call(createDatabaseCertificate, { params: { clusterId, name }, body }),
    () => session.call(databaseKeyChallenge, { params: { clusterId, name } }),
  );

/** Writes what a client needs, readable by its owner alone. Answers the folder. */
function write(at: Opened, name: string, ready: Ready): string {
  const folder = folderOf(at, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { file: more } = clientOf(name, ready);
  const texts = {
    'gateway.crt': ready.authority,
    'client.crt': ready.certificate,
    'client.key': ready.privateKey,
    ...(more && { [more.name]: more.text({ ...ready, folder }) }),
  };
  for (const [of, text] of Object.entries(texts)) {
    const file = join(folder, of);
    writeFileSync(file, text, { mode: 0o600 });
    chmodSync(file, 0o600);
  }
  return folder;
}
/** Throws Refused. */
function clientOf(name: string, { protocol }: Credential): DatabaseClient {
  const client = databaseClients[protocol];
  if (!client) throw new Refused(`${name} speaks ${plainText(protocol)}, which this command line does not know`);
  return client;
}
/** As whom most likely, for lines that are printed. */
const likely = ({ names: how }: DatabaseClient, { users, names }: Credential) => ({
  user: users.find(one => one !== '*') ?? 'USER',
  database: how === 'number' ? '' : (names.find(one => one !== '*') ?? (how === 'always' ? 'DATABASE' : '')),
});
const printed = ({ env = {}, words }: ClientLine): string =>
  [...Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`), ...words.map(shellWord)].join(' ');

const AS: readonly Flag[] = [
  { name: '--db-user', argument: 'NAME', help: 'Database user; needed where your roles name several, or any' },
  { name: '--db-name', argument: 'NAME', help: 'Database on that server; needed as well, for PostgreSQL' },
];
/** Whom to be there: what was typed, else the only one that roles name. Throws UsageError. */
function chosen(typed: Typed, flag: string, named: readonly string[]): string {
  const [only] = named;
  const given = typed.one(flag) ?? (named.length === 1 && only !== '*' ? only : undefined);
  if (given === undefined)
    throw new UsageError(
      `${typed.words[0]}: give ${flag} NAME${named.includes('*') ? '' : `, one of ${named.map(plainText).join(', ')}`}`,
    );
  return given;
}

/** Fetches a certificate for a database and writes what its client needs. Answers the folder. Throws Refused, ApiError. */
export const writeDatabase = async (at: Opened, name: string): Promise<string> =>
  write(at, name, await certify(at, name));

async function login(typed: Typed, { print }: Surface): Promise<number> {
  const [name = ''] = typed.words;
  const at = await open(typed);
  const ready = await certify(at, name);
  const folder = write(at, name, ready);
  print(`Certificate and key are in ${folder}, until ${ready.expires}. Connect with:`);
  const client = clientOf(name, ready);
  print(printed(client.line({ ...ready, folder }, likely(client, ready))));
  return 0;
}

async function connectTo(typed: Typed): Promise<number> {
  const [name = '', ...more] = typed.words;
  const at = await open(typed);
  const ready = await certify(at, name);
  const { program, name: engine, names, line } = clientOf(name, ready);
  const user = chosen(typed, '--db-user', ready.users);
  const likeliest = names === 'optional' && ready.names.length === 1 && ready.names[0] !== '*' ? ready.names[0] : '';
  const database =
    names === 'always' ? chosen(typed, '--db-name', ready.names) : (typed.one('--db-name') ?? likeliest ?? '');
  const { env, words } = line({ ...ready, folder: write(at, name, ready) }, { user, database });
  const client = spawn(program, [...words.slice(1), ...more], { env: { ...process.env, ...env }, stdio: 'inherit' });
  // Ctrl-C is for the statement that runs in there.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    const [code] = (await once(client, 'close')) as [number | null];
    return code ?? 1;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new Refused(`${program} is not on this machine: install the client of ${engine}`);
    throw error;
  } finally {
    process.off('SIGINT', ignore);
  }
}

/** A plain port of this machine, each connection to which goes on to the gateway over TLS. */
async function proxy(typed: Typed, { print, untilEnded }: Surface): Promise<number> {
  const [name = ''] = typed.words;
  const port = portOf(typed);
  const at = await open(typed);
  const ready = await certify(at, name);
  const fresh = keptFresh(ready, () => certify(at, name));
  const { protocol } = ready;
  const listening = await listenLocally({ port }, fresh, (local, now) => {
    const remote = dial(now, protocol === 'postgres' ? 'postgresql' : `postern-${protocol}`);
    remote.on('error', error => {
      complain(error.message);
      local.destroy();
    });
    local.once('close', () => remote.destroy());
    remote.once('close', () => local.destroy());
    local.pipe(remote).pipe(local);
  });
  print(`${plainText(name)} is on port ${listening.port} of this machine, for whoever is on it, until Ctrl+C.`);
  const client = clientOf(name, ready);
  print(printed(client.plain(listening.port, likely(client, ready))));
  await untilEnded?.();
  listening.close();
  return 0;
}

/** Until when there is a certificate here; '' where there is none that counts. */
function validUntil(folder: string): string {
  const file = join(folder, 'client.crt');
  if (!existsSync(file)) return '';
  const { validTo } = new X509Certificate(readFileSync(file));
  return Date.parse(validTo) > Date.now() ? new Date(validTo).toISOString() : '';
}
async function list(typed: Typed, { print }: Surface): Promise<number> {
  const at = await open(typed);
  const rows = await everyRow(query => at.session.call(listDatabases, { params: { clusterId: at.clusterId }, query }));
  print(
    table([
      ['Name', 'Protocol', 'As', 'In', 'Logged in until'],
      ...rows.map(({ name, protocol, database_users, database_names }) => [
        name,
        protocol,
        database_users.join(','),
        database_names.join(','),
        validUntil(folderOf(at, name)),
      ]),
    ]),
  );
  return 0;
}

export const databaseVerbs: readonly Verb[] = [
  {
    verb: 'db ls',
    words: [],
    help: 'Lists the databases that you may use, as whom, and for which there is a certificate here',
    flags: [CLUSTER_FLAG, SESSION_FLAG],
    run: list,
  },
  {
    verb: 'db login',
    words: ['NAME'],
    help: 'Fetches a certificate for a database, for a key that stays here, and says how a client uses it',
    flags: [CLUSTER_FLAG, SESSION_FLAG],
    run: login,
  },
  {
    verb: 'db connect',
    words: ['NAME', '[ARGUMENT…]'],
    help: 'Opens a database in psql, mariadb or redis-cli, which get further arguments after --',
    flags: [...AS, CLUSTER_FLAG, SESSION_FLAG],
    run: connectTo,
  },
  databaseSetUpVerb,
  {
    verb: 'proxy db',
    words: ['NAME'],
    help: 'A plain port of this machine that leads to a database, for clients without TLS',
    flags: [{ name: '--port', argument: 'NUMBER', help: 'Which; a free one unless said' }, CLUSTER_FLAG, SESSION_FLAG],
    run: proxy,
  },
];
