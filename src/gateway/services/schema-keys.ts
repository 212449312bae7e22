// Which keys a schema knows at some place of a document, for whoever misspelt one.
import type * as z from 'zod/v4/core';
import { nearest } from '../../node/nearest.ts';

/** What is said after an unknown key: the one that was meant, or all that are known there. */
export function keyHint(name: string, schema: z.$ZodType, path: readonly PropertyKey[]): string {
  const known = keysAt(schema, path);
  const meant = known.find(key => bareWord(key) === bareWord(name)) ?? nearest(name, known);
  if (meant !== undefined) return `; did you mean ${meant}?`;
  return known.length > 0 ? `; known here: ${known.join(', ')}` : '';
}

/** A key without what is easily mistaken in it: `publicAddr` and `public_addr` are the same. */
const bareWord = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '');

/** The keys that an object of the schema takes, at a path of the document. */
function keysAt(schema: z.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at = bare(schema);
  for (const part of path) {
    const definition = at?._zod.def as Partial<{
      shape: Readonly<Record<string, z.$ZodType>>;
      element: z.$ZodType;
      valueType: z.$ZodType;
    }>;
    at = bare(definition?.shape?.[String(part)] ?? definition?.element ?? definition?.valueType);
  }
  const shape = (at?._zod.def as Partial<{ shape: object }> | undefined)?.shape;
  return shape ? Object.keys(shape) : [];
}

/** A schema without what makes it optional. */
function bare(schema: z.$ZodType | undefined): z.$ZodType | undefined {
  const inner = (schema?._zod.def as Partial<{ innerType: z.$ZodType }> | undefined)?.innerType;
  return inner ? bare(inner) : schema;
}
