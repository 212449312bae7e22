// Adding, changing and removing databases.
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
