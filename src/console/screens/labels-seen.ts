// The labels that a list has shown: what a filter that is being written is completed from.

/** Label names with the values they were seen with. */
export type LabelsSeen = ReadonlyMap<string, ReadonlySet<string>>;

/** Names and values kept in mind; more would only fill memory. */
const NAMES_MOST = 200;
const VALUES_MOST = 100;

/** Adds the labels of rows to what was seen. */
export function seen(
  before: LabelsSeen,
  labels: readonly { readonly name: string; readonly value: string }[],
): LabelsSeen {
  const next = new Map<string, ReadonlySet<string>>(before);
  for (const { name, value } of labels) {
    const values = next.get(name) ?? new Set();
    if (values.has(value) || values.size >= VALUES_MOST || (values.size === 0 && next.size >= NAMES_MOST)) continue;
    next.set(name, new Set([...values, value]));
  }
  return next;
}
