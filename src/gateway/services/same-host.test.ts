import { expect, test } from 'vitest';
import { isSameHost } from './same-host.ts';

test.each([
  ['10.0.0.1:1', '10.0.0.1:9', true],
  ['10.0.0.1:1', '10.0.0.1', true],
  ['10.0.0.1:1', '[::ffff:10.0.0.1]:2', true],
  ['10.0.0.1:1', '::ffff:10.0.0.1', true],
  ['[fe80::1]:22', '[fe80::1]:23', true],
  ['[fe80::1]:22', 'fe80::1', true],
  ['127.0.0.1:1', '[::1]:2', true],
  ['127.0.0.1:1', '10.0.0.1:1', false],
  ['[fe80::1]:22', '[fe80::2]:22', false],
  ['10.0.0.1:1', '10.0.0.11:1', false],
  ['', '', false],
  ['', '10.0.0.1:1', false],
])('%s and %s are at one address: %s', (one, other, isSame) => {
  expect(isSameHost(one, other)).toBe(isSame);
  expect(isSameHost(other, one)).toBe(isSame);
});
