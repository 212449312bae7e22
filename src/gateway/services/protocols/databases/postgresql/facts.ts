// What guards ask of a statement, read from PostgreSQL's own grammar.
import type { StatementKind } from '../../../../../contract/guards.ts';
import type { StatementFacts } from '../../../../ports/databases.ts';

/** A node of the parse tree: an object whose key is its kind, or its fields. */
type Node = Readonly<Record<string, unknown>>;

/** Statements that change no object; all that are not among them do. */
const plain = new Set([
  'SelectStmt',
  'InsertStmt',
  'UpdateStmt',
  'DeleteStmt',
  'MergeStmt',
  'CopyStmt',
  'ExplainStmt',
  'TransactionStmt',
  'VariableSetStmt',
  'VariableShowStmt',
  'PrepareStmt',
  'ExecuteStmt',
  'DeallocateStmt',
  'DeclareCursorStmt',
  'FetchStmt',
  'ClosePortalStmt',
  'ListenStmt',
  'UnlistenStmt',
  'NotifyStmt',
  'LockStmt',
  'DiscardStmt',
  'CheckPointStmt',
  'VacuumStmt',
  'ConstraintsSetStmt',
]);
const grants = new Set([
  'GrantStmt',
  'GrantRoleStmt',
  'AlterDefaultPrivilegesStmt',
  'CreateRoleStmt',
  'AlterRoleStmt',
  'AlterRoleSetStmt',
  'DropRoleStmt',
  'AlterOwnerStmt',
  'ReassignOwnedStmt',
  'DropOwnedStmt',
]);
const writes: Readonly<Record<string, StatementKind | null>> = {
  InsertStmt: null,
  MergeStmt: null,
  UpdateStmt: 'update_without_where',
  DeleteStmt: 'delete_without_where',
};
/** What databases make plans for. */
const planned = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);
/** They hold code, or call what does: what it does stands nowhere in the statement. */
const opaque = new Set(['DoStmt', 'CallStmt', 'CreateFunctionStmt']);
/** They execute a text, read a table that a text names, or change how texts are read. */
const opaqueFunction =
  /^(set_config|lo_import|lo_export|ts_stat|ts_rewrite|connectby|xpath_table)$|^(query|cursor|table|schema|database)_to_xml|^(dblink|crosstab)/;
/** Behind these, a text is no longer read as the grammar reads it. */
const reading = new Set(['standard_conforming_strings', 'client_encoding', 'backslash_quote', 'escape_string_warning']);

/** What guards ask of statements; null: what one of them does cannot be told from its words. */
export type Facts = readonly StatementFacts[] | null;

/** Of each statement of a parse tree. */
export function factsOf(statements: readonly unknown[]): Facts {
  const facts: StatementFacts[] = [];
  for (const statement of statements) {
    const one = factsOfOne(statement);
    if (!one) return null;
    facts.push(one);
  }
  return facts;
}

function factsOfOne(statement: unknown): StatementFacts | null {
  const kinds = new Set<StatementKind>();
  const tables: { readonly schema: string; readonly name: string }[] = [];
  const columns = new Set<string>();
  /** Names by which a whole row can be meant. */
  const rows = new Set<string>();
  const bare = new Set<string>();
  let allColumns = false;
  const [top = ''] = Object.keys(isNode(statement) ? statement : {});
  if (!plain.has(top)) kinds.add(grants.has(top) ? 'grant' : 'ddl');

  for (const [kind, node] of nodes(statement)) {
    if (opaque.has(kind)) return null;
    const writesWithout = writes[kind];
    if (writesWithout !== undefined) {
      kinds.add('write');
      if (writesWithout && !choosesRows(node.whereClause)) kinds.add(writesWithout);
      // All that is not named gets its default.
      if (kind === 'InsertStmt' && node.cols === undefined) allColumns = true;
    }
    // These are told by their fields: where nothing else may stand, the tree does not say their kind.
    if (node.funcname !== undefined && opaqueFunction.test(strings(node.funcname).at(-1) ?? '')) return null;
    if (node.intoClause !== undefined) kinds.add('ddl');
    if (node.relname !== undefined) {
      const name = text(node.relname);
      tables.push({ schema: text(node.schemaname), name });
      rows.add(name);
      if (isNode(node.alias)) {
        rows.add(text(node.alias.aliasname));
        // Its columns go by other names.
        if (node.alias.colnames !== undefined) allColumns = true;
      }
    }
    switch (kind) {
      case 'VariableSetStmt':
        if (reading.has(String(node.name).toLowerCase())) return null;
        break;
      case 'CopyStmt':
        kinds.add('copy');
        if (node.is_from === true) kinds.add('write');
        if (node.is_program === true) kinds.add('copy_program');
        if (node.attlist === undefined && node.relation !== undefined) allColumns = true;
        for (const name of strings(node.attlist)) columns.add(name);
        break;
      case 'TruncateStmt':
        kinds.add('write');
        break;
      case 'DropStmt':
        for (const object of list(node.objects)) {
          const names = strings(isNode(object) && isNode(object.List) ? object.List.items : undefined);
          const [name = '', schema = ''] = [...names].reverse();
          tables.push({ schema, name }, ...(names.length > 1 ? [{ schema: '', name: schema }] : []));
        }
        break;
      case 'ColumnRef': {
        const fields = strings(node.fields);
        if (fields.length < list(node.fields).length) allColumns = true;
        for (const name of fields) columns.add(name);
        if (fields[0] !== undefined && fields.length === 1) bare.add(fields[0]);
        break;
      }
      case 'A_Indirection':
        for (const name of strings(node.indirection)) columns.add(name);
        if (strings(node.indirection).length < list(node.indirection).length) allColumns = true;
        break;
      case 'ResTarget':
        if (node.name !== undefined) columns.add(text(node.name));
    }
  }
  // Explained only, it is not executed.
  if (isNode(statement) && isNode(statement.ExplainStmt) && !isAnalyzed(statement.ExplainStmt)) kinds.clear();
  return {
    kinds,
    tables,
    columns,
    allColumns: allColumns || [...bare].some(name => rows.has(name)),
    isPlanned: planned.has(top),
  };
}

/** Whether a condition looks at a row: `where true` chooses none. */
function choosesRows(where: unknown): boolean {
  for (const [kind] of nodes(where)) if (kind === 'ColumnRef' || kind === 'CurrentOfExpr') return true;
  return false;
}
const isAnalyzed = ({ options }: Node): boolean =>
  list(options).some(one => isNode(one) && isNode(one.DefElem) && one.DefElem.defname === 'analyze');

/** Every node with the key that it stands under: its kind, or the field that holds it where that may hold no other kind. */
function* nodes(tree: unknown): Generator<readonly [key: string, node: Node]> {
  const left: unknown[] = [tree];
  for (let one = left.pop(); one !== undefined; one = left.pop())
    for (const [key, value] of Object.entries(one as Node)) {
      if (!isHeld(value)) continue;
      if (isNode(value)) yield [key, value];
      left.push(value);
    }
}
const isHeld = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isNode = (value: unknown): value is Node => isHeld(value) && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** The names in a list of nodes; others are left out. */
const strings = (value: unknown): readonly string[] =>
  list(value).flatMap(one => (isNode(one) && isNode(one.String) ? [text(one.String.sval)] : []));
