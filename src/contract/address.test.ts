import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { hostAndPort, hostNameOf, isPort, readAddress, withoutPort, withPort } from './address.ts';

test.each([
  ['db-3', 'db-3', null],
  ['db-3.example.com:2222', 'db-3.example.com', 2222],
  ['[::1]', '::1', null],
  ['[::1]:22', '::1', 22],
  ['[fe80::1%eth0]:22', 'fe80::1%eth0', 22],
])('%s is read as a host and a port', (text, host, port) => {
  expect(readAddress(text)).toEqual({ host, port });
  expect(z.safeParse(hostAndPort, text).success).toBe(true);
});

test.each(['', ':22', 'db-3:', '::1', 'root@db-3', 'a b', 'db-3/x', '[db-3]:22', 'db-3:ssh', 'db-3:123456'])(
  '%j is no address',
  text => {
    expect(readAddress(text)).toBeNull();
    expect(z.safeParse(hostAndPort, text).error?.issues[0]?.message).toBe('host or host:port; IPv6 in brackets');
  },
);

test.each(['db-3:0', 'db-3:65536', '[::1]:99999'])('%s names a port that none can be', text => {
  expect(isPort(readAddress(text)?.port ?? 1)).toBe(false);
  expect(z.safeParse(hostAndPort, text).error?.issues[0]?.message).toBe('a port from 1 to 65535');
});

test('a port is added where there is none, and taken off', () => {
  expect(['db-3', 'db-3:2222', '[::1]', '[::1]:2222'].map(text => withPort(text, 22))).toEqual([
    'db-3:22',
    'db-3:2222',
    '[::1]:22',
    '[::1]:2222',
  ]);
  expect(['db-3:22', '[::1]'].map(withoutPort)).toEqual(['db-3', '[::1]']);
});

test('a server gets its name from its address', () => {
  expect(['db-3:22', '[2001:db8::7]:22', '[fe80::1%eth0]'].map(hostNameOf)).toEqual([
    'db-3',
    '2001-db8--7',
    'fe80--1-eth0',
  ]);
});
