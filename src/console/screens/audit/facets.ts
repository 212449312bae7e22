// What the events of a search have most of: users, types and targets, counted, each a part of the filter line that narrows to it.
import type { AuditEvent } from '../../../contract/audit.ts';
import { userPart } from '../../../contract/audit-query.ts';
import { quoted } from '../../../contract/query-line.ts';

/** Shown of each kind. */
const SHOWN_MOST = 8;

export interface Facet {
  readonly value: string;
  readonly count: number;
  /** What the filter line says to narrow to it. */
  readonly part: string;
}

/** What an event was done to, by the name that people know it by. */
const targetFields = [
  'server_hostname',
  'kubernetes_cluster',
  'db_service',
  'app_name',
  'desktop_name',
  'node_name',
] as const;
const targetOf = (event: AuditEvent): string => {
  for (const field of targetFields) {
    const value = event[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
};

const kinds = [
  { title: 'Users', read: (event: AuditEvent) => event.user ?? '', partOf: userPart },
  { title: 'Types', read: (event: AuditEvent) => event.event, partOf: (type: string) => `type:${type}` },
  {
    title: 'Targets',
    read: targetOf,
    partOf: (name: string) => (/[\s":]/.test(name) ? quoted(name) : name),
  },
] as const;

/** Most frequent first, equal ones by name; a kind that no event has is left out. */
export function facetsOf(
  events: readonly AuditEvent[],
): readonly { readonly title: string; readonly facets: readonly Facet[] }[] {
  return kinds.flatMap(({ title, read, partOf }) => {
    const counts = new Map<string, number>();
    for (const event of events) {
      const value = read(event);
      if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const facets = [...counts]
      .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
      .slice(0, SHOWN_MOST)
      .map(([value, count]) => ({ value, count, part: partOf(value) }));
    return facets.length === 0 ? [] : [{ title, facets }];
  });
}
