// Schema version 5: people who come by a sign-in connector, as that connector knows them.
import type { Migration } from './migration.ts';

const statements = (exact: string): readonly string[] => [
  `ALTER TABLE users ADD COLUMN identity ${exact} NOT NULL DEFAULT ''`,
];

export const connectedPeople: Migration = {
  number: 5,
  name: 'connected people',
  statements: { sqlite: statements('text'), postgres: statements('text COLLATE "C"') },
};
