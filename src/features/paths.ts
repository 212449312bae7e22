// Links from rows and rows from links: nobody else spells a path.
import { type FeatureId, featureIds, features } from './table.ts';

export interface Matched {
  readonly id: FeatureId;
  readonly params: Readonly<Record<string, string>>;
  /** The path is that of the page's locked variant. */
  readonly locked?: true;
}

interface Segment {
  readonly name: string;
  readonly kind: 'literal' | 'required' | 'optional';
}

function segmentsOf(path: string): readonly Segment[] {
  return path
    .split('/')
    .filter(part => part !== '')
    .map(part => {
      if (!part.startsWith(':')) return { name: part, kind: 'literal' };
      return part.endsWith('?')
        ? { name: part.slice(1, -1), kind: 'optional' }
        : { name: part.slice(1), kind: 'required' };
    });
}

const segmentsById = Object.fromEntries(featureIds.map(id => [id, segmentsOf(features[id].path)])) as Readonly<
  Record<FeatureId, readonly Segment[]>
>;
const rows = featureIds.flatMap(id => {
  const { locked } = features[id];
  const row = { id, segments: segmentsById[id] };
  return locked === undefined ? [row] : [row, { id, segments: segmentsOf(locked.path), locked: true as const }];
});

/** Names of the parameters that a page's path cannot do without. */
export function paramsOf(id: FeatureId): readonly string[] {
  return segmentsById[id].filter(segment => segment.kind === 'required').map(segment => segment.name);
}

/** Whether a page belongs to one cluster. */
export const hasCluster = (id: FeatureId): boolean => paramsOf(id).includes('clusterId');

/** A route is a leaf cluster when its clusterId differs from the proxy cluster (specification section 2). */
export const isLeaf = (clusterId: string | undefined, { proxyCluster }: { readonly proxyCluster: string }): boolean =>
  clusterId !== undefined && clusterId !== proxyCluster;

/** `?a=1&b=2` for a query, '' for none. Empty values are left out. */
export function queryText(query: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/**
 * The link to a page, every parameter percent-encoded. Parameters that the path does not name are not used; an optional
 * one that is missing ends the path. Throws when a required one is missing or empty, or cannot stand in a path.
 */
export function to(
  id: FeatureId,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  return filled(id, segmentsById[id], params) + queryText(query);
}

/** The link to the locked variant of a page. Throws when the page has none, or as `to` does. */
export function toLocked(id: FeatureId, params: Readonly<Record<string, string>> = {}): string {
  const { locked } = features[id];
  if (locked === undefined) throw new Error(`The page ${id} is never locked`);
  return filled(id, segmentsOf(locked.path), params);
}

function filled(id: FeatureId, segments: readonly Segment[], params: Readonly<Record<string, string>>): string {
  let path = '';
  for (const segment of segments) {
    if (segment.kind === 'literal') {
      path += `/${segment.name}`;
      continue;
    }
    const value = params[segment.name];
    if (value === undefined || value === '') {
      if (segment.kind === 'optional') break;
      throw new Error(`The page ${id} needs ${segment.name}`);
    }
    // A browser resolves these even when they are percent-encoded, and would land on another page.
    if (value === '.' || value === '..')
      throw new Error(`The page ${id} cannot have "${value}" as its ${segment.name}`);
    path += `/${encodeURIComponent(value)}`;
  }
  return path;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    // A lone percent sign is not an encoding of anything: such a path matches no page.
    return undefined;
  }
}

function paramsIn(parts: readonly string[], segments: readonly Segment[]): Record<string, string> | null {
  if (parts.length > segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index];
    if (part === undefined) {
      if (segment.kind === 'optional') continue;
      return null;
    }
    if (segment.kind === 'literal') {
      if (part !== segment.name) return null;
      continue;
    }
    const value = decoded(part);
    if (value === undefined) return null;
    params[segment.name] = value;
  }
  return params;
}

/** The page a path leads to, with its parameters decoded; null when no page has it. A slash at the end makes no difference. */
export function match(pathname: string): Matched | null {
  const parts = pathname.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  if (!pathname.startsWith('/') || parts.includes('')) return null;
  for (const { id, segments, ...variant } of rows) {
    const params = paramsIn(parts, segments);
    if (params !== null) return { id, params, ...variant };
  }
  return null;
}

const CLUSTER_SEGMENT = /^(\/web\/cluster\/)[^/?#]*/;

/** The same page of another cluster; a path without a cluster stays as it is. Query and fragment are kept. */
export function inCluster(path: string, clusterId: string): string {
  return path.replace(CLUSTER_SEGMENT, (_whole, before: string) => before + encodeURIComponent(clusterId));
}

/** Whether the sidebar's entry for a page is the current one on a path: the page itself, or with `prefix` anything below it. */
export function isCurrent(id: FeatureId, pathname: string): boolean {
  const found = match(pathname);
  if (found?.id === id) return true;
  if (features[id].prefix !== true || found === null) return false;
  const own = segmentsById[id];
  return own.every((segment, index) => segmentsById[found.id][index]?.name === segment.name);
}
