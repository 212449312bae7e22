// A resource as a row: what is sorted and searched by stands in columns of its own.
import type { Insertable, Selectable } from 'kysely';
import { withOwnName } from '../../ports/own-name.ts';
import type { NewResource, Resource, ResourceKind } from '../store.ts';
import type { ResourceRow } from '../tables.ts';
import { fold, plain, sortKey, storable } from '../text.ts';

/** Between searchable values: no keyword holds a line break, so none can match across two values. */
const BETWEEN = '\n';

/** Every value that `search` looks at, folded. */
function haystackOf(resource: NewResource): string {
  const values = [
    resource.name,
    resource.title,
    resource.address,
    resource.description,
    resource.subtype,
    ...Object.entries(resource.labels).flat(),
    ...resource.words,
  ];
  const folded = values.map(value => fold(value).replaceAll(BETWEEN, ' '));
  return [...new Set(folded)].filter(value => value !== '').join(BETWEEN);
}

/** The row of a resource that is new or replaced at `now`. Throws Failure bad_request for text that cannot be kept. */
export function toRow(resource: NewResource, now: Date): Insertable<ResourceRow> {
  const { kind, name, title, description, address, subtype } = resource;
  for (const [key, value] of Object.entries(resource.labels)) plain(`labels.${storable('label', key)}`, value);
  for (const word of resource.words) plain('words', word);
  return {
    kind,
    name: storable('name', name),
    title: plain('title', title),
    description: plain('description', description),
    address: plain('address', address),
    subtype: plain('subtype', subtype),
    labels: JSON.stringify(resource.labels),
    words: JSON.stringify(resource.words),
    spec: plain('spec', JSON.stringify(resource.spec ?? null)),
    haystack: haystackOf(resource),
    name_fold: sortKey(name),
    title_fold: sortKey(title),
    address_fold: sortKey(address),
    description_fold: sortKey(description),
    subtype_fold: sortKey(subtype),
    revision: 1,
    created: now.getTime(),
    updated: now.getTime(),
    expires: resource.expires?.getTime() ?? null,
  };
}

/** Columns that lists and reads need. */
export const columns = [
  'kind',
  'name',
  'title',
  'description',
  'address',
  'subtype',
  'labels',
  'words',
  'spec',
  'revision',
  'created',
  'updated',
  'expires',
] as const;
export type ReadRow = Pick<Selectable<ResourceRow>, (typeof columns)[number]>;

export function toResource(row: ReadRow): Resource {
  return {
    kind: row.kind as ResourceKind,
    name: row.name,
    title: row.title,
    description: row.description,
    address: row.address,
    subtype: row.subtype,
    labels: withOwnName(JSON.parse(row.labels) as Resource['labels'], row.name),
    words: JSON.parse(row.words) as Resource['words'],
    spec: JSON.parse(row.spec) as unknown,
    revision: row.revision,
    created: new Date(row.created),
    updated: new Date(row.updated),
    expires: row.expires === null ? null : new Date(row.expires),
  };
}
