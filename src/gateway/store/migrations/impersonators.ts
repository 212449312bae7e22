// Schema version 15: who acts as the user of a web session.
import type { Migration } from './migration.ts';

const statements = [
  "ALTER TABLE web_sessions ADD COLUMN impersonator text NOT NULL DEFAULT ''",
  'CREATE INDEX web_sessions_by_impersonator ON web_sessions (impersonator)',
];

export const impersonators: Migration = {
  number: 15,
  name: 'impersonators',
  statements: { sqlite: statements, postgres: statements },
};
