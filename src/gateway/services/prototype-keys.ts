// Keys that would reach an object's prototype in place of the object: `__proto__` as the name of a label, a trait or anything else would
// be lost on the way, and a role with one label fewer selects more.

/** Where in what JSON or YAML holds such a key stands, or null. */
export function prototypeKey(document: unknown): readonly PropertyKey[] | null {
  const left: { readonly value: unknown; readonly path: readonly PropertyKey[] }[] = [{ value: document, path: [] }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, path } = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      const at = [...path, Array.isArray(value) ? Number(key) : key];
      const reaches =
        key === '__proto__' ||
        (key === 'constructor' && typeof child === 'object' && child !== null && Object.hasOwn(child, 'prototype'));
      if (reaches) return at;
      left.push({ value: child, path: at });
    }
  }
  return null;
}
