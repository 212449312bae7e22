// Trying whether something can be used: every step of the way, as the person who asks.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { assertion } from './mfa.ts';
import { clusterParams, name } from './shapes.ts';

/** A step of a trial, in the words of this wire. */
export const traceTypes = [
  'RBAC_NODE',
  'RBAC_PRINCIPAL',
  'NODE_PRINCIPAL',
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
  'RBAC_DESKTOP',
  'RBAC_DESKTOP_LOGIN',
  'DESKTOP_ANSWER',
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
    'Try a server, a database, an application, a cluster or a desktop as the person who asks: rights, the way there, its certificate and what it answers, step by step.',
  access: { resource: 'db_server', verb: 'read' },
  params: clusterParams,
  body: z.object({
    resource_kind: z.enum(['node', 'db', 'app', 'kube_cluster', 'windows_desktop']),
    /** Of a server its id, or its host name where only one has it. */
    resource_name: name,
    /** '' = the first that roles name. */
    ssh_principal: z._default(z.string().check(z.maxLength(255)), ''),
    /** '' = the first that roles name. */
    database_user: z._default(z.string().check(z.maxLength(255)), ''),
    database_name: z._default(z.string().check(z.maxLength(255)), ''),
    /** '' = all. */
    kubernetes_namespace: z._default(z.string().check(z.maxLength(255)), ''),
    /** Where roles ask for a proof with each session on a server: a hardware key's answer to what `mfa/authenticatechallenge` asked. */
    mfa_response: z.nullish(z.object({ webauthn_response: z.nullish(assertion) })),
  }),
  reply: diagnosis,
});
export const getDiagnosis = call('GET', 'sites/:clusterId/diagnostics/connections/:id', {
  summary: 'What one of your last trials has found, as long as the gateway that made it remembers it.',
  access: { resource: 'db_server', verb: 'read' },
  params: z.extend(clusterParams, { id: z.string().check(z.maxLength(64)) }),
  reply: diagnosis,
});
