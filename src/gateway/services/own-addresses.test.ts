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
  'fd00:ec2::254',
  'FD00:EC2:0::254',
  'fd20:ce::254',
  '100.100.100.200',
  '168.63.129.16',
  '::ffff:168.63.129.16',
])('%s is the own machine or its link', address => expect(isOwnAddress(address)).toBe(true));

test.each([
  '10.0.0.1',
  '192.168.1.2',
  '128.0.0.1',
  '2001:db8::1',
  'fec0::1',
  'fd00:ec2::1',
  '100.100.100.1',
  'localhost',
  '',
])('%s is not', address => expect(isOwnAddress(address)).toBe(false));
