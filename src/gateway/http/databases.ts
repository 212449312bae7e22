// Certificates of databases: what they trust, and what they show.
import * as z from 'zod/mini';
import { createDatabase, deleteDatabase, updateDatabase } from '../../contract/database-changes.ts';
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
import type { SessionScope } from '../services/identity/factors/factors.ts';
import type { DatabaseCredential } from '../services/protocols/databases/credentials.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveDatabases(serve: Serve, services: Services): void {
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
  serve(updateDatabase, async ({ params: { name }, body: { uri, labels, caCert } }, who) => {
    await databases.change(name, { uri, labels, caCert }, who);
    return reachable.database(who, name);
  });
  serve(deleteDatabase, async ({ params }, who) => {
    await databases.remove(params.name, who);
    return OK;
  });
  serve(databaseKeyChallenge, ({ params }, who) =>
    identity.factors.challenge(who.userId, 'session', scopeOf(params.name)),
  );
  serve(createDatabaseCertificate, async ({ params: { name }, body }, who) => {
    const { publicKey, webauthnAssertionResponse: assertion } = body;
    if (!assertion) return onWire(await databaseCredentials.issue(who, name, publicKey));
    const device = await identity.factors.prove(who.userId, { assertion }, 'session', scopeOf(name));
    if (!device) throw new Failure('denied', 'The hardware key was not accepted.');
    return onWire(await databaseCredentials.issue(who, name, publicKey, device.id));
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

/** What the key is asked for: the answer opens this database, and nothing else of the person's. */
const scopeOf = (name: string): string =>
  JSON.stringify({ connection: `database ${name}`, title: `the database ${name}` } satisfies SessionScope);

const onWire = ({ users, names, ...rest }: DatabaseCredential) => ({ ...rest, users: [...users], names: [...names] });
