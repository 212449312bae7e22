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
/** Built-in functions of any row: `customers.to_json` calls one, though it looks like a column. */
const rowFunction =
  /^(any(compatible)?(nonarray|element)?_out|record_(out|send)|hash_record|(row_)?to_jsonb?|jsonb?_(agg|build_array|build_object)|array_agg|concat|quote_(literal|nullable)|first_value|last_value|lag|lead|mode)$/;
/** Longest name of a column that a server keeps whole, bytes. */
const NAME_MOST_BYTES = 63;
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
  const used = { columns: new Set<string>(), allColumns: false };
  const functions = new Set<string>();
  const takesUp: string[] = [];
  /** Names by which a whole row can be meant. */
  const rows = new Set<string>();
  const bare = new Set<string>();
  let allColumns = false;
  let renames = false;
  const [top = ''] = Object.keys(isNode(statement) ? statement : {});
  if (!plain.has(top)) kinds.add(grants.has(top) ? 'grant' : 'ddl');
  const handedOut = handedOutBy(statement);
  const take = (names: readonly string[]): void => {
    for (const name of names) {
      columns.add(name);
      used.columns.add(name);
    }
  };
  const takeAll = (): void => {
    allColumns = true;
    used.allColumns = true;
  };

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
    if (node.funcname !== undefined) {
      const called = strings(node.funcname).at(-1) ?? '';
      if (opaqueFunction.test(called)) return null;
      functions.add(called);
    }
    if (node.intoClause !== undefined) kinds.add('ddl');
    if (node.relname !== undefined) {
      const name = text(node.relname);
      tables.push({ schema: text(node.schemaname), name });
      rows.add(name);
      if (isNode(node.alias)) rows.add(text(node.alias.aliasname));
    }
    // Its columns go by other names.
    if (isNode(node.alias) && node.alias.colnames !== undefined) takeAll();
    if (node.isNatural === true) takeAll();
    take(strings(node.usingClause));
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
        if (node.is_from !== true) {
          take(strings(node.attlist));
          used.allColumns ||= allColumns;
        }
        break;
      case 'RenameStmt':
      case 'AlterObjectSchemaStmt':
        renames = true;
        break;
      case 'ExecuteStmt':
        takesUp.push(text(node.name));
        break;
      case 'FetchStmt':
        takesUp.push(text(node.portalname));
        break;
      case 'IndexElem':
        take([text(node.name)]);
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
        const isHandedOut = handedOut.nodes.has(node);
        if (fields.length < list(node.fields).length) {
          if (isHandedOut) allColumns = true;
          else takeAll();
        }
        if (fields.length > 1 && rowFunction.test(fields.at(-1) ?? '')) takeAll();
        for (const name of fields) columns.add(name);
        if (!isHandedOut) take(fields);
        if (fields[0] !== undefined && list(node.fields).length === 1) bare.add(fields[0]);
        break;
      }
      case 'A_Indirection':
        take(strings(node.indirection));
        if (strings(node.indirection).length < list(node.indirection).length) takeAll();
        break;
      case 'ResTarget':
        if (node.name !== undefined) columns.add(text(node.name));
    }
  }
  // Explained only, it is not executed.
  if (isNode(statement) && isNode(statement.ExplainStmt) && !isAnalyzed(statement.ExplainStmt)) kinds.clear();
  if ([...bare].some(name => rows.has(name))) takeAll();
  for (const [alias, names] of handedOut.aliases) if (used.columns.has(alias)) take([...names]);
  return {
    ...{ kinds, tables, columns, allColumns, used, functions, renames, takesUp },
    aliases: handedOut.aliases,
    isPlanned: planned.has(top),
  };
}

/** What a statement hands out as it is: columns and stars of its own list, and by which other names. */
interface HandedOut {
  readonly nodes: ReadonlySet<Node>;
  readonly aliases: ReadonlyMap<string, ReadonlySet<string>>;
}
function handedOutBy(statement: unknown): HandedOut {
  const nodes = new Set<Node>();
  const aliases = new Map<string, Set<string>>();
  const [top, outer] = only(statement);
  const [kind, node] = top === 'ExplainStmt' && outer ? only(outer.query) : [top, outer];
  for (const target of node ? ownList(kind, node) : []) {
    const { name, val } = isNode(target) && isNode(target.ResTarget) ? target.ResTarget : {};
    const column = isNode(val) && isNode(val.ColumnRef) ? val.ColumnRef : null;
    // A name that the server cuts, or writes in its own characters, would not be known again.
    const isKept =
      name === undefined || (/^[ -~]*$/.test(text(name)) && Buffer.byteLength(text(name)) <= NAME_MOST_BYTES);
    if (!column || !isKept) continue;
    nodes.add(column);
    if (name !== undefined)
      aliases.set(text(name), new Set([...(aliases.get(text(name)) ?? []), ...strings(column.fields).slice(-1)]));
  }
  return { nodes, aliases };
}
/** The list of a statement whose rows go to the client one by one: no set, order by number or table is made of them. */
function ownList(kind: string, node: Node): readonly unknown[] {
  if (kind !== 'SelectStmt') return isNode(node.returningClause) ? list(node.returningClause.exprs) : [];
  const isOne = node.op === undefined || node.op === 'SETOP_NONE';
  const hasNumber = [...nodes([node.sortClause, node.groupClause])].some(([key]) => key === 'A_Const');
  const isPlain = isOne && !hasNumber && node.intoClause === undefined && node.distinctClause === undefined;
  return isPlain ? list(node.targetList) : [];
}
/** The kind of a node, and its fields. */
function only(node: unknown): readonly [kind: string, fields: Node | null] {
  const [[kind, fields] = ['', null]] = isNode(node) ? Object.entries(node) : [];
  return [kind, isNode(fields) ? fields : null];
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
