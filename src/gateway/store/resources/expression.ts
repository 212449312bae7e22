// A list's `query` as SQL. What SQL is not taught here is refused, never guessed.
import { type RawBuilder, sql } from 'kysely';
import { Failure } from '../../../contract/failure.ts';
import type { Expression } from '../../../contract/predicate.ts';
import type { ResourceKind } from '../store.ts';
import { always, type Clause, clause, every, never, not, some } from './clause.ts';
import { labelPresent, labelText, type SqlDialect } from './dialect.ts';
import { keyword } from './search-words.ts';

/** A value in a comparison. Labels are kept apart: a comparison with a constant can use their index. */
type Term =
  | { readonly kind: 'constant'; readonly value: string }
  | { readonly kind: 'label'; readonly key: string }
  | { readonly kind: 'text'; readonly sql: RawBuilder<string | null>; readonly nullable: boolean };

const refuse = (what: string): never => {
  throw new Failure('bad_request', `failed to parse predicate expression: ${what}`, { query: what });
};

/** Throws Failure bad_request for fields and functions that lists do not know. */
export function compileQuery(expression: Expression, kind: ResourceKind, dialect: SqlDialect): Clause {
  const claim = (part: Expression): Clause => {
    switch (part.kind) {
      case 'and':
        return every([claim(part.left), claim(part.right)]);
      case 'or':
        return some([claim(part.left), claim(part.right)]);
      case 'not':
        return not(claim(part.of));
      case 'equal':
        return equal(term(part.left), term(part.right));
      case 'unequal':
        return not(equal(term(part.left), term(part.right)));
      case 'call':
        return call(part.name, part.args);
      default:
        return refuse('a comparison or a function was expected');
    }
  };
  const call = (name: string, args: readonly Expression[]): Clause => {
    const [first, second] = args;
    if (name === 'search' && args.length > 0)
      return every(args.map(word => found(constant(word, 'search()'), dialect)));
    if (name === 'exists' && first && args.length === 1) return exists(term(first));
    if (name === 'equals' && first && second && args.length === 2) return equal(term(first), term(second));
    if (name === 'hasPrefix' && first && second && args.length === 2)
      return hasPrefix(term(first), constant(second, 'hasPrefix()'));
    return refuse(
      `unknown function ${name} with ${args.length} arguments; known here: equals(a, b), exists(field), hasPrefix(field, "text"), search("word", …)`,
    );
  };
  const term = (part: Expression): Term =>
    part.kind === 'literal'
      ? { kind: 'constant', value: part.value }
      : part.kind === 'field'
        ? field(part.path, kind, dialect)
        : refuse('a field or a text was expected');
  return claim(expression);
}

function constant(part: Expression, where: string): string {
  return part.kind === 'literal' ? part.value : refuse(`${where} takes texts in quotes`);
}

/** search("word"): the same keywords as the plain search. */
function found(text: string, dialect: SqlDialect): Clause {
  const word = keyword(text);
  return word === '' ? always : dialect.contains(word);
}

const columnsOfMetadata: Readonly<Record<string, string>> = { name: 'name', description: 'description' };
/** Where a server's spec keeps what stands in columns here. */
const columnsOfNodeSpec: Readonly<Record<string, string>> = { hostname: 'title', addr: 'address' };
/** `resource.version` of each kind that has lists: what other clients of the wire expect there. */
const versions: Readonly<Record<string, string>> = {
  node: 'v2',
  app: 'v3',
  db: 'v3',
  kube_cluster: 'v3',
  windows_desktop: 'v3',
  user_group: 'v1',
  db_service: 'v1',
};

function field(path: readonly string[], kind: ResourceKind, dialect: SqlDialect): Term {
  const [first, second, third, ...rest] = path;
  const column = (name: string): Term => ({ kind: 'text', sql: sql<string>`${sql.ref(`r.${name}`)}`, nullable: false });
  if (path.length === 2 && first === 'labels' && second !== undefined) return { kind: 'label', key: second };
  if (path.length === 1 && first === 'name') return column(kind === 'node' ? 'title' : 'name');
  if (first === 'resource' && path.length === 2) {
    if (second === 'kind') return { kind: 'constant', value: kind };
    if (second === 'sub_kind') return column('subtype');
    if (second === 'version') return { kind: 'constant', value: versions[kind] ?? '' };
  }
  if (first === 'resource' && second === 'metadata' && third !== undefined) {
    if (third === 'labels' && rest.length === 1 && rest[0] !== undefined) return { kind: 'label', key: rest[0] };
    const known = Object.hasOwn(columnsOfMetadata, third) ? columnsOfMetadata[third] : undefined;
    if (known && rest.length === 0) return column(known);
  }
  if (first === 'resource' && second === 'spec' && third !== undefined) {
    const known =
      kind === 'node' && rest.length === 0 && Object.hasOwn(columnsOfNodeSpec, third)
        ? columnsOfNodeSpec[third]
        : undefined;
    if (known) return column(known);
    const at = [third, ...rest];
    if (at.every(part => /^[\w-]+$/.test(part))) return { kind: 'text', sql: dialect.specText(at), nullable: true };
  }
  return refuse(
    `unknown field ${path.join('.')}; known here: labels["key"], name, resource.kind, resource.sub_kind, resource.version, resource.metadata.name, resource.metadata.description, resource.metadata.labels["key"], resource.spec.<path>`,
  );
}

const textOf = (term: Term): RawBuilder<string | null> =>
  term.kind === 'constant'
    ? sql<string>`${term.value}`
    : term.kind === 'label'
      ? labelText(term.key)
      : term.nullable
        ? sql<string>`coalesce(${term.sql}, '')`
        : term.sql;
const needs = (...terms: readonly Term[]): 'id' | 'row' => (terms.some(term => term.kind === 'text') ? 'row' : 'id');

/** What is missing equals "". */
function equal(left: Term, right: Term): Clause {
  if (left.kind === 'constant' && right.kind === 'constant') return left.value === right.value ? always : never;
  if (left.kind === 'constant') return equal(right, left);
  if (left.kind === 'label' && right.kind === 'constant' && right.value !== '')
    return clause(
      'id',
      sql`EXISTS (SELECT 1 FROM resource_labels AS l WHERE l.resource = r.id AND l.key = ${left.key} AND l.value = ${right.value})`,
    );
  return clause(needs(left, right), sql`${textOf(left)} = ${textOf(right)}`);
}

function exists(term: Term): Clause {
  if (term.kind === 'label') return labelPresent(term.key);
  return term.kind === 'text' && term.nullable ? clause('row', sql`${term.sql} IS NOT NULL`) : always;
}

function hasPrefix(term: Term, prefix: string): Clause {
  if (term.kind === 'constant') return term.value.startsWith(prefix) ? always : never;
  return clause(needs(term), sql`substr(${textOf(term)}, 1, ${sql.lit([...prefix].length)}) = ${prefix}`);
}

/** The parts of an expression that must all hold. */
export function conjuncts(expression: Expression): readonly Expression[] {
  return expression.kind === 'and' ? [...conjuncts(expression.left), ...conjuncts(expression.right)] : [expression];
}
