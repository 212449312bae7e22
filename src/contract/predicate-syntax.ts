// Characters to tree and back, for the filter language. What names mean is predicate.ts's business.

/** A parsed expression. Fields are paths such as ['labels', 'env'] or ['name']; calls are functions of the language. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string }
  | { readonly kind: 'field'; readonly path: readonly string[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'and' | 'or' | 'equal' | 'unequal'; readonly left: Expression; readonly right: Expression };

/** An expression that cannot be read. Answered as 400. */
export class PredicateError extends Error {
  override readonly name = 'PredicateError';
  /** Where in the text, characters from 0. */
  readonly at: number;
  constructor(what: string, at: number) {
    super(`failed to parse predicate expression: ${what} (character ${at + 1})`);
    this.at = at;
  }
}

/** Bounds: what a person types fits easily; what would exhaust the stack of a reader does not. */
const SOURCE_MOST_CHARACTERS = 4096;
const NESTING_MOST_LEVELS = 32;
const TREE_MOST_NODES = 512;
const ARGUMENTS_MOST = 64;

/** Fields below which one key stands, whatever dots it holds: `labels.app.tier` is the label `app.tier`. */
const keyed: readonly (readonly string[])[] = [
  ['labels'],
  ['resource', 'metadata', 'labels'],
  ['user', 'spec', 'traits'],
  ['reviewer', 'traits'],
  ['request', 'system_annotations'],
  ['internal'],
  ['external'],
];
const keyedPrefix = (path: readonly string[]) =>
  keyed.find(prefix => prefix.length < path.length && prefix.every((part, index) => path[index] === part));

type Token = { readonly kind: 'string' | 'word' | 'sign' | 'end'; readonly text: string; readonly at: number };

const signs = ['==', '!=', '&&', '||', '!', '(', ')', ',', '[', ']', '.'];
const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '"': '"',
  '\\': '\\',
  '/': '/',
  '`': '`',
};

function tokens(source: string): readonly Token[] {
  const found: Token[] = [];
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at);
    const space = /^\s+/.exec(rest);
    if (space) {
      at += space[0].length;
      continue;
    }
    const word = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(rest);
    const sign = signs.find(one => rest.startsWith(one));
    if (word) found.push({ kind: 'word', text: word[0], at });
    else if (rest.startsWith('"') || rest.startsWith('`')) {
      const { text, length } = quoted(rest, at);
      found.push({ kind: 'string', text, at });
      at += length;
      continue;
    } else if (sign) found.push({ kind: 'sign', text: sign, at });
    else {
      const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
      const hint =
        character === '='
          ? ', did you mean ==?'
          : character === '&'
            ? ', did you mean &&?'
            : character === '|'
              ? ', did you mean ||?'
              : character === "'"
                ? ', texts stand in "double" or `back` quotes'
                : '';
      throw new PredicateError(`unexpected ${JSON.stringify(character)}${hint}`, at);
    }
    at += (word?.[0] ?? sign ?? '').length;
  }
  found.push({ kind: 'end', text: '', at: source.length });
  return found;
}

/** A text in "double" quotes with escapes, or in `back` quotes without. */
function quoted(rest: string, at: number): { readonly text: string; readonly length: number } {
  const raw = rest.startsWith('`');
  let text = '';
  for (let index = 1; index < rest.length; index++) {
    const character = rest[index] ?? '';
    if (character === rest[0]) return { text, length: index + 1 };
    if (raw || character !== '\\') {
      text += character;
      continue;
    }
    const next = rest[++index] ?? '';
    const code = /^(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2}))/.exec(rest.slice(index, index + 5));
    if (code) {
      text += String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? '0', 16));
      index += code[0].length - 1;
    } else if (Object.hasOwn(escapes, next)) text += escapes[next];
    else throw new PredicateError(`unknown escape "\\${next}" in a text`, at + index - 1);
  }
  throw new PredicateError('a text without its closing quote', at);
}

/** An expression, and where each of its parts began. Throws PredicateError. */
export interface ReadExpression {
  readonly expression: Expression;
  readonly positions: ReadonlyMap<Expression, number>;
}

