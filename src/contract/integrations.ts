// Integrations with other services, and everything that is enrolled of them and of plugins, as one list.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, listQuery, name, ok, safeName } from './shapes.ts';

/** What a name of an IAM role hears that is none (specification, section 5). */
export const INVALID_ROLE_ARN = 'invalid role ARN format';
/** IAM role, as AWS names it. */
export const roleArn = z
  .string()
  .check(z.regex(/^arn:aws(-[a-z]+)*:iam::\d{12}:role\/[\w+=,.@/-]{2,512}$/, INVALID_ROLE_ARN));
const awsoidc = z.object({ roleArn });

/** Kinds of integrations, one member each. */
export const integrationKinds = ['aws-oidc'] as const;
export type IntegrationKind = (typeof integrationKinds)[number];
export const integrationTitles: Readonly<Record<IntegrationKind, string>> = { 'aws-oidc': 'AWS OIDC' };

export const integration = z.object({ name: z.string(), subKind: z.enum(integrationKinds), awsoidc });
export type Integration = z.infer<typeof integration>;

const params = z.extend(clusterParams, { name });
export const listIntegrations = call('GET', 'sites/:clusterId/integrations', {
  summary: 'Integrations.',
  access: { resource: 'integration', verb: 'list' },
  params: clusterParams,
  query: z.pick(listQuery, { limit: true, startKey: true }),
  reply: z.object({ items: z.array(integration), nextKey: z.string() }),
});
export const createIntegration = call('POST', 'sites/:clusterId/integrations', {
  summary: 'Enroll an integration.',
  access: { resource: 'integration', verb: 'create' },
  params: clusterParams,
  body: z.object({ name: safeName, subKind: z.enum(integrationKinds), awsoidc }),
  reply: integration,
});
export const getIntegration = call('GET', 'sites/:clusterId/integrations/:name', {
  summary: 'One integration.',
  access: { resource: 'integration', verb: 'read' },
  params,
  reply: integration,
});
export const updateIntegration = call('PUT', 'sites/:clusterId/integrations/:name', {
  summary: 'Change what an integration stands on.',
  access: { resource: 'integration', verb: 'update' },
  params,
  body: z.object({ awsoidc }),
  reply: integration,
});
export const deleteIntegration = call('DELETE', 'sites/:clusterId/integrations/:name', {
  summary: 'Remove an integration.',
  access: { resource: 'integration', verb: 'delete' },
  params,
  reply: ok,
});

/** A row of the page: an integration or a plugin. */
export const enrolled = z.object({
  resourceType: z.enum(['integration', 'plugin']),
  kind: z.string(),
  name: z.string(),
  details: z.string(),
  /** 0 unknown, 1 running, 2 other error, 3 unauthorized, 10 bot not in the channel. */
  statusCode: z.number(),
  /** What explains the status; empty where nothing needs to be explained. */
  statusDetails: z.string(),
});
export type Enrolled = z.infer<typeof enrolled>;
export const listEnrolled = call('GET', 'sites/:clusterId/enrolled', {
  summary: 'Integrations and plugins together, those of them that roles let this person list.',
  access: 'signedIn',
  params: clusterParams,
  reply: z.object({ items: z.array(enrolled) }),
});
