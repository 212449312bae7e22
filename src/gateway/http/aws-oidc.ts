// AWS OIDC integrations: who the gateway is to AWS, the script that says so in an account, and what is asked there.
import type { FastifyInstance } from 'fastify';
import {
  createAwsConnectEndpoint,
  deployAwsDatabaseService,
  listAwsConnectEndpoints,
  listAwsDatabases,
  listAwsSecurityGroups,
  listAwsServers,
} from '../../contract/aws-oidc.ts';
import { awsRegion } from '../../contract/aws-shapes.ts';
import { Failure } from '../../contract/failure.ts';
import { awsScript, connectScript, deployScript, wrongAsked } from '../services/aws-oidc/script.ts';
import { failingScript } from '../services/joining/scripts.ts';
import { thumbprint } from './clusters.ts';
import { createRateLimit } from './rate-limit.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

const KEYS_MAX_AGE_SECONDS = 300;
const wordOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 512) : '');

export function serveAwsOidc(
  app: FastifyInstance,
  serve: Serve,
  { awsOidc, awsIssuer, joining, config, clock }: Services,
): void {
  const limit = createRateLimit(config.rateLimit, clock);
  const guarded = (ip: string): void => {
    const waitSeconds = limit.take(ip);
    if (waitSeconds > 0) throw new Failure('limited', `too many requests; try again in ${waitSeconds} s`);
  };
  const cached = { 'cache-control': `public, max-age=${KEYS_MAX_AGE_SECONDS}` };
  app.get('/.well-known/openid-configuration', async ({ ip }, reply) => {
    guarded(ip);
    return reply.headers(cached).send(awsIssuer.discovery());
  });
  app.get('/.well-known/jwks-oidc', async ({ ip }, reply) => {
    guarded(ip);
    return reply.headers(cached).send(await awsIssuer.keys());
  });
  app.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    '/v1/webapi/scripts/integrations/configure/awsoidc-idp.sh',
    async ({ query, ip }, reply) => {
      guarded(ip);
      void reply.type('text/plain; charset=utf-8');
      const [role, integration] = [wordOf(query.role), wordOf(query.integrationName)];
      const wrong = wrongAsked(role, integration);
      if (wrong !== null) return failingScript(wrong);
      if (!config.publicUrl.startsWith('https:'))
        return failingScript('AWS asks the gateway for its keys over https: it needs a public https address first');
      const own = config.tls ? thumbprint(String(config.tls.cert)) : '';
      return awsScript({ issuer: config.publicUrl, thumbprint: own, role, integration });
    },
  );
  app.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    '/v1/webapi/scripts/integrations/configure/deployservice-iam.sh',
    async ({ query, ip }, reply) => {
      guarded(ip);
      void reply.type('text/plain; charset=utf-8');
      const [role, integration, taskRole] = [query.role, query.integrationName, query.taskRole].map(wordOf);
      const wrong = wrongAsked(role ?? '', integration ?? '') ?? wrongAsked(taskRole ?? '', integration ?? '');
      return wrong === null
        ? deployScript({ role: role ?? '', integration: integration ?? '', task_role: taskRole ?? '' })
        : failingScript(wrong);
    },
  );
  app.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    '/v1/webapi/scripts/integrations/configure/eice-iam.sh',
    async ({ query, ip }, reply) => {
      guarded(ip);
      void reply.type('text/plain; charset=utf-8');
      const [role = '', region = ''] = [query.role, query.awsRegion].map(wordOf);
      if (!awsRegion.safeParse(region).success)
        return failingScript('awsRegion: a region of AWS, such as eu-central-1');
      const wrong = wrongAsked(role, 'none');
      return wrong === null ? connectScript({ role, region }) : failingScript(wrong);
    },
  );
  serve(deployAwsDatabaseService, async ({ params, body }, who) => {
    // It joins, as a machine does with a token.
    if (!who.rights.may('token', 'create'))
      throw new Failure('denied', 'access denied: no role gives you "create" on "token"');
    const { deployDatabaseService } = await import('../services/aws-oidc/database-service.ts');
    const { newDialKey: newKey } = await import('../services/protocols/ssh/port/host-key.ts');
    const { ecs } = awsOidc;
    const { lead } = joining;
    return deployDatabaseService({ ecs, newKey, lead, clusterName: config.clusterName }, params.name, body, who);
  });
  serve(listAwsDatabases, ({ params, body }) => awsOidc.databases(params.name, body));
  serve(listAwsServers, ({ params, body }) => awsOidc.servers(params.name, body));
  serve(listAwsSecurityGroups, ({ params, body }) => awsOidc.securityGroups(params.name, body));
  serve(listAwsConnectEndpoints, ({ params, body }) => awsOidc.connectEndpoints(params.name, body));
  serve(createAwsConnectEndpoint, ({ params, body }) => awsOidc.createConnectEndpoint(params.name, body));
}
