// What else of a MySQL server shows columns that guards mask: views of their tables, functions that people wrote, and what the server keeps of
// values for its own use. Read once for a session, on its own connection before the client is heard.
import type { Duplex } from 'node:stream';
import type { Masked, StatementFacts } from '../../../../ports/databases.ts';
import { ask } from './reading.ts';

/** Of views and functions each, how many are read. */
const READ_MOST = 2000;
/** A view that is longer cannot be read, characters. */
const VIEW_MOST_CHARACTERS = 8000;
/** Histograms, words of full-text indexes, keys that are locked, plans and statements with their values. */
const kept =
  /^(?:column_stats|column_statistics|innodb_ft_index_(?:table|cache)|data_locks|innodb_locks|optimizer_trace|general_log|slow_log)$/;

export interface Around {
  /** Whether a statement may show what is masked in a way that its words do not tell. */
  goesRound(facts: StatementFacts): boolean;
}
export interface AroundPorts {
  read(text: string): readonly StatementFacts[] | null | Promise<readonly StatementFacts[] | null>;
  masked(facts: readonly StatementFacts[]): Masked | null;
}

/** Rejects where it cannot be read, or is more than is read. */
export async function readAround(server: Duplex, { read, masked }: AroundPorts): Promise<Around> {
  const views = await ask(
    server,
    `select table_name, left(view_definition, ${VIEW_MOST_CHARACTERS}) from information_schema.views where table_schema not in ('information_schema', 'performance_schema', 'mysql', 'sys') limit ${READ_MOST + 1}`,
    READ_MOST * 2,
  );
  const routines = await ask(
    server,
    `select routine_name from information_schema.routines where routine_schema not in ('mysql', 'sys') limit ${READ_MOST + 1}`,
    READ_MOST * 2,
  );
  if (views.length > READ_MOST || routines.length > READ_MOST)
    throw new Error('more views and functions than are looked at');
  const shown = new Set<string>();
  const others: { readonly name: string; readonly tables: StatementFacts['tables'] }[] = [];
  for (const [name = '', text = ''] of views) {
    const facts = await read(text);
    // Of a view that is another's, the server does not say what it shows.
    if (facts === null || facts.length === 0 || (masked(facts)?.columns.length ?? 0) > 0) shown.add(name.toLowerCase());
    else others.push({ name: name.toLowerCase(), tables: facts.flatMap(({ tables }) => tables) });
  }
  for (let before = -1; before !== shown.size; ) {
    before = shown.size;
    for (const { name, tables } of others)
      if (tables.some(table => shown.has(table.name.toLowerCase()))) shown.add(name);
  }
  const functions = new Set(routines.map(([name = '']) => name.toLowerCase()));
  return {
    goesRound: ({ tables, functions: called, takesUp }) =>
      takesUp.length > 0 ||
      tables.some(({ name }) => shown.has(name.toLowerCase()) || kept.test(name.toLowerCase())) ||
      // Whatever has a schema is no function of the server.
      [...called].some(name => functions.has(name) || name.endsWith('.')),
  };
}
