// Schema version 11: which notifications each person has read.
import type { Migration } from './migration.ts';

const table = (exact: string, big: string): readonly string[] => [
  `CREATE TABLE notification_reads (
    user_id ${exact} NOT NULL,
    key ${exact} NOT NULL,
    at ${big} NOT NULL,
    PRIMARY KEY (user_id, key)
  )`,
  'CREATE INDEX notification_reads_by_time ON notification_reads (at)',
];

export const notificationReads: Migration = {
  number: 11,
  name: 'notification reads',
  statements: { sqlite: table('text', 'integer'), postgres: table('text COLLATE "C"', 'bigint') },
};
