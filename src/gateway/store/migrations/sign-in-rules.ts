// Schema version 16: which login rules made a person's traits.
import type { Migration } from './migration.ts';

const statements = ["ALTER TABLE users ADD COLUMN sign_in_rules text NOT NULL DEFAULT ''"];

export const signInRules: Migration = {
  number: 16,
  name: 'sign-in rules',
  statements: { sqlite: statements, postgres: statements },
};
