// The OpenAPI page, made from the same values that the routes and the console's client read.
// Not @fastify/swagger 9: it describes routes, refuses zod/mini schemas unless two compilers are replaced, and the conversion here would stay.
import * as core from 'zod/v4/core';
import type { Call } from '../../contract/call.ts';
import { calls } from '../../contract/calls.ts';

type Json = Record<string, unknown>;

/** Describes every call of the contract as OpenAPI 3.1. */
export function describeCalls(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [name, call] of Object.entries(calls)) {
    const path = call.path.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: describe(name, call) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Postern web API', version },
    paths,
    components: {
      securitySchemes: {
        cookie: { type: 'apiKey', in: 'cookie', name: '__Host-session' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function describe(name: string, { parts }: Call): Json {
  const access = parts.access;
  const right = typeof access === 'object' ? ` Needs the verb ${access.verb} on ${access.resource}.` : '';
  const body = parts.body && {
    content: { 'application/json': { schema: schemaOf(parts.body, 'input') } },
    required: true,
  };
  const csrf = parts.csrf ? [{ name: 'X-CSRF-Token', in: 'header', required: true, schema: { type: 'string' } }] : [];
  return {
    operationId: name,
    summary: parts.summary + right,
    security: access === 'public' ? [] : [{ cookie: [], bearer: [] }],
    parameters: [...parameters(parts.params, 'path'), ...parameters(parts.query, 'query'), ...csrf],
    ...(body ? { requestBody: body } : {}),
    responses: {
      200: { description: 'Done', content: replyOf(parts.reply) },
      default: {
        description: 'Refused',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                error: {
                  type: 'object',
                  properties: {
                    message: { type: 'string' },
                    code: { type: 'string' },
                    fields: { type: 'object' },
                    requestId: { type: 'string' },
                  },
                  required: ['message'],
                },
              },
              required: ['error'],
            },
          },
        },
      },
    },
  };
}

/** Replies without a schema are bytes or text, as the summary says. */
const replyOf = (schema: core.$ZodType): Json =>
  schema._zod.def.type === 'unknown' ? { '*/*': {} } : { 'application/json': { schema: schemaOf(schema, 'output') } };

function parameters(schema: core.$ZodType | undefined, where: 'path' | 'query'): readonly Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: of,
  }));
}

const schemaOf = (schema: core.$ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...rest } = core.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
};
