// Calls of the web API that this gateway does not have (yet): a client that tries one hears so, and not that it mistyped the path.
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../contract/failure.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** By what they are about: method, and path below `/v1/webapi/`. A call that gets built leaves this table. */
const rows = {
  'installation scripts': [
    ['GET', 'scripts/desktop-access/install-ad-ds.ps1'],
    ['GET', 'scripts/desktop-access/install-ad-cs.ps1'],
    ['GET', 'scripts/desktop-access/configure/:token/configure-ad.ps1'],
    ['GET', 'scripts/databases/configure/sqlserver/:token/configure-ad.ps1'],
    ['GET', 'scripts/installer/:name'],
    ['GET', 'scripts/integrations/configure/deployservice-iam.sh'],
    ['GET', 'scripts/integrations/configure/eice-iam.sh'],
  ],
  integrations: [
    ['GET', 'sites/:clusterId/integrations'],
    ['POST', 'sites/:clusterId/integrations'],
    ['GET', 'sites/:clusterId/integrations/:name'],
    ['PUT', 'sites/:clusterId/integrations/:name'],
    ['DELETE', 'sites/:clusterId/integrations/:name'],
    ['POST', 'sites/:clusterId/integrations/aws-oidc/:name/databases'],
    ['POST', 'sites/:clusterId/integrations/aws-oidc/:name/deployservice'],
    ['POST', 'sites/:clusterId/integrations/aws-oidc/:name/ec2'],
    ['POST', 'sites/:clusterId/integrations/aws-oidc/:name/securitygroups'],
    ['POST', 'sites/:clusterId/integrations/aws-oidc/:name/ec2ice'],
    ['POST', 'sites/:clusterId/integrations/aws-oidc/:name/deployec2ice'],
  ],
  'one list of all resources': [['GET', 'sites/:clusterId/resources']],
  'enrolling databases': [['GET', 'sites/:clusterId/databases/:name/iam/policy']],
  'the assistant': [
    ['POST', 'assistant/conversations'],
    ['GET', 'assistant/conversations'],
    ['GET', 'assistant/conversations/:id'],
    ['DELETE', 'assistant/conversations/:id'],
    ['POST', 'assistant/conversations/:id/title'],
    ['POST', 'assistant/title/summary'],
  ],
  traces: [['POST', 'traces']],
} as const satisfies Record<string, readonly (readonly [Method, string])[]>;

/** Every call of the table, with its full path. */
export const notBuilt = Object.entries<readonly (readonly [Method, string])[]>(rows).flatMap(([about, calls]) =>
  calls.map(([method, path]) => ({ about, method, path: `/v1/webapi/${path}` })),
);

/** Registers the table: 501 for everybody, before anything of the body is read. */
export function serveNotBuilt(app: FastifyInstance): void {
  for (const { about, method, path } of notBuilt)
    app.route({
      method,
      url: path,
      onRequest: async () => {
        throw new Failure('unsupported', `this gateway does not have ${about}`);
      },
      handler: () => undefined,
    });
}
