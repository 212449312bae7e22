import { expect, test } from 'vitest';
import { hostileLinks } from '../../../../../e2e/rigs/hostile-links.ts';
import { ownAddress } from './own-address.ts';

const ORIGIN = 'https://wiki.postern.example.com:3080';

test.each(hostileLinks)('whoever was handed over with the path %j goes on in the application', path => {
  const address = ownAddress(path, ORIGIN);
  expect([address.startsWith(`${ORIGIN}/`), new URL(address).origin]).toEqual([true, ORIGIN]);
});

test.each([
  ['/a/b?c=1#d', `${ORIGIN}/a/b?c=1#d`],
  ['/', `${ORIGIN}/`],
  ['', `${ORIGIN}/`],
])('%s goes on to %s', (path, address) => expect(ownAddress(path, ORIGIN)).toBe(address));
