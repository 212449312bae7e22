// Databases and their certificates: what a database trusts, and what it shows.
import * as z from 'zod/mini';
import { DNS_NAME } from './address.ts';
import { call } from './call.ts';
import { assertion, challenge } from './mfa.ts';
import { duration } from './role-options.ts';
import { clusterParams, name, time } from './shapes.ts';

/** A name or an IP address that a certificate is for. */
const subject = z.string().check(
  z.maxLength(253, 'at most 253 characters'),
  z.refine(text => DNS_NAME.test(text) || /^[0-9a-f:.]{2,45}$/i.test(text), 'a host name or an IP address'),
);

export const signDatabase = call('POST', 'sites/:clusterId/sign/db', {
  summary:
    'Certificate and key for a database server, and the authority of those who connect to it: a gzip tar archive.',
  access: { resource: 'database_certificate', verb: 'create' },
  joins: 'Db',
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
    /** Users of a Redis, which cannot tell them by certificates: the archive gets a list for it. */
    users: z._default(
      z
        .array(z.string().check(z.regex(/^[A-Za-z0-9_.@-]{1,64}$/, 'letters, digits, _ . @ and - expected')))
        .check(z.maxLength(64, 'at most 64 users')),
      [],
    ),
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

export const databaseKeyChallenge = call('POST', 'sites/:clusterId/databases/:name/certificate/challenge', {
  summary:
    'What a hardware key is asked before a certificate for this one database, where roles ask for one for each session.',
  access: { resource: 'db_server', verb: 'read' },
  params: z.extend(clusterParams, { name }),
  atRoot: true,
  reply: challenge,
});
export const createDatabaseCertificate = call('POST', 'sites/:clusterId/databases/:name/certificate', {
  summary: 'A certificate for a database client of this person, for a key that stays on their machine.',
  access: { resource: 'db_server', verb: 'read' },
  params: z.extend(clusterParams, { name }),
  body: z.object({
    /** PEM (SPKI), P-256. */
    publicKey: z.string().check(z.maxLength(2048, 'at most 2048 characters')),
    /** Where roles ask for a second factor for each session: the answer to the challenge of this database. */
    webauthnAssertionResponse: z.nullish(assertion),
  }),
  atRoot: true,
  reply: z.object({
    /** PEM; it counts as long as the web session that it was made in. */
    certificate: z.string(),
    /** PEM: vouches for the gateway. */
    authority: z.string(),
    /** Where the client connects. */
    host: z.string(),
    port: z.number(),
    /** Where TLS is what a connection begins with, whatever is spoken in it. */
    tlsPort: z.number(),
    protocol: z.string(),
    expires: time,
    /** Database users and databases that roles name; `*`: any. */
    users: z.array(z.string()),
    names: z.array(z.string()),
  }),
});
