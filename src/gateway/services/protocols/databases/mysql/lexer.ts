// Words of MySQL statements, as its servers read them in their usual modes. What a grammar gets to read is made of these words, so that no
// comment, quote or escape is understood in another way than here.

interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'sign';
  /** A name without its quotes. */
  readonly text: string;
  /** As it goes into a template: without its value, where it has one. */
  readonly written: string;
  /** Something stood between it and the word before. */
  readonly isApart: boolean;
}
/** The words of one statement. */
export type Tokens = readonly Token[];

/** Space, a comment to the end of its line, one in its own signs. What servers execute in comments, and hints, are told apart first. */
const SPACE = /[ \t\n\v\f\r]+|#[^\n]*|--(?=[\s\0-\x1f]|$)[^\n]*|\/\*(?![!+]|M!)[\s\S]*?\*\//y;
const WORD = /[0-9A-Za-z$_\u0080-\uffff]+/y;
const NAME = /`((?:[^`]|``)*)`/y;
const TEXT = /'((?:[^'\\]|\\[\s\S]|'')*)'|"((?:[^"\\]|\\[\s\S]|"")*)"/y;
const NUMBER = /^(?:\d+|\d+[eE]\d+|0x[0-9a-fA-F]+|0b[01]+)$/;
/** Before these, a text is bytes in their writing. */
const BYTES = /^[xXbB]$/;

/** The statements of a text; null where it cannot be told how a server reads it. */
export function statementsOf(text: string): readonly Tokens[] | null {
  const statements: Tokens[] = [];
  let tokens: Token[] = [];
  let at = 0;
  let isApart = false;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const add = (kind: Token['kind'], said: string, written: string): void => {
    tokens.push({ kind, text: said, written, isApart });
    isApart = false;
  };
  while (at < text.length) {
    if (match(SPACE)) {
      isApart = true;
      continue;
    }
    const word = match(WORD);
    if (word) {
      const [said] = word;
      // What cannot be read could be any name.
      if (said.includes('\ufffd')) return null;
      const isOfName = tokens.at(-1)?.text === '.' && !isApart;
      if (NUMBER.test(said) && !isOfName) add('number', said, '1');
      else add('word', said, said);
      continue;
    }
    const name = match(NAME);
    if (name) {
      const [said, inner = ''] = name;
      if (said.includes('\ufffd')) return null;
      add('name', inner.replaceAll('``', '`'), said);
      continue;
    }
    const quoted = match(TEXT);
    if (quoted) {
      const before = tokens.at(-1);
      const isBytes = before?.kind === 'word' && BYTES.test(before.text) && !isApart;
      add('text', quoted[1] ?? quoted[2] ?? '', isBytes ? "'00'" : "'?'");
      continue;
    }
    const sign = text[at] ?? '';
    // Quotes and comments that do not close, and comments that are executed.
    if (/[`'"\0]/.test(sign) || text.startsWith('/*', at) || text.startsWith('*/', at)) return null;
    at += 1;
    if (sign !== ';') add('sign', sign, sign);
    else {
      if (tokens.length > 0) statements.push(tokens);
      tokens = [];
    }
  }
  if (tokens.length > 0) statements.push(tokens);
  return statements;
}

/** Statements without their values: what they do is the same for all of one template. */
export const templateOf = (statements: readonly Tokens[]): string => statements.map(written).join(';');
/** One statement, written anew. */
export const written = (tokens: Tokens): string =>
  tokens.map((token, index) => (token.isApart && index > 0 ? ` ${token.written}` : token.written)).join('');
