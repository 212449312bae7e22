// Calls of the web API that this gateway does not have (yet): a client that tries one hears so, and not that it mistyped the path.
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../contract/failure.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** By what they are about: method, and path below `/v1/webapi/`. A call that gets built leaves this table. */
const rows = {
  'installation scripts': [
    ['GET', 'scripts/databases/configure/sqlserver/:token/configure-ad.ps1'],
    ['GET', 'scripts/installer/:name'],
  ],
  'one list of all resources': [['GET', 'sites/:clusterId/resources']],
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
