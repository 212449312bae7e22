import { expect, test } from 'vitest';
import { commandLine, hostAndPort, relayedLines } from './connecting.ts';

test.each([
  ['db.example.com:5432', { host: 'db.example.com', port: '5432' }],
  ['[::1]:5432', { host: '::1', port: '5432' }],
  ['postgres://me@db:1/x?y', { host: 'db', port: '1' }],
  ['db', { host: 'db', port: '' }],
  ['', undefined],
  ['a b', undefined],
])('%s is a host and a port', (uri, found) => expect(hostAndPort(uri)).toEqual(found));

test.each([
  ['mongodb', "mongosh --host db --port 1 -u 'o'\\''k' x"],
  ['sqlserver', "sqlcmd -S db,1 -U 'o'\\''k' -d x"],
  ['cassandra', "cqlsh -u 'o'\\''k' -k x db 1"],
  ['dynamodb', undefined],
])('%s is reached by its own tool', (protocol, line) => {
  expect(commandLine({ protocol, uri: 'db:1' }, { user: "o'k", database: 'x' })).toBe(line);
});

test('what is left empty is left out', () => {
  expect(commandLine({ protocol: 'mongodb', uri: 'db' }, { user: '', database: '' })).toBe('mongosh --host db');
});

test('what the gateway relays is reached through it, whatever names hold', () => {
  const lines = (user: string, database: string) =>
    relayedLines({ name: 'orders', protocol: 'postgres' }, { user, database }, 'https://here', [])?.map(
      ({ text }) => text,
    );
  expect(lines('app', 'orders')).toEqual([
    'curl -fsSL https://here/scripts/postern.sh | sh',
    'irm https://here/scripts/postern.ps1 | iex',
    'postern sign-in --url https://here',
    'postern db connect orders --db-user app --db-name orders',
    'postern db login orders',
    "PGSERVICEFILE=$HOME/.config/postern/databases/orders/service.conf psql 'service=postern user=app dbname=orders'",
    'postern proxy db orders --port 5433',
    "psql 'host=127.0.0.1 port=5433 user=app dbname=orders'",
  ]);
  expect(lines("o'k \\", '')?.[5]).toBe(
    "PGSERVICEFILE=$HOME/.config/postern/databases/orders/service.conf psql 'service=postern user='\\''o\\'\\''k \\\\'\\'''",
  );
  const others = (protocol: string) =>
    relayedLines({ name: 'orders', protocol }, { user: 'app', database: 'orders' }, 'https://here', [])
      ?.map(({ text }) => text)
      .slice(3);
  expect(others('mysql')).toEqual([
    'postern db connect orders --db-user app --db-name orders',
    'postern db login orders',
    'mariadb --defaults-file=$HOME/.config/postern/databases/orders/client.cnf --ssl-verify-server-cert -u app -D orders',
    'postern proxy db orders --port 3307',
    'mariadb -h 127.0.0.1 -P 3307 --skip-ssl -u app -D orders',
  ]);
  expect(others('redis')).toEqual([
    'postern db connect orders --db-user app',
    'postern db login orders',
    'postern proxy db orders --port 6380',
    'redis-cli -p 6380 --user app --pass certificate --no-auth-warning',
  ]);
  expect(
    relayedLines({ name: 'x', protocol: 'oracle' }, { user: '', database: '' }, 'https://here', []),
  ).toBeUndefined();
});
