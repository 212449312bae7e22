// Adding, changing and removing databases, and trying whether one can be used.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { database } from './resources.ts';
import { clusterParams, givenLabels, name, ok } from './shapes.ts';

const uri = z.string().check(z.minLength(1, 'host:port expected'), z.maxLength(1024, 'at most 1024 characters'));
/** PEM of whoever vouches for the server's certificate; '' = the cluster's own authority. */
const caCert = z.string().check(z.maxLength(64 * 1024, 'at most 64 kB'));
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
  }),
  reply: database,
});
export const updateDatabase = call('PUT', 'sites/:clusterId/databases/:name', {
  summary: 'Change the address, the labels or the authority of a database; what is left out stays.',
  access: { resource: 'db', verb: 'update' },
  params: oneDatabase,
  body: z
    .object({ uri: z.optional(uri), labels: z.optional(givenLabels), caCert: z.optional(caCert) })
    .check(z.refine(body => Object.keys(body).length > 0, 'uri, labels or caCert expected')),
  reply: database,
});
export const deleteDatabase = call('DELETE', 'sites/:clusterId/databases/:name', {
  summary: 'Take a database out of the list. The database itself is not touched.',
  access: { resource: 'db', verb: 'delete' },
  params: oneDatabase,
  reply: ok,
});

/** A step of a trial, in the words of this wire. */
export const traceTypes = [
  'RBAC_DATABASE',
  'RBAC_DATABASE_LOGIN',
  'CONNECTIVITY',
  'DATABASE_DB_USER',
  'DATABASE_DB_NAME',
  'RBAC_APP',
  'APP_HOST',
  'APP_ANSWER',
  'RBAC_KUBE',
  'KUBE_PRINCIPAL',
  'UNKNOWN_ERROR',
] as const;
export const trace = z.object({
  traceType: z.enum(traceTypes),
  status: z.enum(['SUCCESS', 'FAILED']),
  /** What was looked at and found; of what failed, what to do. */
  details: z.string(),
  error: z.optional(z.string()),
});
export type Trace = z.infer<typeof trace>;

const diagnosis = z.object({
  id: z.string(),
  success: z.boolean(),
  message: z.string(),
  traces: z.array(trace),
});
export const diagnoseConnection = call('POST', 'sites/:clusterId/diagnostics/connections', {
  summary:
    'Try a database, an application or a cluster as the person who asks: rights, the way there, its certificate and what it answers, step by step.',
  access: { resource: 'db_server', verb: 'read' },
  params: clusterParams,
  body: z.object({
    resource_kind: z.enum(['db', 'app', 'kube_cluster']),
    resource_name: name,
    /** '' = the first that roles name. */
    database_user: z._default(z.string().check(z.maxLength(255)), ''),
    database_name: z._default(z.string().check(z.maxLength(255)), ''),
    /** '' = all. */
    kubernetes_namespace: z._default(z.string().check(z.maxLength(255)), ''),
  }),
  reply: diagnosis,
});
export const getDiagnosis = call('GET', 'sites/:clusterId/diagnostics/connections/:id', {
  summary: 'What one of your last trials has found, as long as the gateway that made it remembers it.',
  access: { resource: 'db_server', verb: 'read' },
  params: z.extend(clusterParams, { id: z.string().check(z.maxLength(64)) }),
  reply: diagnosis,
});
