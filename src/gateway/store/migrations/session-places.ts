// Schema version 2: running sessions by person, counted over all gateways.
import type { Migration } from './migration.ts';

const statements = (big: string, exact: string): readonly string[] => [
  `CREATE TABLE session_places (sid text NOT NULL PRIMARY KEY, user_id ${exact} NOT NULL, gateway text NOT NULL, until ${big} NOT NULL)`,
  `CREATE INDEX session_places_by_user ON session_places (user_id, until)`,
  `CREATE INDEX session_places_by_gateway ON session_places (gateway)`,
];

export const sessionPlaces: Migration = {
  number: 2,
  name: 'session places',
  statements: { sqlite: statements('integer', 'text'), postgres: statements('bigint', 'text COLLATE "C"') },
};
