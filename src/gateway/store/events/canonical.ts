// JSON with sorted keys: the same event always gives the same bytes, so that its hash can be computed anew by anyone.

/** As JSON.stringify, keys in code unit order at every depth. Throws TypeError for a ring or a bigint. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  );
}
