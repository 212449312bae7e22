// Schema version 9: conversations with the assistant, each of one person.
import type { Migration } from './migration.ts';

const statements = (big: string, exact: string): readonly string[] => [
  `CREATE TABLE conversations (id text NOT NULL PRIMARY KEY, user_id ${exact} NOT NULL, title text NOT NULL, created ${big} NOT NULL)`,
  `CREATE INDEX conversations_by_user ON conversations (user_id, created)`,
  `CREATE TABLE conversation_messages (id text NOT NULL PRIMARY KEY, conversation text NOT NULL REFERENCES conversations (id) ON DELETE CASCADE, position integer NOT NULL, type text NOT NULL, created ${big} NOT NULL, payload text NOT NULL)`,
  `CREATE INDEX conversation_messages_by_place ON conversation_messages (conversation, position, created)`,
];

export const conversations: Migration = {
  number: 9,
  name: 'conversations',
  statements: { sqlite: statements('integer', 'text'), postgres: statements('bigint', 'text COLLATE "C"') },
};
