// Databases of RDS and Aurora through the gateway: added from a listing, opened by passwords that AWS's signature makes, and nobody else's.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAuthority } from '../../e2e/rigs/authority.ts';
import { openPostgres, type PostgresRig } from '../../e2e/rigs/postgres.ts';
import { type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';
import { type AwsOidcDouble, openAwsOidcDouble, TRUSTED_ROLE } from './aws-oidc-double.testing.ts';
import { openRdsMysql, openRdsPostgres, type RdsDouble } from './rds-double.testing.ts';
import { roleResource } from './services/rights/source.ts';

const run = promisify(execFile);
let rig: Rig;
let ann: Browser;
let aws: AwsOidcDouble;
let behind: PostgresRig;
let postgres: RdsDouble;
let mysql: RdsDouble;
const published = async <Body>(path: string): Promise<Body> => (await rig.app.inject({ url: path })).json() as Body;
const databaseOf = (name: string, protocol: string, port: number, account = '123456789012') =>
  `kind: db\nversion: v3\nmetadata: { name: ${name}, labels: { team: shop } }\nspec: { protocol: ${protocol}, uri: "127.0.0.1:${port}", type: rds, aws: { region: eu-central-1, account_id: "${account}" } }\n`;
beforeAll(async () => {
  aws = await openAwsOidcDouble({
    discovery: () => published('/.well-known/openid-configuration'),
    keys: () => published<JSONWebKeySet>('/.well-known/jwks-oidc'),
  });
  rig = await openRig({ awsEndpoint: () => aws.url });
  const authority = await createTestAuthority('Amazon RDS');
  const shown = await authority.issue('127.0.0.1', { hosts: ['127.0.0.1'] });
  aws.bundle = authority.certificate;
  behind = await openPostgres();
  postgres = await openRdsPostgres(shown, behind.port);
  mysql = await openRdsMysql(shown);
  await run('psql', [behind.url, '-qc', 'create role app login', '-c', 'create database orders owner app']);
  await rig.store.resources.create(
    roleResource(
      'kind: role\nversion: v7\nmetadata: { name: shop }\nspec: { options: { reach_loopback: true }, allow: { db_labels: { "*": "*" }, db_users: [app], db_names: [orders] } }\n',
    ),
  );
  const content = [
    databaseOf('orders', 'postgres', postgres.port),
    databaseOf('books', 'mysql', mysql.port),
    databaseOf('foreign', 'postgres', postgres.port, '999999999999'),
  ].join('---\n');
  expect((await rig.declared.apply([{ name: 'rds.yaml', content }], { by: 'root' })).problems).toEqual([]);
  await rig.addUser('ann', ['editor', 'shop'], []);
  ann = await rig.signIn('ann');
  await ann.call('POST', `/v1/webapi/sites/${CLUSTER}/integrations`, {
    ...{ name: 'prod', subKind: 'aws-oidc', awsoidc: { roleArn: TRUSTED_ROLE } },
  });
});
afterAll(async () => {
  for (const double of [aws, postgres, mysql]) double.close();
  await behind.dispose();
  await rig.dispose();
});

const site = `/v1/webapi/sites/${CLUSTER}`;
async function tried(name: string) {
  const { json } = await ann.call('POST', `${site}/diagnostics/connections`, {
    ...{ resource_kind: 'db', resource_name: name, database_user: 'app', database_name: 'orders' },
  });
  return json as { readonly success: boolean; readonly message: string; readonly traces: readonly object[] };
}

/** What a statement answers, as the prompt and agents run it. */
async function asked(database: string, text: string): Promise<string> {
  const { cookie, bearer } = ann;
  const who = await rig.services.identity.sessions.authenticate({ cookie, bearer, remoteAddr: '192.0.2.1' });
  const { answer } = await rig.services.runStatement({
    ...{ who, database, dbUser: 'app', dbName: 'orders', text, rowsMost: 10, timeoutMs: 10_000 },
    ...{ signal: new AbortController().signal, notice: () => undefined },
  });
  return JSON.stringify(answer);
}

test('a PostgreSQL of RDS lets the person in by a password that AWS signs for that server and user, and nothing tells it', async () => {
  const { success, message } = await tried('orders');
  expect([success, message, postgres.judged]).toEqual([true, 'orders can be used', [null]]);
  expect(await asked('orders', "select current_user || ' in ' || current_database()")).toContain('app in orders');
  const events = await rig.store.events.search({
    ...{ from: new Date(0), to: new Date(Date.now() + 60_000), limit: 1000, types: [], descending: false },
  });
  expect(JSON.stringify([events.events, rig.log])).not.toContain('X-Amz-Signature');
});

test('a MySQL of RDS is shown such a password where it asks for one in the clear', async () => {
  const { message } = await tried('books');
  expect([message, mysql.judged]).toEqual(['books can be used', [null]]);
});

test('an account without an integration, and a server for which AWS does not vouch, are told in words, and no password goes there', async () => {
  const foreign = await tried('foreign');
  expect(foreign.message).toBe(
    'No AWS OIDC integration is for account 999999999999: the gateway logs in to databases of RDS as its role.',
  );
  expect(foreign.traces.at(-1)).toMatchObject({ status: 'FAILED', details: expect.stringContaining('integration') });
  // Whoever may change a database says neither who vouches for it nor by which name.
  const other = await createTestAuthority('somebody');
  const liar = await openRdsPostgres(await other.issue('127.0.0.1', { hosts: ['127.0.0.1'] }), behind.port);
  try {
    const content = databaseOf('liar', 'postgres', liar.port).replace(
      'type: rds',
      `type: rds, tls: { ca_cert: ${JSON.stringify(other.certificate)}, server_name: 127.0.0.1 }`,
    );
    expect((await rig.declared.apply([{ name: 'liar.yaml', content }], { by: 'root' })).problems).toEqual([]);
    const { success, message } = await tried('liar');
    expect([success, message, liar.judged]).toEqual([false, expect.stringContaining('vouches'), []]);
  } finally {
    liar.close();
  }
});

test('a database that is added as one of RDS is in its region and account, and its policy names it alone', async () => {
  const uri = 'orders.abc.eu-central-1.rds.amazonaws.com:5432';
  const awsRds = { accountId: '123456789012', resourceId: 'db-ORDERS', vpcId: 'vpc-0a1b2c3d' };
  const added = await ann.call('POST', `${site}/databases`, { name: 'added', protocol: 'postgres', uri, awsRds });
  expect([added.status, added.json]).toEqual([
    200,
    expect.objectContaining({
      type: 'rds',
      aws: {
        ...{ region: 'eu-central-1', account_id: '123456789012' },
        rds: { resource_id: 'db-ORDERS', iam_auth: true, vpc_id: 'vpc-0a1b2c3d' },
      },
    }),
  ]);
  const policy = await ann.call('GET', `${site}/databases/added/iam/policy`);
  const { type, aws: said } = policy.json as { type: string; aws: { policy_document: string; placeholders: string[] } };
  expect([type, said.placeholders, JSON.parse(said.policy_document)]).toEqual([
    'aws',
    [],
    {
      Version: '2012-10-17',
      Statement: [
        {
          ...{ Effect: 'Allow', Action: 'rds-db:connect' },
          Resource: 'arn:aws:rds-db:eu-central-1:123456789012:dbuser:db-ORDERS/*',
        },
      ],
    },
  ]);
  const elsewhere = await ann.call('POST', `${site}/databases`, {
    ...{ name: 'elsewhere', protocol: 'postgres', uri: 'db.example.com:5432', awsRds },
  });
  expect([elsewhere.status, elsewhere.body]).toEqual([400, expect.stringContaining('is no address of RDS')]);
  await ann.call('POST', `${site}/databases`, { name: 'plain', protocol: 'postgres', uri: '127.0.0.1:1' });
  expect((await ann.call('GET', `${site}/databases/plain/iam/policy`)).status).toBe(400);
});

test('what guards look at on a connection of their own logs in there the same way', async () => {
  await rig.store.resources.create(
    roleResource(
      'kind: role\nversion: v7\nmetadata: { name: masking }\nspec:\n  guards: [{ name: cards, columns: [customers.card], effect: mask }]\n  allow: { db_labels: { "*": "*" } }\n',
    ),
  );
  const before = await rig.store.users.get('ann');
  if (before) await rig.store.users.update({ ...before, roles: [...before.roles, 'masking'] });
  postgres.judged.length = 0;
  expect(await asked('orders', 'select 6 * 7 as answer')).toContain('42');
  expect(postgres.judged).toEqual([null, null]);
});
