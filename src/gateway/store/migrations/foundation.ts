// Schema version 1: resources with labels and search, people and their secrets, settings, the audit log.
import type { Migration } from './migration.ts';

const everywhere = (big: string, exact: string): readonly string[] => [
  `CREATE INDEX resources_by_name ON resources (kind, name_fold, name)`,
  `CREATE INDEX resources_by_title ON resources (kind, title_fold, name)`,
  `CREATE INDEX resources_by_address ON resources (kind, address_fold, name)`,
  `CREATE INDEX resources_by_description ON resources (kind, description_fold, name)`,
  `CREATE INDEX resources_by_subtype ON resources (kind, subtype_fold, name)`,
  `CREATE INDEX resources_that_expire ON resources (kind, expires) WHERE expires IS NOT NULL`,
  `CREATE TABLE users (name ${exact} NOT NULL PRIMARY KEY, roles text NOT NULL, traits text NOT NULL, auth_type text NOT NULL, is_bot integer NOT NULL, created ${big} NOT NULL)`,
  `CREATE TABLE passwords (user_name ${exact} NOT NULL PRIMARY KEY, hash text NOT NULL)`,
  `CREATE TABLE attempts (name ${exact} NOT NULL PRIMARY KEY, failures integer NOT NULL, since ${big} NOT NULL, locked_until ${big}, updated ${big} NOT NULL)`,
  `CREATE INDEX attempts_by_age ON attempts (updated)`,
  `CREATE TABLE web_sessions (id text NOT NULL PRIMARY KEY, user_name ${exact} NOT NULL, bearer text NOT NULL, bearer_expires ${big} NOT NULL, previous_bearer text, previous_until ${big}, created ${big} NOT NULL, expires ${big} NOT NULL, last_active ${big} NOT NULL)`,
  `CREATE INDEX web_sessions_by_user ON web_sessions (user_name)`,
  `CREATE INDEX web_sessions_by_end ON web_sessions (expires)`,
  `CREATE TABLE one_time_tokens (id text NOT NULL PRIMARY KEY, kind text NOT NULL, user_name ${exact} NOT NULL, expires ${big} NOT NULL)`,
  `CREATE INDEX one_time_tokens_by_user ON one_time_tokens (user_name)`,
  `CREATE INDEX one_time_tokens_by_end ON one_time_tokens (expires)`,
  `CREATE TABLE preferences (user_name ${exact} NOT NULL PRIMARY KEY, value text NOT NULL)`,
  `CREATE TABLE settings (key ${exact} NOT NULL PRIMARY KEY, value text NOT NULL)`,
  `CREATE INDEX events_by_time ON events (time, seq)`,
  `CREATE INDEX events_by_type ON events (type, time, seq)`,
  `CREATE INDEX events_by_session ON events (sid, type) WHERE sid <> ''`,
  `CREATE TABLE event_chains (chain text NOT NULL PRIMARY KEY, length ${big} NOT NULL, hash text NOT NULL)`,
];

const participants = (big: string, exact: string, end: string) =>
  `CREATE TABLE event_participants (user_name ${exact} NOT NULL, time ${big} NOT NULL, seq ${big} NOT NULL REFERENCES events (seq), PRIMARY KEY (user_name, time, seq))${end}`;

const resourceColumns = (big: string, exact: string) => `
  kind ${exact} NOT NULL, name ${exact} NOT NULL, title text NOT NULL, description text NOT NULL, address text NOT NULL, subtype text NOT NULL,
  labels text NOT NULL, words text NOT NULL, spec text NOT NULL, haystack text NOT NULL,
  name_fold ${exact} NOT NULL, title_fold ${exact} NOT NULL, address_fold ${exact} NOT NULL, description_fold ${exact} NOT NULL, subtype_fold ${exact} NOT NULL,
  revision integer NOT NULL, created ${big} NOT NULL, updated ${big} NOT NULL, expires ${big}, UNIQUE (kind, name)`;

const eventColumns = (big: string, exact: string) => `
  uid text NOT NULL UNIQUE, time ${big} NOT NULL, type ${exact} NOT NULL, code text NOT NULL, user_name ${exact} NOT NULL, sid text NOT NULL, raw text NOT NULL,
  chain text NOT NULL, position ${big} NOT NULL, hash text NOT NULL, UNIQUE (chain, position)`;

