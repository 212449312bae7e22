// Audit codes about databases and the protocols they speak.
import type { AuditRow } from './audit-codes.ts';

const on = '[ {db_name}][ on {db_service}]';

export const databaseCodes = {
  Database: [
    ['TDB03I', 'db.create', 'Database Created', 'User [{user} ]created database[ {name}]'],
    ['TDB04I', 'db.update', 'Database Updated', 'User [{user} ]changed database[ {name}]'],
    ['TDB05I', 'db.delete', 'Database Deleted', 'User [{user} ]deleted database[ {name}]'],
  ],
  'Database session': [
    [
      'TDB00I',
      'db.session.start',
      'Database Session Started',
      `User [{user} ]connected[ as {db_user}][ with {#db_roles|role} {db_roles}] to database${on}`,
    ],
    [
      'TDB00W',
      'db.session.start',
      'Database Session Denied',
      `User [{user} ]was refused[ as {db_user}] by database${on}`,
    ],
    ['TDB01I', 'db.session.end', 'Database Session Ended', `User [{user} ]disconnected from database${on}`],
    ['TDB02I', 'db.session.query', 'Database Query', `User [{user} ]ran a query[ {db_query}] in database${on}`],
    [
      'TDB02W',
      'db.session.query.failed',
      'Database Query Failed',
      `A query[ {db_query}] of user [{user} ]failed in database${on}`,
    ],
    [
      'TDB10I',
      'db.session.query.asked',
      'Database Query Waits for Review',
      `A query[ {db_query}] of user [{user} ]waits for a review[, as guard {guard} asks][ of role {guard_role}] in database${on}`,
    ],
    [
      'TDB11I',
      'db.session.query.allowed',
      'Database Query Allowed',
      `A query[ {db_query}] of user [{user} ]was allowed[ by {reviewer}] in database${on}`,
    ],
    [
      'TDB11W',
      'db.session.query.refused',
      'Database Query Refused',
      `A query[ {db_query}] of user [{user} ]was not allowed[ by {reviewer}] in database${on}[: {error}]`,
    ],
    [
      'TDB06I',
      'db.session.malformed_packet',
      'Database Malformed Packet',
      `A packet that cannot be read came from user [{user} ]in database${on}`,
    ],
    ['TDB07I', 'db.session.permissions.update', 'Database User Permissions Updated', 'permissions'],
    [
      'TDB08I',
      'db.session.user.create',
      'Database User Created',
      `Database user [{username} ]was made ready[ with {#roles|role} {roles}] for user[ {user}]`,
    ],
    [
      'TDB08W',
      'db.session.user.create',
      'Database User Create Failed',
      `Database user [{username} ]failed to be made ready[ with {#roles|role} {roles}] for user[ {user}][: {error}]`,
    ],
    [
      'TDB09I',
      'db.session.user.deactivate',
      'Database User Deactivated',
      `Database user [{username} ]was {?delete|deleted|disabled} for user[ {user}]`,
    ],
    [
      'TDB09W',
      'db.session.user.deactivate',
      'Database User Deactivation Failed',
      `Database user [{username} ]failed to be {?delete|deleted|disabled} for user[ {user}][: {error}]`,
    ],
  ],
  'Database: PostgreSQL': [
    [
      'TPG00I',
      'db.session.postgres.statements.parse',
      'PostgreSQL Statement Parse',
      'User [{user} ]prepared[ {query}] as statement[ {statement_name}][ on {db_service}]',
    ],
    [
      'TPG01I',
      'db.session.postgres.statements.bind',
      'PostgreSQL Statement Bind',
      'User [{user} ]bound statement[ {statement_name}] to portal[ {portal_name}][ on {db_service}]',
    ],
    [
      'TPG02I',
      'db.session.postgres.statements.execute',
      'PostgreSQL Statement Execute',
      'User [{user} ]ran portal[ {portal_name}][ on {db_service}]',
    ],
    [
      'TPG03I',
      'db.session.postgres.statements.close',
      'PostgreSQL Statement Close',
      'User [{user} ]closed[ portal {portal_name}][ statement {statement_name}][ on {db_service}]',
    ],
    [
      'TPG04I',
      'db.session.postgres.function',
      'PostgreSQL Function Call',
      'User [{user} ]called function[ {function_oid}][ on {db_service}]',
    ],
  ],
  'Database: MySQL': [
    [
      'TMY00I',
      'db.session.mysql.statements.prepare',
      'MySQL Statement Prepare',
      `User [{user} ]prepared[ {query}] in database${on}`,
    ],
    [
      'TMY01I',
      'db.session.mysql.statements.execute',
      'MySQL Statement Execute',
      `User [{user} ]ran statement[ {statement_id}] in database${on}`,
    ],
    [
      'TMY02I',
      'db.session.mysql.statements.send_long_data',
      'MySQL Statement Send Long Data',
      `User [{user} ]sent {#data_size|byte} for parameter[ {parameter_id}] of statement[ {statement_id}] in database${on}`,
    ],
    [
      'TMY03I',
      'db.session.mysql.statements.close',
      'MySQL Statement Close',
      `User [{user} ]closed statement[ {statement_id}] in database${on}`,
    ],
    [
      'TMY04I',
      'db.session.mysql.statements.reset',
      'MySQL Statement Reset',
      `User [{user} ]reset statement[ {statement_id}] in database${on}`,
    ],
    [
      'TMY05I',
      'db.session.mysql.statements.fetch',
      'MySQL Statement Fetch',
      `User [{user} ]fetched {#rows_count|row} of statement[ {statement_id}] in database${on}`,
    ],
    [
      'TMY06I',
      'db.session.mysql.statements.bulk_execute',
      'MySQL Statement Bulk Execute',
      `User [{user} ]ran statement[ {statement_id}] in bulk in database${on}`,
    ],
    [
      'TMY07I',
      'db.session.mysql.init_db',
      'MySQL Change Schema',
      'User [{user} ]changed to schema[ {schema_name}][ on {db_service}]',
    ],
    [
      'TMY08I',
      'db.session.mysql.create_db',
      'MySQL Create Schema',
      'User [{user} ]created schema[ {schema_name}][ on {db_service}]',
    ],
    [
      'TMY09I',
      'db.session.mysql.drop_db',
      'MySQL Drop Schema',
      'User [{user} ]dropped schema[ {schema_name}][ on {db_service}]',
    ],
    ['TMY10I', 'db.session.mysql.shut_down', 'MySQL Shut Down', 'User [{user} ]tried to shut down[ {db_service}]'],
    [
      'TMY11I',
      'db.session.mysql.process_kill',
      'MySQL Kill Process',
      'User [{user} ]tried to kill process[ {process_id}][ on {db_service}]',
    ],
    ['TMY12I', 'db.session.mysql.debug', 'MySQL Debug', 'User [{user} ]asked for debug output[ of {db_service}]'],
    [
      'TMY13I',
      'db.session.mysql.refresh',
      'MySQL Refresh',
      'User [{user} ]sent the refresh command[ {subcommand}][ to {db_service}]',
    ],
  ],
  'Database: SQL Server': [
    [
      'TMS00I',
      'db.session.sqlserver.rpc_request',
      'SQLServer RPC Request',
      `User [{user} ]called procedure[ {proc_name}] in database${on}`,
    ],
  ],
  'Database: Cassandra': [
    ['TCA01I', 'db.session.cassandra.batch', 'Cassandra Batch', 'User [{user} ]ran a batch[ on {db_service}]'],
    [
      'TCA02I',
      'db.session.cassandra.prepare',
      'Cassandra Prepare',
      'User [{user} ]prepared[ {query}][ on {db_service}]',
    ],
    [
      'TCA03I',
      'db.session.cassandra.execute',
      'Cassandra Execute',
      'User [{user} ]ran a prepared query[ on {db_service}]',
    ],
    [
      'TCA04I',
      'db.session.cassandra.register',
      'Cassandra Register',
      'User [{user} ]registered for events[ on {db_service}]',
    ],
  ],
  'Database: Elasticsearch': [
    ['TES00I', 'db.session.elasticsearch.request', 'Elasticsearch Request', 'searchRequest'],
    ['TES00E', 'db.session.elasticsearch.request', 'Elasticsearch Request Failed', 'searchRequest'],
  ],
  'Database: OpenSearch': [
    ['TOS00I', 'db.session.opensearch.request', 'OpenSearch Request', 'searchRequest'],
    ['TOS00E', 'db.session.opensearch.request', 'OpenSearch Request Failed', 'searchRequest'],
  ],
  'Database: DynamoDB': [
    [
      'TDY01I',
      'db.session.dynamodb.request',
      'DynamoDB Request',
      'User [{user} ]made a DynamoDB request[ {target}][ on {db_service}]',
    ],
    [
      'TDY01E',
      'db.session.dynamodb.request',
      'DynamoDB Request Failed',
      'A DynamoDB request[ {target}] of user [{user} ]failed[ on {db_service}]',
    ],
  ],
} satisfies Readonly<Record<string, readonly AuditRow[]>>;
