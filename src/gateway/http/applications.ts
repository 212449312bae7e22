// Sessions in applications, for browsers that are signed in to the console; and the keys by which applications know who asks.
import type { FastifyInstance } from 'fastify';
import { appKeyChallenge, createAppSession, getApp, getAppAt } from '../../contract/applications.ts';
import { Failure } from '../../contract/failure.ts';
import type { SessionScope } from '../services/identity/factors/factors.ts';
import { refuseOtherCluster } from './cluster.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

/** Applications keep the keys so long, seconds. */
const KEYS_MAX_AGE_SECONDS = 3600;

export function serveApplications(app: FastifyInstance, serve: Serve, services: Services): void {
  const { applications, identity, config } = services;
  serve(createAppSession, async ({ body }, who) => {
    const { fqdn, cluster_name, webauthnAssertionResponse: answer } = body;
    if (cluster_name) refuseOtherCluster(cluster_name, config.clusterName);
    const asksFactor = who.rights.options.sessionFactor;
    if (asksFactor && !answer)
      throw new Failure('denied', 'MFA required: your roles ask for a second factor for each session');
    const device = answer
      ? await identity.factors.prove(who.userId, { assertion: answer }, 'session', scopeOf(fqdn))
      : undefined;
    if (device === null) throw new Failure('denied', 'The hardware key was not accepted.');
    const { value, subject, ...rest } = await applications.entrance.launch(who, fqdn, device?.id);
    return { ...rest, cookie_value: value, subject_cookie_value: subject };
  });
  serve(appKeyChallenge, async ({ body: { fqdn } }, who) => {
    await applications.entrance.find(who, fqdn);
    return identity.factors.challenge(who.userId, 'session', scopeOf(fqdn));
  });
  const found = async (who: Parameters<typeof applications.entrance.find>[0], fqdn: string) => ({
    fqdn: (await applications.entrance.find(who, fqdn)).publicAddr,
  });
  serve(getApp, ({ params }, who) => found(who, params.fqdn));
  serve(getAppAt, ({ params }, who) => found(who, params.fqdn));

  app.get('/.well-known/jwks.json', async (_request, reply) =>
    reply.header('cache-control', `public, max-age=${KEYS_MAX_AGE_SECONDS}`).send(await applications.identity.keys()),
  );
}

/** What the key is asked for: the answer opens this application, and nothing else of the person's. */
const scopeOf = (fqdn: string): string =>
  JSON.stringify({ connection: `application ${fqdn}`, title: `the application ${fqdn}` } satisfies SessionScope);
