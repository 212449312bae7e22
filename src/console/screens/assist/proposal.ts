// A proposal of the assistant as the run that it would be.
import type { Proposal } from '../../../contract/assistant.ts';

const quoted = (text: string): string => JSON.stringify(text);

/** `name == "n1" || … || labels["k"] == "v"` (contract: websockets 3); of several labels all must fit. '' = it names no servers. */
export function queryOfProposal({ nodes = [], labels = [] }: Proposal): string {
  const named = nodes.map(name => `name == ${quoted(name)}`);
  const labelled = labels.map(({ key, value }) => `labels[${quoted(key)}] == ${quoted(value)}`).join(' && ');
  return [
    ...named,
    ...(labelled === '' ? [] : [labels.length > 1 && named.length > 0 ? `(${labelled})` : labelled]),
  ].join(' || ');
}
