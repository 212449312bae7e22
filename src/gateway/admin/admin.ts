// The gateway's own back door: HTTP on a socket that only its user may open, for the command line. No sign-in: the file's mode is the right.
import Fastify, { type FastifyInstance } from 'fastify';
import type { AdminAnswers } from '../../contract/admin.ts';
import { Failure, failures } from '../../contract/failure.ts';
import { lockBody } from '../../contract/locks.ts';
import { accessQuestion } from '../../contract/rights.ts';
import type { Core } from '../core.ts';
import { noSchemas } from '../no-schemas.ts';
import { ConnectError } from '../ports/reach.ts';
import {
  alertBody,
  expireBody,
  holdBody,
  passwordsBody,
  probeBody,
  releaseBody,
  serverBody,
  userBody,
  verifyBody,
} from './calls.ts';
import { serveDeclared } from './declared.ts';
import { actor, nameIn, read } from './request.ts';

/** Some hundred thousand hours of anchors, as JSON. */
const ANCHORS_MOST_BYTES = 64 * 1024 * 1024;

/** Builds the admin app over the services. Needs no port: `inject` works. `publicUrl` begins the links it makes. */
export function createAdmin(core: Core, publicUrl: string): FastifyInstance {
  const { audit, anchors, identity, authority, recordings, servers, connectors, alerts, access, locks, retention } =
    core;
  const app = Fastify({ ...noSchemas, bodyLimit: 1024 * 1024, routerOptions: { maxParamLength: 1024 } });

  app.setErrorHandler((error, _request, reply) => {
    const failure =
      error instanceof Failure
        ? error
        : error instanceof ConnectError
          ? new Failure('unreachable', error.message)
          : undefined;
    if (!failure) core.log.error({ err: error }, 'an admin call failed');
    const { code, message } = failure ?? new Failure('internal', error instanceof Error ? error.message : undefined);
    reply.status(failures[code].status).send({ error: { code, message } });
  });

  const linkTo = (
    page: 'invite' | 'reset',
    token: { readonly tokenId: string; readonly user: string; readonly expires: Date },
  ): AdminAnswers['invite'] => ({
    user: token.user,
    link: `${publicUrl}/web/${page}/${token.tokenId}`,
    expires: token.expires.toISOString(),
  });

  app.post('/servers/probe', (request): Promise<AdminAnswers['probe']> => servers.probe(read(probeBody, request).addr));
  app.get('/servers', () => servers.all());
  app.post(
    '/servers',
    async (request): Promise<AdminAnswers['server']> =>
      servers.shownToMachine(await servers.add(read(serverBody, request), actor(request))),
  );
  app.delete(
    '/servers/:name',
    async (request): Promise<AdminAnswers['server']> =>
      servers.shownToMachine(await servers.remove(nameIn(request), actor(request))),
  );

  app.get('/ca', async () => ({ line: authority.trustedUserCaLine() }));

  app.post('/users', async (request): Promise<AdminAnswers['invite']> => {
    const body = read(userBody, request);
    const by = actor(request);
    await identity.accounts.create({ name: body.name, roles: body.roles, traits: { logins: body.logins } }, by);
    return linkTo('invite', await identity.credentials.createToken(body.name, 'invite', by));
  });
  app.post(
    '/users/:name/reset',
    async (request): Promise<AdminAnswers['invite']> =>
      linkTo('reset', await identity.credentials.createToken(nameIn(request), 'password', actor(request))),
  );

  app.post('/passwords', async (request): Promise<AdminAnswers['passwords']> => {
    const { accepted, force } = read(passwordsBody, request);
    const { first } = await connectors.settings();
    await connectors.choose({ local: accepted, first }, actor(request), force);
    return { accepted };
  });

  app.get('/can', request => access.explain(accessQuestion.parse(request.query), actor(request)));
  app.get('/locks', request => locks.list(actor(request)));
  app.post('/locks', request => locks.add(read(lockBody, request), actor(request)));
  app.delete('/locks/:name', async request => {
    const name = nameIn(request);
    await locks.remove(name, actor(request));
    return { name };
  });

  app.get('/alerts', () => alerts.all());
  app.post('/alerts', (request): Promise<AdminAnswers['alert']> => alerts.add(read(alertBody, request)));
  app.delete('/alerts/:name', async request => {
    const name = nameIn(request);
    await alerts.remove(name);
    return { name };
  });

  serveDeclared(app, core);

  app.post('/audit/verify', { bodyLimit: ANCHORS_MOST_BYTES }, async (request): Promise<AdminAnswers['check']> => {
    const problem = await audit.verify(await anchors.read(read(verifyBody, request).anchors ?? ''));
    return { ok: problem === null, problem: problem ?? '' };
  });
  app.get('/recordings/:name/verify', async (request): Promise<AdminAnswers['check']> => {
    const sid = nameIn(request);
    const found = await recordings.verify(sid);
    if (found === null) throw new Failure('not_found', `there is no recording of session ${sid}`);
    return { ok: found.ok, problem: found.problem ?? '' };
  });
  app.post(
    '/recordings/expire',
    (request): Promise<AdminAnswers['expired']> => retention.expire(read(expireBody, request).dryRun),
  );
  app.get('/holds', (): Promise<readonly AdminAnswers['hold'][]> => retention.holds());
  app.post('/holds', (request): Promise<AdminAnswers['hold']> => {
    const { on, why } = read(holdBody, request);
    return retention.hold(on, why, actor(request).user);
  });
  app.post(
    '/holds/:name/release',
    (request): Promise<AdminAnswers['hold']> =>
      retention.release(nameIn(request), read(releaseBody, request).why, actor(request).user),
  );
  return app;
}