/** Reads any expression of the grammar; whether it makes sense is not checked here. Throws PredicateError. */
export function readExpression(source: string): ReadExpression {
  if (source.length > SOURCE_MOST_CHARACTERS)
    throw new PredicateError(`longer than ${SOURCE_MOST_CHARACTERS} characters`, SOURCE_MOST_CHARACTERS);
  const all = tokens(source);
  const positions = new Map<Expression, number>();
  let index = 0;
  let level = 0;
  const peek = (): Token => all[index] ?? { kind: 'end', text: '', at: source.length };
  const sees = (sign: string): boolean => peek().kind === 'sign' && peek().text === sign;
  const take = (sign: string): boolean => sees(sign) && ++index > 0;
  const shown = (token: Token) =>
    token.kind === 'end' ? 'the end' : token.kind === 'string' ? 'a text' : JSON.stringify(token.text);
  const expect = (sign: string): void => {
    if (!take(sign)) throw new PredicateError(`${JSON.stringify(sign)} expected, ${shown(peek())} found`, peek().at);
  };
  const keep = (expression: Expression, at: number): Expression => {
    if (positions.size >= TREE_MOST_NODES) throw new PredicateError(`more than ${TREE_MOST_NODES} parts`, at);
    positions.set(expression, at);
    return expression;
  };
  const deeper = <T>(read: () => T): T => {
    if (++level > NESTING_MOST_LEVELS)
      throw new PredicateError(`nested more than ${NESTING_MOST_LEVELS} deep`, peek().at);
    const result = read();
    level--;
    return result;
  };
  const chain = (sign: string, kind: 'and' | 'or', next: () => Expression): Expression => {
    const at = peek().at;
    let left = next();
    while (take(sign)) left = keep({ kind, left, right: next() }, at);
    return left;
  };
  const either = (): Expression => chain('||', 'or', both);
  const both = (): Expression => chain('&&', 'and', comparison);
  const comparison = (): Expression => {
    const at = peek().at;
    const left = unary();
    const kind = take('==') ? 'equal' : take('!=') ? 'unequal' : undefined;
    return kind ? keep({ kind, left, right: unary() }, at) : left;
  };
  const unary = (): Expression => {
    const at = peek().at;
    return take('!') ? keep({ kind: 'not', of: deeper(unary) }, at) : primary();
  };
  const primary = (): Expression => {
    const token = peek();
    if (take('(')) {
      const inside = deeper(either);
      expect(')');
      return inside;
    }
    index++;
    if (token.kind === 'string') return keep({ kind: 'literal', value: token.text }, token.at);
    if (token.kind !== 'word') throw new PredicateError(`a value expected, ${shown(token)} found`, token.at);
    const path = [token.text];
    for (;;) {
      if (take('.')) {
        const part = peek();
        if (part.kind !== 'word') throw new PredicateError(`a name expected after ".", ${shown(part)} found`, part.at);
        path.push(part.text);
        index++;
      } else if (take('[')) {
        const key = peek();
        if (key.kind !== 'string') throw new PredicateError(`a text expected after "[", ${shown(key)} found`, key.at);
        path.push(key.text);
        index++;
        expect(']');
      } else break;
    }
    if (take('(')) return keep({ kind: 'call', name: path.join('.'), args: deeper(args) }, token.at);
    const prefix = keyedPrefix(path);
    return keep({ kind: 'field', path: prefix ? [...prefix, path.slice(prefix.length).join('.')] : path }, token.at);
  };
  const args = (): readonly Expression[] => {
    const given: Expression[] = [];
    if (take(')')) return given;
    do given.push(either());
    while (given.length < ARGUMENTS_MOST && take(','));
    expect(')');
    return given;
  };
  const expression = either();
  if (peek().kind !== 'end') throw new PredicateError(`nothing more expected, ${shown(peek())} found`, peek().at);
  return { expression, positions };
}

/** The expression and everything inside it. */
export function* partsOf(expression: Expression): Iterable<Expression> {
  yield expression;
  if (expression.kind === 'call') for (const argument of expression.args) yield* partsOf(argument);
  else if (expression.kind === 'not') yield* partsOf(expression.of);
  else if (expression.kind !== 'literal' && expression.kind !== 'field') {
    yield* partsOf(expression.left);
    yield* partsOf(expression.right);
  }
}

/** Paths of the fields that an expression reads. */
export const fieldsOf = (expression: Expression): readonly (readonly string[])[] =>
  [...partsOf(expression)].flatMap(part => (part.kind === 'field' ? [part.path] : []));

const strength = { or: 1, and: 2, equal: 3, unequal: 3 } as const;
const plain = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** The text of an expression: reading it gives the same tree. */
export function printPredicate(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return JSON.stringify(expression.value);
    case 'field': {
      const prefix = keyedPrefix(expression.path);
      return expression.path
        .map((part, at) =>
          at === 0
            ? part
            : plain.test(part) && !(prefix && at >= prefix.length)
              ? `.${part}`
              : `[${JSON.stringify(part)}]`,
        )
        .join('');
    }
    case 'call':
      return `${expression.name}(${expression.args.map(printPredicate).join(', ')})`;
    case 'not':
      return `!${within(expression.of, 4)}`;
    default: {
      const own = strength[expression.kind];
      const sign = { and: '&&', or: '||', equal: '==', unequal: '!=' }[expression.kind];
      // Chains lean left; a comparison takes no comparison on either side.
      return `${within(expression.left, own === 3 ? 4 : own)} ${sign} ${within(expression.right, own + 1)}`;
    }
  }
}

function within(expression: Expression, least: number): string {
  const text = printPredicate(expression);
  return expression.kind in strength && strength[expression.kind as keyof typeof strength] < least ? `(${text})` : text;
}
