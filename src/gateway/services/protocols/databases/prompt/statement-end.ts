// Where a statement ends: at the first semicolon that stands in no text, name or comment.

/** What of SQL an engine has beside '…', "…", -- and block comments. */
export interface Syntax {
  /** `$tag$ … $tag$` is a text. */
  readonly dollarQuotes?: true;
  /** Block comments stand in one another. */
  readonly nestedComments?: true;
  /** A backslash takes the meaning of the quote behind it. */
  readonly backslashes?: true;
  readonly backticks?: true;
  readonly hashComments?: true;
  /** Each line is a statement of its own, without an end. */
  readonly isLine?: true;
}

/** Just behind the first end from `from` on; -1: the statement goes on. */
export function statementEnd(text: string, from: number, syntax: Syntax): number {
  if (syntax.isLine) return text.length;
  for (let at = from; at < text.length; ) {
    const character = text[at];
    if (character === ';') return at + 1;
    const next = skip(text, at, syntax);
    if (next < 0) return -1;
    at = next;
  }
  return -1;
}

/** Nothing but blanks and comments. */
export function isBlank(text: string, syntax: Syntax): boolean {
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text[at] ?? '')) at += 1;
    else if (syntax.isLine || !opensComment(text, at, syntax)) return false;
    else {
      const next = skip(text, at, syntax);
      if (next < 0) return true;
      at = next;
    }
  }
  return true;
}

const opensComment = (text: string, at: number, { hashComments }: Syntax): boolean =>
  text.startsWith('--', at) || text.startsWith('/*', at) || (hashComments === true && text[at] === '#');

/** Behind whatever begins here; -1: it has no end. */
function skip(text: string, at: number, syntax: Syntax): number {
  const character = text[at] ?? '';
  if (text.startsWith('/*', at)) return blockEnd(text, at, syntax.nestedComments === true);
  if (opensComment(text, at, syntax)) {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end + 1;
  }
  if (character === "'" || character === '"' || (character === '`' && syntax.backticks)) {
    const escapes = syntax.backslashes === true || (character === "'" && /(^|[^\w$])[eE]$/.test(text.slice(0, at)));
    return quoteEnd(text, at, escapes && character !== '`');
  }
  if (character === '$' && syntax.dollarQuotes && !/[\w$]/.test(text[at - 1] ?? '')) {
    const [tag] = /^\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/u.exec(text.slice(at, at + 130)) ?? [];
    if (tag === undefined) return at + 1;
    const end = text.indexOf(tag, at + tag.length);
    return end < 0 ? -1 : end + tag.length;
  }
  return at + 1;
}

function blockEnd(text: string, at: number, nests: boolean): number {
  let depth = 0;
  const mark = /\/\*|\*\//g;
  mark.lastIndex = at;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[0] === '*/') depth -= 1;
    else if (nests || depth === 0) depth += 1;
    if (depth === 0) return mark.lastIndex;
  }
  return -1;
}

function quoteEnd(text: string, from: number, escapes: boolean): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    if (escapes && text[at] === '\\') at += 1;
    // A doubled quote is one of the text: it is read as an end and a new beginning.
    else if (text[at] === quote) return at + 1;
  }
  return -1;
}
