// Schema version 10: the trusted device that a web session is of.
import type { Migration } from './migration.ts';

const statements = [
  "ALTER TABLE web_sessions ADD COLUMN trusted_device text NOT NULL DEFAULT ''",
  'CREATE INDEX web_sessions_by_device ON web_sessions (trusted_device)',
];

export const trustedDevices: Migration = {
  number: 10,
  name: 'trusted devices',
  statements: { sqlite: statements, postgres: statements },
};
