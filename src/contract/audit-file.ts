// Events as a file: CSV for spreadsheets, NDJSON for tools.
import type { AuditEvent } from './audit.ts';
import { codeDescription } from './audit-codes.ts';
import { describe } from './audit-text.ts';

export const auditFileTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;
export type AuditFileKind = keyof typeof auditFileTypes;

/** A cell of a CSV file. What a spreadsheet would run as a formula is made plain text by a quote before it. */
export function csvCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

const columns: readonly (readonly [string, (event: AuditEvent) => string])[] = [
  ['time', event => event.time],
  ['code', event => event.code],
  ['type', event => event.event],
  ['title', event => codeDescription(event.code)],
  ['user', event => event.user ?? ''],
  ['description', event => describe(event)],
  ['uid', event => event.uid],
  ['event', event => JSON.stringify(event)],
];

/** What the file begins with: the heading of RFC 4180, or nothing. */
export const auditFileHead = (kind: AuditFileKind): string =>
  kind === 'csv' ? `${columns.map(([name]) => name).join(',')}\r\n` : '';

/** An event's line: of RFC 4180, or one JSON object. */
export const auditFileLine = (event: AuditEvent, kind: AuditFileKind): string =>
  kind === 'csv' ? `${columns.map(([, read]) => csvCell(read(event))).join(',')}\r\n` : `${JSON.stringify(event)}\n`;
