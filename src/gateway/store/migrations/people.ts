// Schema version 3: people have an id. What hangs on a person hangs on the id, so that a new user of an old name inherits nothing.
import type { Migration } from './migration.ts';

/** `uuid`: an expression for a new one. `exact`: text compared by code point. */
const steps = (uuid: string, exact: string): readonly string[] => [
  `ALTER TABLE users ADD COLUMN id ${exact} NOT NULL DEFAULT ''`,
  `UPDATE users SET id = ${uuid}`,
  `CREATE UNIQUE INDEX users_by_id ON users (id)`,
  ...['passwords', 'web_sessions', 'one_time_tokens', 'preferences'].flatMap(table => [
    // Links for a first administrator who does not exist yet go: the next start prints another.
    `DELETE FROM ${table} WHERE user_name NOT IN (SELECT name FROM users)`,
    `ALTER TABLE ${table} RENAME COLUMN user_name TO user_id`,
    `UPDATE ${table} SET user_id = (SELECT users.id FROM users WHERE users.name = ${table}.user_id)`,
  ]),
];

const sqliteUuid = `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' || substr('89AB', 1 + (abs(random()) % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;

export const people: Migration = {
  number: 3,
  name: 'people',
  statements: {
    sqlite: steps(sqliteUuid, 'text'),
    postgres: steps('gen_random_uuid()::text', 'text COLLATE "C"'),
  },
};
