// JSON with sorted keys: the same event always gives the same bytes, so that its hash can be computed anew by anyone.

/** As JSON.stringify, keys in code unit order at every depth. Throws TypeError for a bigint, RangeError for a ring. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));

/** A copy that is written faster than a replacer would sort it. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  if ('toJSON' in value) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const one = sorted((value as Record<string, unknown>)[key]);
    // Any other name is set faster than defined.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: one, enumerable: true });
    else copy[key] = one;
  }
  return copy;
}
