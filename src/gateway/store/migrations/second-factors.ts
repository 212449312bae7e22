// Schema version 4: devices of the second factor, recovery codes, and challenges that wait for their answer.
import type { Migration } from './migration.ts';

const statements = (big: string, exact: string): readonly string[] => [
  `CREATE TABLE mfa_devices (id text NOT NULL PRIMARY KEY, user_id ${exact} NOT NULL, name ${exact} NOT NULL, kind text NOT NULL, secret text NOT NULL, credential_id ${exact}, passwordless ${big} NOT NULL, progress ${big} NOT NULL, added ${big} NOT NULL, last_used ${big} NOT NULL)`,
  `CREATE UNIQUE INDEX mfa_devices_by_name ON mfa_devices (user_id, name)`,
  `CREATE UNIQUE INDEX mfa_devices_by_credential ON mfa_devices (credential_id)`,
  `CREATE TABLE recovery_codes (user_id ${exact} NOT NULL, hash text NOT NULL, created ${big} NOT NULL, PRIMARY KEY (user_id, hash))`,
  `CREATE TABLE challenges (id text NOT NULL PRIMARY KEY, user_id ${exact} NOT NULL, purpose text NOT NULL, scope text NOT NULL, expires ${big} NOT NULL)`,
  `CREATE INDEX challenges_by_end ON challenges (expires)`,
];

export const secondFactors: Migration = {
  number: 4,
  name: 'second factors',
  statements: { sqlite: statements('integer', 'text'), postgres: statements('bigint', 'text COLLATE "C"') },
};
