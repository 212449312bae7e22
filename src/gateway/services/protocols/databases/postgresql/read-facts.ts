// PostgreSQL's own grammar, as WebAssembly.
import { loadModule, parseSync, SqlError } from 'libpg-query';
import { type Facts, factsOf } from './facts.ts';

await loadModule();

/**
 * Null for what is no statement, too. Throws where the grammar itself failed, such as by a stack that was too small: its memory may be in
 * disorder then, and this thread reads no more.
 */
export function readFacts(text: string): Facts {
  try {
    return factsOf(parseSync(text).stmts?.map(({ stmt }) => stmt) ?? []);
  } catch (error) {
    if (error instanceof SqlError) return null;
    throw error;
  }
}
