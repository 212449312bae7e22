// The gateway's own back door: HTTP on a socket that only its user may open, for the command line. No sign-in: the file's mode is the right.
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { AdminAnswers } from '../../contract/admin.ts';
import { ALERT_BILLING_LABEL, ALERT_LINK_LABEL } from '../../contract/clusters.ts';
import { Failure, failures } from '../../contract/failure.ts';
import type { Core } from '../core.ts';
import { ConnectError } from '../ports.ts';
import { parsePublicKey } from '../services/protocols/ssh/host-key.ts';
import { newServer, withPort } from '../services/servers/servers.ts';
import type { Resource, ResourceKind } from '../store/store.ts';
import { alertBody, probeBody, serverBody, userBody } from './calls.ts';
import { serveDeclared } from './declared.ts';
import { actor, nameIn, read } from './request.ts';

/** Rows read at once while listing. */
const PAGE = 500;
/** Most rows a list answers. */
const ROWS_MOST = 10_000;

/** Builds the admin app over the services. Needs no port: `inject` works. `publicUrl` begins the links it makes. */
export function createAdmin(core: Core, publicUrl: string): FastifyInstance {
  const { store, audit, identity, authority, recordings } = core;
  const { resources } = store;
  const app = Fastify({ bodyLimit: 1024 * 1024, routerOptions: { maxParamLength: 1024 } });

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

  const shownServer = (server: Resource): AdminAnswers['server'] => ({
    id: server.name,
    hostname: server.title,
    addr: server.address,
    subKind: server.subtype,
    own: server.name === core.gatewayId,
    labels: server.labels,
  });

  async function all(kind: ResourceKind): Promise<readonly Resource[]> {
    const found: Resource[] = [];
    let startKey = '';
    do {
      const page = await resources.list(kind, {
        limit: PAGE,
        startKey,
        selection: null,
        count: false,
        sort: { field: 'title', descending: false },
      });
      found.push(...page.items);
      startKey = page.startKey;
    } while (startKey !== '' && found.length < ROWS_MOST);
    return found;
  }

  const linkTo = (
    page: 'invite' | 'reset',
    token: { readonly tokenId: string; readonly user: string; readonly expires: Date },
  ): AdminAnswers['invite'] => ({
    user: token.user,
    link: `${publicUrl}/web/${page}/${token.tokenId}`,
    expires: token.expires.toISOString(),
  });

  app.post('/servers/probe', async (request): Promise<AdminAnswers['probe']> => {
    const { addr } = read(probeBody, request);
    const full = withPort(addr);
    return { addr: full, hostKey: await core.ssh.probe(full) };
  });
  app.get('/servers', async () => (await all('node')).map(shownServer));
  app.post('/servers', async (request): Promise<AdminAnswers['server']> => {
    const body = read(serverBody, request);
    parsePublicKey(body.hostKey);
    const labels = labelsOf(body.labels);
    const stored = await resources.create(
      newServer({ hostname: body.hostname, addr: body.addr, labels, hostKey: body.hostKey.trim() }),
    );
    await audit.emit({
      code: 'TJ002I',
      success: true,
      host_id: stored.name,
      node_name: stored.title,
      role: 'Node',
      method: 'command-line',
      user: actor(request),
      'addr.remote': stored.address,
    });
    return shownServer(stored);
  });
  app.delete('/servers/:name', async (request): Promise<AdminAnswers['server']> => {
    const wanted = nameIn(request);
    const servers = await all('node');
    const byId = servers.filter(server => server.name === wanted);
    const matches =
      byId.length > 0 ? byId : servers.filter(server => server.title === wanted || server.address === wanted);
    const [server, another] = matches;
    if (!server) throw new Failure('not_found', `no server is called "${wanted}"`);
    if (another)
      throw new Failure(
        'bad_request',
        `several servers are called "${wanted}"; use the id: ${matches.map(one => one.name).join(', ')}`,
      );
    // The machine of another gateway may be that of one that is gone.
    if (server.name === core.gatewayId)
      throw new Failure('bad_request', 'this is the machine the gateway runs on; it cannot be removed');
    await resources.delete('node', server.name);
    return shownServer(server);
  });

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

  app.get('/alerts', async () => (await all('cluster_alert')).map(shownAlert));
  app.post('/alerts', async (request): Promise<AdminAnswers['alert']> => {
    const body = read(alertBody, request);
    const stored = await resources.create({
      kind: 'cluster_alert',
      name: randomUUID(),
      title: body.message.slice(0, 255),
      description: '',
      address: '',
      subtype: '',
      labels: {
        'postern.internal/alert-permit-all': 'yes',
        ...(body.link !== undefined && { [ALERT_LINK_LABEL]: body.link }),
        ...(body.billing && { [ALERT_BILLING_LABEL]: 'yes' }),
      },
      words: [],
      spec: { severity: body.severity, message: body.message },
      expires: null,
    });
    return shownAlert(stored);
  });
  app.delete('/alerts/:name', async request => {
    const name = nameIn(request);
    if (!(await resources.delete('cluster_alert', name))) throw new Failure('not_found', `there is no alert "${name}"`);
    return { name };
  });

  serveDeclared(app, core);

  app.get('/audit/verify', async (): Promise<AdminAnswers['check']> => {
    const bad = await store.events.verify();
    return { ok: bad === null, problem: bad === null ? '' : `event number ${bad.seq}: ${bad.problem}` };
  });
  app.get('/recordings/:name/verify', async (request): Promise<AdminAnswers['check']> => {
    const sid = nameIn(request);
    const found = await recordings.verify(sid);
    if (found === null) throw new Failure('not_found', `there is no recording of session ${sid}`);
    return { ok: found.ok, problem: found.problem ?? '' };
  });
  return app;
}

function labelsOf(given: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const { name, value } of given) {
    if (name.startsWith('postern.'))
      throw new Failure('bad_request', `label ${name}: names that begin with "postern." are the gateway's own`);
    if (Object.hasOwn(labels, name)) throw new Failure('bad_request', `label ${name}: given twice`);
    labels[name] = value;
  }
  return labels;
}

function shownAlert(alert: Resource): AdminAnswers['alert'] {
  const spec = z.object({ severity: z.number(), message: z.string() }).safeParse(alert.spec);
  return {
    name: alert.name,
    severity: spec.data?.severity ?? 0,
    message: spec.data?.message ?? alert.title,
    link: alert.labels[ALERT_LINK_LABEL] ?? '',
  };
}
