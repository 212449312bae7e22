// Databases that people add, change and remove one by one.
import type { AwsRds } from '../../../contract/database-changes.ts';
import { Failure } from '../../../contract/failure.ts';
import type { Label } from '../../../contract/shapes.ts';
import type { Who } from '../../ports/who.ts';
import { partitionOf } from '../aws-console.ts';
import { createOneByOne, type OneByOne, type OneByOneParts } from '../one-by-one.ts';

interface WantedDatabase {
  readonly name: string;
  readonly protocol: string;
  readonly uri: string;
  readonly labels: readonly Label[];
  /** PEM; '' = the cluster's own authority. */
  readonly caCert: string;
  readonly awsRds?: AwsRds | undefined;
}
/** All throw Failure as `OneByOne` does. */
export interface Databases extends Pick<OneByOne, 'remove'> {
  add(wanted: WantedDatabase, by: Who): Promise<void>;
  /** What is undefined stays. */
  change(
    name: string,
    to: { readonly [Part in 'uri' | 'labels' | 'caCert' | 'awsRds']: WantedDatabase[Part] | undefined },
    by: Who,
  ): Promise<void>;
  /** JSON: what lets the gateway's role in AWS log in to it. Throws Failure not_found, also for what no role of theirs selects, and bad_request. */
  iamPolicy(name: string, by: Who): Promise<string>;
}

export function createDatabases(parts: OneByOneParts): Databases {
  const ones = createOneByOne(parts, 'db', 'a database');
  return {
    add: async ({ name, protocol, uri, labels, caCert, awsRds }, by) =>
      ones.add(
        name,
        labels,
        { protocol, uri, ...(caCert !== '' && { tls: { ca_cert: caCert } }), ...(awsRds && inAws(uri, awsRds)) },
        by,
      ),
    change: async (name, { uri, labels, caCert, awsRds }, by) =>
      ones.change(
        name,
        labels,
        spec => {
          const { tls, ...before } = spec as { readonly tls?: object; readonly uri?: string };
          const { ca_cert: _gone, ...rest } = { ca_cert: '', ...tls };
          const kept = caCert === undefined ? tls : caCert === '' ? rest : { ...rest, ca_cert: caCert };
          return {
            ...before,
            ...(uri !== undefined && { uri }),
            ...(kept && Object.keys(kept).length > 0 && { tls: kept }),
            ...(awsRds && inAws(uri ?? before.uri ?? '', awsRds)),
          };
        },
        by,
      ),
    async iamPolicy(name, by) {
      const { subtype, spec } = await ones.get(name, by);
      const { aws } = spec as { readonly aws?: Readonly<Record<string, unknown>> };
      const { region, account_id: account, rds } = aws ?? {};
      if (subtype !== 'rds' || !region || !account)
        throw new Failure('bad_request', `${name} is no database of RDS or Aurora whose account and region are known`);
      const { resource_id: id = '*' } = (rds ?? {}) as { readonly resource_id?: string };
      return JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: 'rds-db:connect',
            Resource: `arn:${partitionOf(String(region))}:rds-db:${region}:${account}:dbuser:${id}/*`,
          },
        ],
      });
    },
    remove: ones.remove,
  };
}

/** As a file has it. The region stands in every address of RDS. Throws Failure bad_request. */
function inAws(uri: string, { accountId, resourceId, subnets, vpcId }: AwsRds) {
  const [, region] = /\.([a-z0-9-]+)\.rds\.amazonaws\.com(\.cn)?(:\d+)?$/.exec(uri) ?? [];
  if (region === undefined)
    throw new Failure(
      'bad_request',
      `uri: ${uri} is no address of RDS, such as orders.abc.eu-central-1.rds.amazonaws.com:5432`,
    );
  return {
    type: 'rds',
    aws: {
      region,
      account_id: accountId,
      rds: { resource_id: resourceId, iam_auth: true, ...(subnets && { subnets }), ...(vpcId && { vpc_id: vpcId }) },
    },
  };
}
