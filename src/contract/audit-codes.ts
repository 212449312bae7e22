// The catalogue of audit events: what each code is called, its group, how grave it is, and its type.
// Imported by whoever shows or writes events, never by the first page: it is long.
import { databaseCodes } from './audit-codes-database.ts';
import { identityCodes } from './audit-codes-identity.ts';
import { sessionCodes } from './audit-codes-session.ts';

/** Code, type of the event, title, and the summary line in audit-text.ts's little language (or the name of a function there). */
export type AuditRow = readonly [code: string, event: string, title: string, line: string];

type Severity = 'info' | 'warning' | 'error';

/** Codes by group: what people call the part of the product that an event is about. */
const groups = { ...identityCodes, ...sessionCodes, ...databaseCodes };
export type AuditGroup = keyof typeof groups;

export interface AuditCode {
  readonly group: AuditGroup;
  /** Value of the raw event's `event` field. Several codes may share one. */
  readonly event: string;
  readonly severity: Severity;
  readonly title: string;
  readonly line: string;
}

const severities: Readonly<Record<string, Severity>> = { I: 'info', W: 'warning', E: 'error' };

/** By code. The last letter of a code is its severity. */
export const auditCodes: ReadonlyMap<string, AuditCode> = new Map(
  (Object.entries(groups) as [AuditGroup, readonly AuditRow[]][]).flatMap(([group, rows]) =>
    rows.map(([code, event, title, line]) => [
      code,
      { group, event, title, line, severity: severities[code.slice(-1)] ?? 'info' },
    ]),
  ),
);

/** Other spellings of codes that senders of this wire use, with the one of the catalogue. */
const spellings: Readonly<Record<string, string>> = { T80002I: 'T8002I' };

/** What the catalogue says about a code, under any spelling. */
export const auditCode = (code: string): AuditCode | undefined =>
  auditCodes.get(Object.hasOwn(spellings, code) ? (spellings[code] ?? code) : code);

/** Short description of a code; 'Unknown' for one that is not in the catalogue (specification section 3). */
export const codeDescription = (code: string): string => auditCode(code)?.title ?? 'Unknown';
