import { expect, test } from 'vitest';
import { hostileLinks } from '../../../../e2e/rigs/hostile-links.ts';
import { applicationOrigin, awsRoleIn, firstAddress, handOverAddress } from './addresses.ts';

const origin = applicationOrigin({ protocol: 'https:', port: '3080' }, 'wiki.example.com');

test('an application is on the scheme and port of the console', () => {
  expect(origin).toBe('https://wiki.example.com:3080');
  expect(applicationOrigin({ protocol: 'http:', port: '' }, 'wiki.localhost')).toBe('http://wiki.localhost');
});

test.each(hostileLinks)('no path leads away from it: %j', path => {
  for (const address of [firstAddress(origin, path, ''), handOverAddress(origin, 'c', 's', path)])
    expect([address.startsWith(`${origin}/`), new URL(address).origin]).toEqual([true, origin]);
});

test('path and query are kept', () => {
  expect(firstAddress(origin, '/a/b?c=1', '')).toBe(`${origin}/a/b?c=1`);
  expect(firstAddress(origin, '/a', 'c=2&d=3')).toBe(`${origin}/a?c=2&d=3`);
});

test('the role of AWS comes back out of the address that it went into', () => {
  const arn = 'arn:aws:iam::123456789012:role/team/Read+Only';
  const { pathname, search } = new URL(
    firstAddress(origin, `/?${new URLSearchParams({ 'postern-aws-role': arn })}`, ''),
  );
  expect(awsRoleIn(pathname + search)).toBe(arn);
  expect(awsRoleIn('/ec2?region=eu-west-1')).toBe('');
});
