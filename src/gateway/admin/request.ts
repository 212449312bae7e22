// What the admin calls read of a request: its body, the name in its path, and who is behind it.
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import * as core from 'zod/v4/core';
import { ADMIN_USER_HEADER } from '../../contract/admin.ts';
import { Failure, failures } from '../../contract/failure.ts';
import type { Actor } from '../ports/who.ts';

/** A body held against its schema. Throws Failure bad_request. */
export function read<Schema extends core.$ZodType>(schema: Schema, request: FastifyRequest): core.output<Schema> {
  const result = core.safeParse(schema, request.body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Failure(
    'bad_request',
    issue ? `${issue.path.join('.') || 'request'}: ${issue.message}` : failures.bad_request.text,
  );
}

/** The name in the path. */
export const nameIn = (request: FastifyRequest): string => z.parse(z.object({ name: z.string() }), request.params).name;

/** `system:<OS login>`, who may do all: such names cannot be those of users who sign in. */
export function actor(request: FastifyRequest): Actor {
  const login = request.headers[ADMIN_USER_HEADER];
  const name = typeof login === 'string' && /^[\x21-\x7e]{1,64}$/.test(login) ? login : 'unknown';
  return { user: `system:${name}`, rights: null };
}
