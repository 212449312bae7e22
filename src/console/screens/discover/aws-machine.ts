// A machine of EC2 that is enrolled: apart from the step in which it is chosen, which is fetched when it is.
import type { listAwsServers } from '../../../contract/aws-oidc.ts';
import type { ReplyOf } from '../../../contract/call.ts';

/** A machine of EC2. */
export type AwsMachine = ReplyOf<typeof listAwsServers>['servers'][number] & { readonly title: string };

/** Labels by which people and roles know where it is, as the field for them takes them. */
export const labelsOf = ({ aws }: Pick<AwsMachine, 'aws'>): string =>
  [
    `aws-account=${aws.accountId}`,
    `aws-region=${aws.region}`,
    `aws-instance=${aws.instanceId}`,
    ...(aws.vpcId === '' ? [] : [`aws-vpc=${aws.vpcId}`]),
  ].join(' ');
