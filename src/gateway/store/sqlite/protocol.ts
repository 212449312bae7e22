// What the gateway's thread and a SQLite thread say to each other.

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}
/** One group: each batch is all or nothing, whatever becomes of the others. Readers get groups of one statement. */
export type Group = readonly (readonly Statement[])[];
export interface Done {
  readonly rows: readonly unknown[];
  readonly changes: number;
}
export type Outcome =
  | { readonly kind: 'done'; readonly answers: readonly Done[] }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };
export type ToThread = { readonly kind: 'group'; readonly group: Group } | { readonly kind: 'close' };
export type FromThread =
  | { readonly kind: 'outcomes'; readonly outcomes: readonly Outcome[] }
  | { readonly kind: 'closed' };
