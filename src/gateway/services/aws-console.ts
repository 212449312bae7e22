// The AWS management console as an application: which addresses it has, and which of a person's roles can be used there.

import type { Rights } from '../ports/rights.ts';

/** A partition of AWS, which shares nothing with others: hosts, names and credentials are its own. */
interface Partition {
  /** Second part of its resource names. */
  readonly name: string;
  readonly console: string;
  /** Where browsers are signed in (AWS, IAM user guide, "Enable custom identity broker access to the AWS console"). */
  readonly signIn: string;
  /** Where its STS is asked when the machine's configuration names no region. */
  readonly region: string;
}
const partitions: readonly Partition[] = [
  { name: 'aws', console: 'console.aws.amazon.com', signIn: 'https://signin.aws.amazon.com', region: 'us-east-1' },
  {
    ...{ name: 'aws-us-gov', console: 'console.amazonaws-us-gov.com' },
    ...{ signIn: 'https://signin.amazonaws-us-gov.com', region: 'us-gov-west-1' },
  },
  { name: 'aws-cn', console: 'console.amazonaws.cn', signIn: 'https://signin.amazonaws.cn', region: 'cn-north-1' },
];

/** Name of the partition that a region is in: `cn-north-1` is in `aws-cn`. */
export const partitionOf = (region: string): string =>
  region.startsWith('cn-') ? 'aws-cn' : region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';

/** Null for what is not the AWS console. */
export function awsPartition(uri: string): Partition | null {
  const url = URL.parse(uri);
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '') return null;
  return partitions.find(one => url.hostname === one.console || url.hostname.endsWith(`.${one.console}`)) ?? null;
}

/** Specification, section 5: begins as a name of IAM does, with one `role/` and a name of two characters at least. */
export function isAwsRole(arn: string, { name }: Pick<Partition, 'name'>): boolean {
  const [before = '', role = '', ...more] = arn.split(':role/');
  return (
    new RegExp(`^arn:${name}:iam::\\d{12}$`).test(before) && more.length === 0 && /^[\w+=,.@/-]{2,512}$/.test(role)
  );
}

/** The roles that a person may use a console as, each with its name: `arn:aws:iam::123456789012:role/path/Name` is called Name. */
export const awsRolesOf = (
  rights: Pick<Rights, 'principals'>,
  partition: Pick<Partition, 'name'>,
  labels: Readonly<Record<string, string>>,
): { arn: string; display: string }[] =>
  rights
    .principals('aws_role_arns', labels)
    .filter(arn => isAwsRole(arn, partition))
    .map(arn => ({ arn, display: arn.split('/').at(-1) ?? arn }));
