// Opening something on its page: what is open there stands in the page's address, so that it is a link.
import type { FeatureId } from '../src/features/table.ts';
import type { Facts, Tools } from './command.ts';

/** On the page already, the rest of its address stays: its filter, its order, its place. */
export function showOn(
  page: FeatureId,
  query: Readonly<Record<string, string>>,
  { feature, clusterId }: Pick<Facts, 'feature' | 'clusterId'>,
  tools: Pick<Tools, 'go' | 'setQuery'>,
): void {
  if (feature === page && tools.setQuery !== undefined) tools.setQuery(query);
  else tools.go(page, { clusterId }, query);
}
