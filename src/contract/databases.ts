// Databases and their certificates: what a database trusts, and what it shows.
import * as z from 'zod/mini';
import { DNS_NAME } from './address.ts';
import { call } from './call.ts';
import { duration } from './role-options.ts';
import { clusterParams } from './shapes.ts';

/** A name or an IP address that a certificate is for. */
const subject = z.string().check(
  z.maxLength(253, 'at most 253 characters'),
  z.refine(text => DNS_NAME.test(text) || /^[0-9a-f:.]{2,45}$/i.test(text), 'a host name or an IP address'),
);

export const signDatabase = call('POST', 'sites/:clusterId/sign/db', {
  summary:
    'Certificate and key for a database server, and the authority of those who connect to it: a gzip tar archive.',
  access: { resource: 'database_certificate', verb: 'create' },
  streamed: true,
  params: clusterParams,
  body: z.object({
    /** The first is its name; several with commas between them. */
    hostname: z.pipe(
      z.pipe(
        z.string().check(z.maxLength(2048, 'at most 2048 characters')),
        z.transform((text: string) => text.split(',').map(one => one.trim())),
      ),
      z.array(subject).check(z.minLength(1), z.maxLength(16, 'at most 16 names')),
    ),
    /** How long the certificate lasts. */
    ttl: z._default(duration, '2190h'),
  }),
  reply: z.unknown(),
});

export const getDatabaseAuthorities = call('GET', 'sites/:clusterId/sign/db', {
  summary: 'What a database trusts when the gateway connects to it, and what the gateway trusts of databases.',
  access: 'signedIn',
  params: clusterParams,
  reply: z.object({
    /** PEM: signs the client certificate of each connection, whose common name is the database user. */
    clients: z.string(),
    /** PEM: signs what `sign/db` hands out. */
    servers: z.string(),
  }),
});
