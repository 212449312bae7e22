// Which keys a schema knows at some place of a document, for whoever misspelt one.
import type * as z from 'zod/v4/core';
import { keysAt } from '../../contract/schema-keys.ts';
import { nearest } from '../../node/nearest.ts';

/** What is said after an unknown key: the one that was meant, or all that are known there. */
export function keyHint(name: string, schema: z.$ZodType, path: readonly PropertyKey[]): string {
  const known = keysAt(schema, path).map(([key]) => key);
  const meant = known.find(key => bareWord(key) === bareWord(name)) ?? nearest(name, known);
  if (meant !== undefined) return `; did you mean ${meant}?`;
  return known.length > 0 ? `; known here: ${known.join(', ')}` : '';
}

/** A key without what is easily mistaken in it: `publicAddr` and `public_addr` are the same. */
const bareWord = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '');
