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

/** Most places that one hint names. */
const PLACES_MOST = 2;

/** What is said after an unknown key: the one that was meant, the place where it is a key, or all that are known here. */
export function keyHint(name: string, schema: z.$ZodType, path: readonly PropertyKey[]): string {
  const known = keysAt(schema, path).map(([key]) => key);
  const same = (keys: readonly string[]) => keys.find(key => bareWord(key) === bareWord(name));
  const here = same(known);
  if (here !== undefined) return `; did you mean ${here}?`;
  const elsewhere = placesIn(schema).filter(place => place.path.join('.') !== path.join('.'));
  const named = elsewhere.flatMap(({ keys }) => same(keys) ?? [])[0];
  if (named !== undefined) {
    const spelt = named === name ? 'it belongs' : `did you mean ${named}? It belongs`;
    return `; ${spelt} ${placesOf(named, elsewhere)}`;
  }
  // What stands here counts before what is as near elsewhere.
  const meant = nearest(name, [...known, ...elsewhere.flatMap(({ keys }) => keys)]);
  if (meant !== undefined)
    return known.includes(meant)
      ? `; did you mean ${meant}?`
      : `; did you mean ${meant}? It belongs ${placesOf(meant, elsewhere)}`;
  return known.length > 0 ? `; known here: ${known.join(', ')}` : '';
}

/** A place of a document that takes keys. */
interface Place {
  readonly path: readonly string[];
  readonly keys: readonly string[];
}

/** The places of a document that take keys, from the top down; those within lists are none, for nobody can say which item is meant. */
function placesIn(schema: z.$ZodType): readonly Place[] {
  const places: Place[] = [];
  let level: readonly { readonly path: readonly string[]; readonly schema: z.$ZodType }[] = [{ path: [], schema }];
  while (level.length > 0) {
    const entries = level.flatMap(at => keysAt(at.schema, []).map(([key, below]) => ({ at, key, below })));
    for (const [at, own] of Map.groupBy(entries, one => one.at))
      places.push({ path: at.path, keys: own.map(({ key }) => key) });
    level = entries.map(({ at, key, below }) => ({ path: [...at.path, key], schema: below }));
  }
  return places;
}

/** `under spec.allow or spec.deny`: those furthest up that take a key. */
function placesOf(key: string, places: readonly Place[]): string {
  const taking = places.filter(({ keys }) => keys.includes(key)).map(({ path }) => path);
  const depth = Math.min(...taking.map(({ length }) => length));
  const few = taking.filter(({ length }) => length === depth).slice(0, PLACES_MOST);
  return depth === 0 ? 'at the top of the document' : `under ${few.map(path => path.join('.')).join(' or ')}`;
}

/** A key without what is easily mistaken in it: `publicAddr` and `public_addr` are the same. */
const bareWord = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '');
