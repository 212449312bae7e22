// The grammar of MariaDB and MySQL. Some texts keep it busy for as long as they like: only facts-worker.ts loads it, which has a time limit.
import sqlParser from 'node-sql-parser/build/mariadb.js';
import { type Facts, factsOf } from './facts.ts';
import { statementsOf, type Tokens, written } from './lexer.ts';

const parser = new sqlParser.Parser();
const parse = (tokens: Tokens): unknown => parser.astify(written(tokens), { database: 'mariadb' });

/** Null for what is no statement, too. Never throws. */
export function readFacts(text: string): Facts {
  const all = statementsOf(text)?.map(tokens => factsOf(tokens, parse));
  return all?.every(facts => facts !== null) ? all : null;
}
