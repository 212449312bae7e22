// Events as a file: CSV for spreadsheets, NDJSON for tools.
import type { AuditEvent } from '../../../contract/audit.ts';
import { codeDescription } from '../../../contract/audit-codes.ts';
import { describe } from '../../../contract/audit-text.ts';

export type ExportKind = 'csv' | 'ndjson';

/** A cell. What a spreadsheet would run as a formula is made plain text by a quote before it. */
function cell(text: string): string {
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

/** The file's text: RFC 4180 lines with a heading, or one JSON object per line. */
export function exported(events: readonly AuditEvent[], kind: ExportKind): string {
  if (kind === 'ndjson') return events.map(event => `${JSON.stringify(event)}\n`).join('');
  const lines = [columns.map(([name]) => name), ...events.map(event => columns.map(([, read]) => cell(read(event))))];
  return lines.map(line => `${line.join(',')}\r\n`).join('');
}

/** Hands a text to the browser as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it over once the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
