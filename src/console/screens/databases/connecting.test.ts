import { expect, test } from 'vitest';
import { commandLine, hostAndPort } from './connecting.ts';

test.each([
  ['db.example.com:5432', { host: 'db.example.com', port: '5432' }],
  ['[::1]:5432', { host: '::1', port: '5432' }],
  ['postgres://me@db:1/x?y', { host: 'db', port: '1' }],
  ['db', { host: 'db', port: '' }],
  ['', undefined],
  ['a b', undefined],
])('%s is a host and a port', (uri, found) => expect(hostAndPort(uri)).toEqual(found));

test.each([
  ['postgres', "psql -h db -p 1 -U 'o'\\''k' -d x"],
  ['cockroachdb', "psql -h db -p 1 -U 'o'\\''k' -d x"],
  ['mysql', "mysql -h db -P 1 -u 'o'\\''k' -p x"],
  ['mongodb', "mongosh --host db --port 1 -u 'o'\\''k' x"],
  ['redis', "redis-cli -h db -p 1 --user 'o'\\''k'"],
  ['sqlserver', "sqlcmd -S db,1 -U 'o'\\''k' -d x"],
  ['cassandra', "cqlsh -u 'o'\\''k' -k x db 1"],
  ['dynamodb', undefined],
])('%s is reached by its own tool', (protocol, line) => {
  expect(commandLine({ protocol, uri: 'db:1' }, { user: "o'k", database: 'x' })).toBe(line);
});

test('what is left empty is left out', () => {
  expect(commandLine({ protocol: 'postgres', uri: 'db' }, { user: '', database: '' })).toBe('psql -h db');
});
