// Schema version 7: when a person last signed in.
import type { Migration } from './migration.ts';

const statements = ['ALTER TABLE users ADD COLUMN last_sign_in bigint NOT NULL DEFAULT 0'];

export const lastSignIn: Migration = {
  number: 7,
  name: 'last sign-in',
  statements: { sqlite: statements, postgres: statements },
};
