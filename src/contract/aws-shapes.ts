// How AWS names what is in it.
import * as z from 'zod/mini';

export const awsRegion = z
  .string()
  .check(z.regex(/^[a-z]{2,4}(-[a-z]{2,12}){1,3}-\d{1,2}$/, 'a region of AWS, such as eu-central-1'));
const given = (letters: string, what: string) =>
  z.string().check(z.regex(new RegExp(`^${letters}-[0-9a-f]{8,40}$`), what));
export const vpcId = given('vpc', 'the id of a network, such as vpc-0a1b2c3d4e5f67890');
export const subnetId = given('subnet', 'the id of a subnet, such as subnet-0a1b2c3d4e5f67890');
export const groupId = given('sg', 'the id of a security group, such as sg-0a1b2c3d4e5f67890');
export const instanceId = given('i', 'the id of a machine, such as i-0a1b2c3d4e5f67890');
export const awsAccount = z.string().check(z.regex(/^\d{12}$/, 'the twelve digits of an account of AWS'));
