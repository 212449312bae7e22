// Servers whose routes have no JSON schema: what comes is held to the contract's own.
import type { FastifyServerOptions } from 'fastify';

const none = () => () => {
  throw new Error('a route has a JSON schema, which nothing checks here: hold its body to the contract');
};

/** Without it Fastify loads the compilers of such schemas when it starts, and keeps them: 125 modules. */
export const noSchemas = {
  schemaController: { compilersFactory: { buildValidator: none, buildSerializer: none } },
} as const satisfies FastifyServerOptions;
