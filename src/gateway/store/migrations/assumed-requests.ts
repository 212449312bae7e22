// Schema version 8: the access requests that a web session uses.
import type { Migration } from './migration.ts';

const statements = ["ALTER TABLE web_sessions ADD COLUMN access_requests text NOT NULL DEFAULT '[]'"];

export const assumedRequests: Migration = {
  number: 8,
  name: 'assumed requests',
  statements: { sqlite: statements, postgres: statements },
};
