// Certificates of databases: what they trust, and what they show.
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import {
  createDatabase,
  deleteDatabase,
  getDatabaseIamPolicy,
  updateDatabase,
} from '../../contract/database-changes.ts';
import {
  createDatabaseCertificate,
  databaseKeyChallenge,
  getDatabaseAuthorities,
  signDatabase,
} from '../../contract/databases.ts';
import { parseDuration } from '../../contract/duration.ts';
import { Failure } from '../../contract/failure.ts';
import { database } from '../../contract/resources.ts';
import { OK } from '../../contract/shapes.ts';
import type { DatabaseCredential } from '../services/protocols/databases/credentials.ts';
import { otherCluster } from './leaf.ts';
import { certifyForLeaf, provenDevice, sessionScope } from './leaf-certificates.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveDatabases(serve: Serve, services: Services): void {
  const leafOf = (request: FastifyRequest) => otherCluster(request, services.config.clusterName);
  const { identity, databases, databaseSetUp, databaseCredentials, reachable } = services;
  serve(createDatabase, async ({ body }, who) => {
    await databases.add(body, who);
    const { name, protocol, uri, labels } = body;
    // Who adds one need not be among those whose roles select it.
    return reachable.database(who, name).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'not_found')
        return z.parse(database, { name, protocol, uri, labels });
      throw error;
    });
  });
  serve(updateDatabase, async ({ params: { name }, body: { uri, labels, caCert, awsRds } }, who) => {
    await databases.change(name, { uri, labels, caCert, awsRds }, who);
    return reachable.database(who, name);
  });
  serve(getDatabaseIamPolicy, async ({ params }, who) => ({
    type: 'aws' as const,
    aws: { policy_document: await databases.iamPolicy(params.name, who), placeholders: [] },
  }));
  serve(deleteDatabase, async ({ params }, who) => {
    await databases.remove(params.name, who);
    return OK;
  });
  serve(databaseKeyChallenge, ({ params, request }, who) =>
    identity.factors.challenge(who.userId, 'session', scopeOf(params.name, leafOf(request))),
  );
  serve(createDatabaseCertificate, async ({ params, body, request }, who) => {
    const { name } = params;
    const { publicKey, webauthnAssertionResponse: assertion } = body;
    const leaf = leafOf(request);
    const device = await provenDevice(services, who, assertion, scopeOf(name, leaf));
    if (leaf === undefined) return onWire(await databaseCredentials.issue(who, name, publicKey, device));
    const wanted = { leaf, kind: 'db', name, params, publicKey, device } as const;
    const { said, at, made } = await certifyForLeaf(services, createDatabaseCertificate, who, {
      ...wanted,
      route: ({ protocol }) => ({ route_to_database: { service_name: name, protocol } }),
    });
    return { ...said, ...at, ...made };
  });
  serve(getDatabaseAuthorities, () => databaseSetUp.authorities());
  serve(signDatabase, async ({ body, reply, joinToken }, who) => {
    const ttlMs = parseDuration(body.ttl) ?? 0;
    const archive =
      joinToken === null
        ? await databaseSetUp.sign(body.hostname, ttlMs, who, body.users)
        : await signedFor(services, joinToken, body.hostname, ttlMs);
    return reply
      .headers({
        'content-disposition': `attachment; filename="postern_mTLS_${body.hostname[0]?.replaceAll(':', '-')}.tar.gz"`,
      })
      .type('application/gzip')
      .send(archive);
  });
}

/** For a machine that joins: uses its token, and gives the use back where nothing came of it. */
async function signedFor({ tokens, databaseSetUp }: Services, text: string, hosts: readonly string[], ttlMs: number) {
  const { name } = await tokens.use(text, 'Db');
  try {
    return await databaseSetUp.sign(hosts, ttlMs, { user: `join-token:${name}`, rights: null });
  } catch (error) {
    await tokens.giveBack(name);
    throw error;
  }
}

const scopeOf = (name: string, leaf: string | undefined): string => sessionScope(`database ${name}`, leaf);

const onWire = ({ users, names, ...rest }: DatabaseCredential) => ({ ...rest, users: [...users], names: [...names] });
