// How answers are written: a table for people, one JSON document for programs.
import { table } from '../table.ts';

/** Text from the gateway with nothing in it that a terminal obeys: labels and names are other people's words. */
export const plainText = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd');

/** Rows under their titles, padded, as people read them. */
export const tableOf = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  table([titles, ...rows.map(row => row.map(plainText))]);
