// Schema version 6: where a web session came from, and the device of the second factor that opened it.
import type { Migration } from './migration.ts';

const statements = (exact: string): readonly string[] =>
  ['mfa_device', 'remote_addr', 'user_agent'].map(
    column => `ALTER TABLE web_sessions ADD COLUMN ${column} ${exact} NOT NULL DEFAULT ''`,
  );

export const sessionOrigins: Migration = {
  number: 6,
  name: 'session origins',
  statements: { sqlite: statements('text'), postgres: statements('text COLLATE "C"') },
};
