// Sessions in applications, for browsers that are signed in to the console; and the keys by which applications know who asks.
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { createApplication, deleteApplication, updateApplication } from '../../contract/application-changes.ts';
import { appKeyChallenge, createAppSession, getApp, getAppAt } from '../../contract/applications.ts';
import { Failure } from '../../contract/failure.ts';
import { application } from '../../contract/resources.ts';
import { OK } from '../../contract/shapes.ts';
import type { Who } from '../ports/who.ts';
import { awsPartition, awsRolesOf } from '../services/aws-console.ts';
import type { SessionScope } from '../services/identity/factors/factors.ts';
import { refuseOtherCluster } from './cluster.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

/** Applications keep the keys so long, seconds. */
const KEYS_MAX_AGE_SECONDS = 3600;

export function serveApplications(app: FastifyInstance, serve: Serve, services: Services): void {
  const { applications, managedApplications, reachable, identity, config } = services;
  serve(createApplication, async ({ body }, who) => {
    await managedApplications.add(body, who);
    const { name, uri, publicAddr, labels } = body;
    // Who adds one need not be among those whose roles select it.
    return reachable.application(who, name).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'not_found')
        return z.parse(application, { name, uri, publicAddr, labels, clusterId: config.clusterName });
      throw error;
    });
  });
  serve(updateApplication, async ({ params: { name }, body: { uri, publicAddr, labels } }, who) => {
    await managedApplications.change(name, { uri, publicAddr, labels }, who);
    return reachable.application(who, name);
  });
  serve(deleteApplication, async ({ params }, who) => {
    await managedApplications.remove(params.name, who);
    return OK;
  });
  serve(createAppSession, async ({ body }, who) => {
    const { fqdn, cluster_name, arn, webauthnAssertionResponse: answer } = body;
    const isOfLeaf = await applications.ofLeaves.isAt(fqdn);
    if (cluster_name && !isOfLeaf) refuseOtherCluster(cluster_name, config.clusterName);
    const asksFactor = who.rights.options.sessionFactor;
    if (asksFactor && !answer)
      throw new Failure('denied', 'MFA required: your roles ask for a second factor for each session');
    const device = answer
      ? await identity.factors.prove(who.userId, { assertion: answer }, 'session', scopeOf(fqdn))
      : undefined;
    if (device === null) throw new Failure('denied', 'The hardware key was not accepted.');
    const { value, subject, ...rest } = isOfLeaf
      ? await applications.ofLeaves.launch(who, fqdn)
      : await applications.entrance.launch(who, fqdn, device?.id, arn || undefined);
    return { ...rest, cookie_value: value, subject_cookie_value: subject };
  });
  serve(appKeyChallenge, async ({ body: { fqdn } }, who) => {
    await found(who, fqdn);
    return identity.factors.challenge(who.userId, 'session', scopeOf(fqdn));
  });
  async function found(who: Who, fqdn: string) {
    if (await applications.ofLeaves.isAt(fqdn)) {
      await applications.ofLeaves.find(who, fqdn);
      return { fqdn };
    }
    const { publicAddr, uri, labels } = await applications.entrance.find(who, fqdn);
    const partition = awsPartition(uri);
    return { fqdn: publicAddr, ...(partition && { awsRoles: awsRolesOf(who.rights, partition, labels) }) };
  }
  serve(getApp, ({ params }, who) => found(who, params.fqdn));
  serve(getAppAt, ({ params }, who) => found(who, params.fqdn));

  app.get('/.well-known/jwks.json', async (_request, reply) =>
    reply.header('cache-control', `public, max-age=${KEYS_MAX_AGE_SECONDS}`).send(await applications.identity.keys()),
  );
}

/** What the key is asked for: the answer opens this application, and nothing else of the person's. */
const scopeOf = (fqdn: string): string =>
  JSON.stringify({ connection: `application ${fqdn}`, title: `the application ${fqdn}` } satisfies SessionScope);
