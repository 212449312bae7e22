// Holds what was sent against its schema, and says what is wrong in words: which field, and what is allowed.
import * as core from 'zod/v4/core';
import en from 'zod/v4/locales/en.js';
import { Failure } from '../../contract/failure.ts';

// zod/mini says only "Invalid input" until it is given words.
core.config(en());

/** Most fields named in one answer. */
const FIELDS_MOST = 20;
/** Longest field name repeated in an answer, characters: names may come from the caller. */
const NAME_MOST_CHARACTERS = 100;

/** Throws Failure bad_request. `where` names the whole when no single field is wrong: body, query, path. */
export function check<Schema extends core.$ZodType>(
  schema: Schema,
  value: unknown,
  where: string,
): core.output<Schema> {
  const parsed = core.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const issue of parsed.error.issues) {
    const path = issue.path.map(String).join('.');
    const names =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map(key => (path === '' ? key : `${path}.${key}`))
        : [path || where];
    for (const name of names) {
      if (Object.keys(fields).length >= FIELDS_MOST) break;
      fields[name.slice(0, NAME_MOST_CHARACTERS)] ??=
        issue.code === 'unrecognized_keys' ? 'unknown field' : issue.message;
    }
  }
  const [first] = Object.entries(fields);
  throw new Failure('bad_request', first ? `${first[0]}: ${first[1]}` : `bad ${where}`, { ...fields });
}

/**
 * A body without the fields that are null and might as well be missing: for lists and texts that are empty, clients in Go write null. What
 * a schema takes as null stays.
 */
export function withoutNulls(schema: core.$ZodType, body: unknown): unknown {
  const { shape } = schema._zod.def as { readonly shape?: Readonly<Record<string, core.$ZodType>> };
  if (shape === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const mayBeMissing = (key: string): boolean => {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    return field?._zod.optin !== undefined && !core.safeParse(field, null).success;
  };
  return Object.fromEntries(Object.entries(body).filter(([key, value]) => value !== null || !mayBeMissing(key)));
}
