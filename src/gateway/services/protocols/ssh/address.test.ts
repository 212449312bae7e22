import { expect, test } from 'vitest';
import { parseAddress, showAddress } from './address.ts';

test.each([
  ['db-3', 'db-3', 22],
  ['db-3.example.com:2222', 'db-3.example.com', 2222],
  ['10.0.0.7:1', '10.0.0.7', 1],
  ['[::1]', '::1', 22],
  ['[fe80::1%eth0]:65535', 'fe80::1%eth0', 65_535],
])('%s is read as a host and a port', (text, host, port) => {
  expect(parseAddress(text)).toEqual({ host, port });
  expect(parseAddress(showAddress({ host, port }))).toEqual({ host, port });
});

test.each([
  '',
  ':22',
  'db-3:',
  'db-3:0',
  'db-3:65536',
  'db-3:ssh',
  '::1',
  'root@db-3',
  'a b',
  'db-3/x',
  '[db-3]:22',
  `${'x'.repeat(256)}`,
])('%j is refused with what is allowed', text => {
  expect(() => parseAddress(text)).toThrow(
    expect.objectContaining({ code: 'bad_request', message: expect.stringContaining('host:port') }),
  );
});
