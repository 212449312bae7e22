// What a schema says of a place in a document, for whoever writes there: the keys that it takes, and its values.
import type * as z from 'zod/v4/core';
import { nearest } from './nearest.ts';

type Parts = Partial<{
  innerType: z.$ZodType;
  in: z.$ZodType;
  options: readonly z.$ZodType[];
  shape: Readonly<Record<string, z.$ZodType>>;
  element: z.$ZodType;
  valueType: z.$ZodType;
}>;
const partsOf = (schema: z.$ZodType) => schema._zod.def as Parts;

/** The schemas that stand at a path: one, or those that a value may choose from. None where the path leads nowhere. */
export const schemasAt = (schema: z.$ZodType, path: readonly PropertyKey[]): readonly z.$ZodType[] =>
  path.reduce<readonly z.$ZodType[]>(
    (at, part) =>
      at.flatMap(one => {
        const { shape, element, valueType } = partsOf(one);
        const next =
          shape === undefined ? (element ?? valueType) : Object.hasOwn(shape, part) ? shape[String(part)] : undefined;
        return next === undefined ? [] : bare(next);
      }),
    bare(schema),
  );

/** The keys that are known at a path, with the schema of each. */
export const keysAt = (schema: z.$ZodType, path: readonly PropertyKey[]): readonly (readonly [string, z.$ZodType])[] =>
  schemasAt(schema, path).flatMap(one => Object.entries(partsOf(one).shape ?? {}));

/** Without what makes it optional or turns it into something else; each of several. */
export function bare(schema: z.$ZodType): readonly z.$ZodType[] {
  const { innerType, in: read, options } = partsOf(schema);
  const inside = options ?? [innerType ?? read].filter(one => one !== undefined);
  return inside.length === 0 ? [schema] : inside.flatMap(bare);
}

/** What is said after an unknown key: the one that was meant, or all that are known there. */
export function keyHint(name: string, schema: z.$ZodType, path: readonly PropertyKey[]): string {
  const known = keysAt(schema, path).map(([key]) => key);
  const meant = known.find(key => bareWord(key) === bareWord(name)) ?? nearest(name, known);
  if (meant !== undefined) return `; did you mean ${meant}?`;
  return known.length > 0 ? `; known here: ${known.join(', ')}` : '';
}

/** A key without what is easily mistaken in it: `publicAddr` and `public_addr` are the same. */
const bareWord = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '');
