// Schema version 14: when places in access lists end, so that the next end is found without reading them all.
import type { Migration } from './migration.ts';

const statements = ['CREATE INDEX access_list_places_by_end ON access_list_places (expires) WHERE expires IS NOT NULL'];

export const accessListEnds: Migration = {
  number: 14,
  name: 'access list ends',
  statements: { sqlite: statements, postgres: statements },
};
