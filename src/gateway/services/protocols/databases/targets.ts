// A stored database as sessions and protocols need it.
import * as z from 'zod/mini';
import { readAddress } from '../../../../contract/address.ts';
import { relayedPorts } from '../../../../contract/database-protocols.ts';
import { Failure } from '../../../../contract/failure.ts';
import type { DatabaseTarget } from '../../../ports/databases.ts';
import type { Rights } from '../../../ports/rights.ts';
import type { Who } from '../../../ports/who.ts';
import type { Resource, Resources } from '../../../store/store.ts';
import { makesDatabaseUsers } from '../../made-users.ts';

const text = z.optional(z.string());
const spec = z.object({
  protocol: z.string(),
  uri: z.string(),
  admin_user: z.optional(z.object({ name: z.string(), default_database: text })),
  tls: z.optional(z.object({ ca_cert: text, server_name: text })),
  aws: z.optional(
    z.object({ region: text, account_id: text, rds: z.optional(z.object({ iam_auth: z.optional(z.boolean()) })) }),
  ),
});

/** Database users that a person may be there: those that their roles name, and the one that is made for them. */
export const usersOf = (rights: Pick<Rights, 'principals'>, { labels, made }: DatabaseTarget): readonly string[] => [
  ...new Set([...rights.principals('db_users', labels), ...(made ? [made.name] : [])]),
];

/** A database that somebody's roles select. Throws Failure not_found, also where none do; unsupported for what is not relayed. */
export async function targetOf(
  resources: Pick<Resources, 'get'>,
  who: Pick<Who, 'user'> & { readonly rights: Pick<Rights, 'selects' | 'principals' | 'ownDatabaseUser'> },
  name: string,
): Promise<DatabaseTarget> {
  const found = await resources.get('db', name);
  if (!found || !who.rights.selects('db', found.labels)) throw new Failure('not_found', `"${name}" was not found`);
  return readTarget(found, who);
}

/** A database in which a user of this name was made, whatever roles say by now; null where there is none any more. */
export async function leftTargetOf(
  resources: Pick<Resources, 'get'>,
  user: string,
  name: string,
): Promise<DatabaseTarget | null> {
  const found = await resources.get('db', name);
  return found && readTarget(found, { user, rights: { principals: () => [], ownDatabaseUser: () => true } });
}

function readTarget(
  { name, labels, subtype, spec: written }: Resource,
  {
    user,
    rights,
  }: Pick<Who, 'user'> & {
    readonly rights: Pick<Rights, 'principals' | 'ownDatabaseUser'>;
  },
): DatabaseTarget {
  const read = z.safeParse(spec, written);
  if (!read.success) throw new Failure('internal', `what is stored of database ${name} cannot be read`);
  const { protocol, uri, tls, admin_user: admin, aws } = read.data;
  const port = relayedPorts[protocol];
  if (port === undefined)
    throw new Failure(
      'unsupported',
      `${name} speaks ${protocol}, which this gateway does not relay: so far it relays ${Object.keys(relayedPorts).join(', ')}`,
    );
  const address = readAddress(uri.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/[/?#].*$/, ''));
  if (!address) throw new Failure('bad_request', `the address of ${name}, ${uri}, is no host:port`);
  const { region = '', account_id: accountId = '' } = aws ?? {};
  const rds =
    subtype === 'rds' && region !== '' && accountId !== '' && aws?.rds?.iam_auth !== false && protocol !== 'redis'
      ? { region, accountId }
      : null;
  return {
    name,
    protocol,
    uri,
    host: address.host,
    port: address.port ?? port,
    // What opens a database of RDS is shown to none for which AWS does not vouch by that very name.
    serverName: (rds ? undefined : tls?.server_name) ?? address.host,
    authorities: (rds ? undefined : tls?.ca_cert) ?? null,
    rds,
    labels,
    type: subtype,
    // In RDS, who logs in by IAM is said by the database's own grants.
    made:
      admin && !rds && makesDatabaseUsers(written) && rights.ownDatabaseUser(labels)
        ? {
            name: user,
            roles: rights.principals('db_roles', labels),
            admin: {
              dbUser: admin.name,
              dbName: admin.default_database || (protocol === 'postgres' ? 'postgres' : ''),
            },
          }
        : null,
    // Those of Redis have numbers, and nothing in them tells whom they are for.
    namesDatabases: protocol !== 'redis',
  };
}
