// What a YAML text holds, and where in it something stands, so that problems can name line and column.
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  type Pair,
  visit,
  type YAMLError,
  YAMLParseError,
} from 'yaml';

/** Most often that aliases may repeat something. */
const ALIASES_MOST = 100;
/** Most aliases of one document: each is looked for among all that is named before it. */
const ALL_ALIASES_MOST = 1000;
/** How every text of somebody else's is parsed: the library compares each key of a map with all before it, so keys are compared here. */
export const PARSING = { prettyErrors: false, uniqueKeys: false } as const;

/** What is wrong with a document that was parsed as PARSING says; the first is the gravest. */
export function documentErrors(document: Document): readonly YAMLError[] {
  if (document.errors.length > 0) return document.errors;
  const twice: YAMLError[] = [];
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const text = String(key.value);
        const at = key.range?.[0] ?? 0;
        if (seen.has(text)) twice.push(new YAMLParseError([at, at + 1], 'DUPLICATE_KEY', 'Map keys must be unique'));
        seen.add(text);
      }
    },
  });
  return twice;
}

/**
 * What a document holds. Throws Error for aliases that grow without bound, for one inside what it names, which would never end, and for keys
 * that are lists or maps: each is written out as a text within the text of the key around it, which takes hours for a hundred of them.
 */
export function documentValue(document: Document, aliasesMost = ALIASES_MOST): unknown {
  const named = new Map<string, unknown>();
  let aliases = 0;
  visit(document, (key, node, path) => {
    if (isAlias(node)) aliases += 1;
    if (aliases > ALL_ALIASES_MOST) throw new Error(`more than ${ALL_ALIASES_MOST} aliases`);
    if (isAlias(node) && path.some(around => around === named.get(node.source)))
      throw new Error(`the alias *${node.source} stands inside what it names`);
    if (key === 'key' && isCollection(isAlias(node) ? named.get(node.source) : node))
      throw new Error('a list or a map cannot be a key');
    if (isNode(node) && 'anchor' in node && typeof node.anchor === 'string') named.set(node.anchor, node);
  });
  return document.toJS({ maxAliasCount: aliasesMost });
}

/**
 * Offset of the deepest part of a document that a path reaches: the thing itself, or what should have held it. With `wantKey` the last
 * step's key counts rather than its value.
 */
export function offsetOf(root: unknown, path: readonly PropertyKey[], wantKey: boolean): number {
  let at: unknown = root;
  let offset = isNode(root) ? (root.range?.[0] ?? 0) : 0;
  for (const [index, part] of path.entries()) {
    const pair = isMap(at) ? at.items.find(item => keyText(item) === String(part)) : undefined;
    if (isMap(at) && pair === undefined) break;
    if (pair && isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
    at = pair ? pair.value : (at as { get?: (key: unknown, keep: boolean) => unknown } | null)?.get?.(part, true);
    // An item of a list has no key.
    if (isNode(at) && !(pair && wantKey && index === path.length - 1)) offset = at.range?.[0] ?? offset;
  }
  return offset;
}

const keyText = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : String(key));
