// The `params` of a socket's query: one JSON object, read before the upgrade.
import * as z from 'zod/mini';
import { Failure } from '../../contract/failure.ts';

/** Throws Failure bad_request that names the field. `most`: longest that is read, characters. */
export function readParams<Schema extends z.ZodMiniType>(
  schema: Schema,
  given: unknown,
  most: number,
): z.output<Schema> {
  if (typeof given !== 'string' || given.length > most) throw wrong('params', 'must be one URL-encoded JSON object');
  let json: unknown;
  try {
    json = JSON.parse(given);
  } catch {
    throw wrong('params', 'must be URL-encoded JSON');
  }
  const parsed = z.safeParse(schema, json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw wrong(['params', ...(issue?.path ?? [])].join('.'), issue?.message ?? 'not allowed');
}

/** The refusal of one field. */
export const wrong = (field: string, allowed: string): Failure =>
  new Failure('bad_request', `${field}: ${allowed}`, { [field]: allowed });
