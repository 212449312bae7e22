// Schema version 13: what login rules made of a person's traits.
import type { Migration } from './migration.ts';

const statements = ["ALTER TABLE users ADD COLUMN sign_in_traits text NOT NULL DEFAULT ''"];

export const signInTraits: Migration = {
  number: 13,
  name: 'sign-in traits',
  statements: { sqlite: statements, postgres: statements },
};