/** SQLite. The search index keeps no copy of the text: triggers hold it and the labels in step with the resource. */
const sqlite: readonly string[] = [
  `CREATE TABLE resources (id integer PRIMARY KEY, ${resourceColumns('integer', 'text')})`,
  `CREATE TABLE resource_labels (resource integer NOT NULL REFERENCES resources (id), kind text NOT NULL, key text NOT NULL, value text NOT NULL, PRIMARY KEY (resource, key)) WITHOUT ROWID`,
  `CREATE INDEX resource_labels_by_value ON resource_labels (kind, key, value, resource)`,
  `CREATE VIRTUAL TABLE resource_search USING fts5(haystack, content='resources', content_rowid='id', tokenize='trigram case_sensitive 1')`,
  `CREATE TRIGGER resources_added AFTER INSERT ON resources BEGIN
     INSERT INTO resource_search (rowid, haystack) VALUES (new.id, new.haystack);
     INSERT INTO resource_labels (resource, kind, key, value) SELECT new.id, new.kind, j.key, j.value FROM json_each(new.labels) AS j;
   END`,
  `CREATE TRIGGER resources_removed BEFORE DELETE ON resources BEGIN
     INSERT INTO resource_search (resource_search, rowid, haystack) VALUES ('delete', old.id, old.haystack);
     DELETE FROM resource_labels WHERE resource = old.id;
   END`,
  `CREATE TRIGGER resources_reworded AFTER UPDATE OF haystack ON resources WHEN old.haystack <> new.haystack BEGIN
     INSERT INTO resource_search (resource_search, rowid, haystack) VALUES ('delete', old.id, old.haystack);
     INSERT INTO resource_search (rowid, haystack) VALUES (new.id, new.haystack);
   END`,
  `CREATE TRIGGER resources_relabelled AFTER UPDATE OF labels ON resources WHEN old.labels <> new.labels BEGIN
     DELETE FROM resource_labels WHERE resource = old.id;
     INSERT INTO resource_labels (resource, kind, key, value) SELECT new.id, new.kind, j.key, j.value FROM json_each(new.labels) AS j;
   END`,
  `CREATE TABLE events (seq integer PRIMARY KEY AUTOINCREMENT, ${eventColumns('integer', 'text')})`,
  `CREATE TRIGGER events_not_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the audit log is only appended to'); END`,
  `CREATE TRIGGER events_not_deleted BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the audit log is only appended to'); END`,
  participants('integer', 'text', ' WITHOUT ROWID'),
  ...everywhere('integer', 'text'),
];

/**
 * PostgreSQL. `COLLATE "C"` gives both engines one order: by code point. The label index takes the first 256 characters of a value, because
 * PostgreSQL refuses index rows above 2,700 bytes. The trigram index over `haystack` is made at open, where the right to create pg_trgm exists.
 */
const postgres: readonly string[] = [
  `CREATE TABLE resources (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${resourceColumns('bigint', 'text COLLATE "C"')})`,
  `CREATE TABLE resource_labels (resource bigint NOT NULL REFERENCES resources (id) ON DELETE CASCADE, kind text NOT NULL, key text NOT NULL, value text COLLATE "C" NOT NULL, PRIMARY KEY (resource, key))`,
  `CREATE INDEX resource_labels_by_value ON resource_labels (kind, key, left(value, 256), resource)`,
  `CREATE FUNCTION keep_resource_labels() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'UPDATE' THEN
       IF old.labels = new.labels THEN RETURN NULL; END IF;
       DELETE FROM resource_labels WHERE resource = old.id;
     END IF;
     INSERT INTO resource_labels (resource, kind, key, value) SELECT new.id, new.kind, j.key, j.value FROM json_each_text(new.labels::json) AS j;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER resources_labelled AFTER INSERT OR UPDATE OF labels ON resources FOR EACH ROW EXECUTE FUNCTION keep_resource_labels()`,
  `CREATE TABLE events (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${eventColumns('bigint', 'text COLLATE "C"')})`,
  `CREATE FUNCTION keep_events() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the audit log is only appended to'; END $$`,
  `CREATE TRIGGER events_kept BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION keep_events()`,
  participants('bigint', 'text COLLATE "C"', ''),
  ...everywhere('bigint', 'text COLLATE "C"'),
];

export const foundation: Migration = { number: 1, name: 'foundation', statements: { sqlite, postgres } };
