// Schema version 12: who has which place in access lists, and the reviews of lists.
import type { Migration } from './migration.ts';

const statements = (big: string, exact: string): readonly string[] => [
  `CREATE TABLE access_list_places (list ${exact} NOT NULL, relation text NOT NULL, kind text NOT NULL, name ${exact} NOT NULL, added ${big} NOT NULL, expires ${big}, reason text NOT NULL, added_by text NOT NULL, PRIMARY KEY (list, relation, kind, name))`,
  `CREATE INDEX access_list_places_by_name ON access_list_places (kind, name)`,
  `CREATE TABLE access_list_reviews (id text NOT NULL PRIMARY KEY, list ${exact} NOT NULL, time ${big} NOT NULL, reviewer text NOT NULL, review text NOT NULL)`,
  `CREATE INDEX access_list_reviews_by_list ON access_list_reviews (list, time)`,
];

export const accessLists: Migration = {
  number: 12,
  name: 'access lists',
  statements: { sqlite: statements('integer', 'text'), postgres: statements('bigint', 'text COLLATE "C"') },
};
