import { expect, test } from 'vitest';
import { isOwnAddress } from './own-addresses.ts';

test.each([
  '127.0.0.1',
  '127.255.3.4',
  '0.0.0.0',
  '169.254.169.254',
  '::1',
  '::',
  'fe80::1',
  'fe80::1%eth0',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
])('%s is the own machine or its link', address => expect(isOwnAddress(address)).toBe(true));

test.each(['10.0.0.1', '192.168.1.2', '128.0.0.1', '2001:db8::1', 'fec0::1', 'localhost', ''])('%s is not', address =>
  expect(isOwnAddress(address)).toBe(false),
);
