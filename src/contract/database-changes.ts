// Adding, changing and removing databases.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { database } from './resources.ts';
import { clusterParams, givenLabels, name, ok } from './shapes.ts';
import { visible } from './visible-text.ts';

const uri = z.string().check(z.minLength(1, 'host:port expected'), z.maxLength(1024, 'at most 1024 characters'));
/** PEM of whoever vouches for the server's certificate; '' = the cluster's own authority. */
const caCert = z.string().check(z.maxLength(64 * 1024, 'at most 64 kB'));
const short = z.string().check(z.minLength(1), z.maxLength(255), visible);
/** Where a database of RDS or Aurora is in AWS: the gateway logs in to it by IAM, as the role of the integration for that account. */
const awsRds = z.object({
  accountId: z.string().check(z.regex(/^\d{12}$/, 'the twelve digits of an account of AWS')),
  resourceId: short,
  subnets: z.optional(z.array(short).check(z.maxLength(64, 'at most 64 subnets'))),
  vpcId: z.optional(short),
});
export type AwsRds = z.output<typeof awsRds>;
const oneDatabase = z.extend(clusterParams, { name });

export const createDatabase = call('POST', 'sites/:clusterId/databases', {
  summary: 'Add a database. It is not connected to before somebody uses or tries it.',
  access: { resource: 'db', verb: 'create' },
  params: clusterParams,
  body: z.object({
    name,
    protocol: z.string().check(z.minLength(1), z.maxLength(64)),
    /** host:port */
    uri,
    labels: z._default(givenLabels, []),
    caCert: z._default(caCert, ''),
    awsRds: z.optional(awsRds),
  }),
  reply: database,
});
export const updateDatabase = call('PUT', 'sites/:clusterId/databases/:name', {
  summary: 'Change the address, the labels or the authority of a database; what is left out stays.',
  access: { resource: 'db', verb: 'update' },
  params: oneDatabase,
  body: z
    .object({
      uri: z.optional(uri),
      labels: z.optional(givenLabels),
      caCert: z.optional(caCert),
      awsRds: z.optional(awsRds),
    })
    .check(z.refine(body => Object.keys(body).length > 0, 'uri, labels, caCert or awsRds expected')),
  reply: database,
});
/** What lets the gateway's role log in to a database of AWS. */
export const getDatabaseIamPolicy = call('GET', 'sites/:clusterId/databases/:name/iam/policy', {
  summary: 'The policy by which a role of AWS may log in to a database of RDS or Aurora.',
  access: { resource: 'db_server', verb: 'read' },
  params: oneDatabase,
  reply: z.object({
    type: z.literal('aws'),
    aws: z.object({
      /** JSON. */
      policy_document: z.string(),
      /** What a person fills in: nothing. */
      placeholders: z.array(z.string()),
    }),
  }),
});
export const deleteDatabase = call('DELETE', 'sites/:clusterId/databases/:name', {
  summary: 'Take a database out of the list. The database itself is not touched.',
  access: { resource: 'db', verb: 'delete' },
  params: oneDatabase,
  reply: ok,
});
