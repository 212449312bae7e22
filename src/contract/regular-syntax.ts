// Reads regular expressions in RE2's language (no look-around, no back references) into trees for the machine in regular.ts.

/** Deepest nesting of groups. */
const NESTING_MOST_LEVELS = 50;

/** What is wrong with a pattern, for people. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

export type Test = (code: number) => boolean;
export type Piece =
  | { readonly kind: 'one'; readonly test: Test }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'group'; readonly of: Piece; readonly index: number }
  | { readonly kind: 'sequence' | 'either'; readonly of: readonly Piece[] }
  | {
      readonly kind: 'repeat';
      readonly of: Piece;
      readonly least: number;
      readonly most: number;
      readonly greedy: boolean;
    };
export type Assertion = 'start' | 'end' | 'line-start' | 'line-end' | 'word' | 'not-word';

interface Flags {
  readonly fold: boolean;
  readonly dotAll: boolean;
  readonly lines: boolean;
}

const isDigit: Test = code => code >= 48 && code <= 57;
export const isWord: Test = code =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
const isSpace: Test = code => code === 32 || (code >= 9 && code <= 13 && code !== 11);
const not =
  (test: Test): Test =>
  code =>
    !test(code);
const range =
  (from: number, to: number): Test =>
  code =>
    code >= from && code <= to;
const perl: Readonly<Record<string, Test>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};
const posix: Readonly<Record<string, Test>> = {
  alpha: code => range(65, 90)(code) || range(97, 122)(code),
  digit: isDigit,
  alnum: code => isWord(code) && code !== 95,
  lower: range(97, 122),
  upper: range(65, 90),
  space: code => isSpace(code) || code === 11,
  punct: code => range(33, 47)(code) || range(58, 64)(code) || range(91, 96)(code) || range(123, 126)(code),
  word: isWord,
  xdigit: code => isDigit(code) || range(65, 70)(code) || range(97, 102)(code),
};
const letters: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, a: 7 };

/** Every case a character can take, so that folding compares like with like. */
function folded(test: Test): Test {
  return code => {
    if (test(code)) return true;
    const character = String.fromCodePoint(code);
    return [character.toLowerCase(), character.toUpperCase()].some(other => {
      const otherCode = other.codePointAt(0);
      return otherCode !== undefined && otherCode !== code && test(otherCode);
    });
  };
}

class Reader {
  private at = 0;
  private level = 0;
  groups = 0;
  readonly names = new Map<string, number>();
  private readonly source: readonly string[];
  private flags: Flags = { fold: false, dotAll: false, lines: false };
  constructor(source: string) {
    this.source = [...source];
  }
  read(): Piece {
    const piece = this.either();
    if (this.at < this.source.length) this.fail('a ")" without its "("');
    return piece;
  }
  private peek(ahead = 0): string | undefined {
    return this.source[this.at + ahead];
  }
  private take(text: string): boolean {
    if (
      !this.source
        .slice(this.at, this.at + text.length)
        .join('')
        .startsWith(text)
    )
      return false;
    this.at += text.length;
    return true;
  }
  private fail(what: string): never {
    throw new PatternError(`regular expression: ${what} at character ${this.at + 1}`);
  }
  private either(): Piece {
    const before = this.flags;
    const options: Piece[] = [];
    do options.push(this.sequence());
    while (this.take('|'));
    this.flags = before;
    const [only] = options;
    return options.length === 1 && only ? only : { kind: 'either', of: options };
  }
  private sequence(): Piece {
    const of: Piece[] = [];
    for (let next = this.peek(); next !== undefined && next !== '|' && next !== ')'; next = this.peek()) {
      const piece = this.atom();
      if (piece) of.push(this.repeated(piece));
    }
    return { kind: 'sequence', of };
  }
  private repeated(piece: Piece): Piece {
    const bounds = this.quantifier();
    if (!bounds) return piece;
    const repeat: Piece = { kind: 'repeat', of: piece, least: bounds[0], most: bounds[1], greedy: !this.take('?') };
    if (/[*+?]/.test(this.peek() ?? '')) this.fail('two repetitions in a row');
    return repeat;
  }
  private quantifier(): readonly [number, number] | undefined {
    if (this.take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.take('?')) return [0, 1];
    const found = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.source.slice(this.at, this.at + 12).join(''));
    if (!found) return undefined;
    this.at += found[0].length;
    const least = Number(found[1]);
    const most = found[2] === undefined ? least : found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3]);
    if (least > 1000 || (most > 1000 && most !== Number.POSITIVE_INFINITY)) this.fail('more than 1000 repetitions');
    if (most < least) this.fail('repetition bounds in the wrong order');
    return [least, most];
  }
  private atom(): Piece | undefined {
    const next = this.source[this.at++];
    switch (next) {
      case '(':
        return this.group();
      case '[':
        return this.one(this.set());
      case '.':
        return { kind: 'one', test: this.flags.dotAll ? () => true : code => code !== 10 };
      case '^':
        return { kind: 'assert', what: this.flags.lines ? 'line-start' : 'start' };
      case '$':
        return { kind: 'assert', what: this.flags.lines ? 'line-end' : 'end' };
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
        this.at--;
        return this.fail('nothing to repeat');
      default:
        return this.one(range(next?.codePointAt(0) ?? 0, next?.codePointAt(0) ?? 0));
    }
  }
  private one(test: Test): Piece {
    return { kind: 'one', test: this.flags.fold ? folded(test) : test };
  }
  private group(): Piece | undefined {
    if (++this.level > NESTING_MOST_LEVELS) this.fail(`more than ${NESTING_MOST_LEVELS} nested groups`);
    const before = this.flags;
    let index: number | undefined;
    if (!this.take('?')) index = ++this.groups;
    else {
      const named = /^P?<([A-Za-z_]\w{0,63})>/.exec(this.source.slice(this.at, this.at + 70).join(''));
      if (named?.[1]) {
        this.at += named[0].length;
        index = ++this.groups;
        this.names.set(named[1], index);
      } else if (this.readFlags()) {
        this.level--;
        return undefined;
      }
    }
    const of = this.either();
    if (!this.take(')')) this.fail('a "(" without its ")"');
    this.level--;
    this.flags = before;
    return index === undefined ? of : { kind: 'group', of, index };
  }
  /** `i`, `s`, `m` up to `)` or `:`. True when they hold for what follows outside the group: `(?i)`. */
  private readFlags(): boolean {
    let on = true;
    for (;;) {
      const next = this.source[this.at++];
      if (next === ')') return true;
      if (next === ':') return false;
      if (next === '-') on = false;
      else if (next === 'i') this.flags = { ...this.flags, fold: on };
      else if (next === 's') this.flags = { ...this.flags, dotAll: on };
      else if (next === 'm') this.flags = { ...this.flags, lines: on };
      else this.fail('an unknown kind of group (look-around and back references are not supported)');
    }
  }
  private escape(): Piece {
    const next = this.peek();
    if (next === 'b' || next === 'B' || next === 'A' || next === 'z') {
      this.at++;
      return {
        kind: 'assert',
        what: next === 'b' ? 'word' : next === 'B' ? 'not-word' : next === 'A' ? 'start' : 'end',
      };
    }
    return this.one(this.escaped());
  }
  /** What stands after a backslash, as a test: a class, or one character. */
  private escaped(): Test {
    const next = this.source[this.at++];
    if (next === undefined) this.fail('a backslash with nothing after it');
    const known = perl[next];
    if (known) return known;
    if (next === 'p' || next === 'P') return this.unicode(next === 'P');
    const letter = letters[next];
    const code = letter ?? (next === 'x' ? this.hexadecimal() : next.codePointAt(0));
    if (code === undefined || (letter === undefined && next !== 'x' && /[A-Za-z0-9]/.test(next)))
      this.fail(`"\\${next}" is not supported`);
    return range(code, code);
  }
  private hexadecimal(): number {
    const found = /^(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))/.exec(this.source.slice(this.at, this.at + 8).join(''));
    if (!found) this.fail('"\\x" needs two hexadecimal digits');
    this.at += found[0].length;
    return Number.parseInt(found[1] ?? found[2] ?? '0', 16);
  }
  private unicode(negated: boolean): Test {
    const found = /^(?:\{(\^?)([A-Za-z_=]{1,40})\}|([A-Z]))/.exec(this.source.slice(this.at, this.at + 44).join(''));
    if (!found) this.fail('"\\p" needs a Unicode class, such as \\p{L}');
    this.at += found[0].length;
    const name = found[2] ?? found[3] ?? '';
    for (const spelled of [name, `Script=${name}`]) {
      try {
        // One character against one class: nothing to backtrack over.
        const one = new RegExp(`^\\p{${spelled}}$`, 'u');
        const test: Test = code => one.test(String.fromCodePoint(code));
        return negated !== (found[1] === '^') ? not(test) : test;
      } catch {
        // The engine does not know the class under this spelling; the next one, or the refusal below.
      }
    }
    return this.fail(`unknown Unicode class "${name}"`);
  }
  private set(): Test {
    const negated = this.take('^');
    const tests: Test[] = [];
    for (let first = true; first || this.peek() !== ']'; first = false) {
      if (this.at >= this.source.length) this.fail('a "[" without its "]"');
      const named = /^\[:(\^?)([a-z]+):\]/.exec(this.source.slice(this.at, this.at + 14).join(''));
      if (named) {
        const test = posix[named[2] ?? ''];
        if (!test) this.fail(`unknown class ${named[0]}`);
        this.at += named[0].length;
        tests.push(named[1] === '^' ? not(test) : test);
        continue;
      }
      const from = this.member();
      if (typeof from === 'number' && this.peek() === '-' && this.peek(1) !== ']' && this.peek(1) !== undefined) {
        this.at++;
        const to = this.member();
        if (typeof to !== 'number' || to < from) this.fail('a range in the wrong order');
        tests.push(range(from, to));
      } else tests.push(typeof from === 'number' ? range(from, from) : from);
    }
    this.at++;
    const fold = this.flags.fold;
    const any: Test = code => tests.some(test => test(code));
    const whole = fold ? folded(any) : any;
    return negated ? not(whole) : whole;
  }
  /** One member of a set: its code, or a class. */
  private member(): number | Test {
    const next = this.source[this.at++];
    if (next !== '\\') return next?.codePointAt(0) ?? 0;
    const letter = this.peek();
    if (letter !== undefined && (letter in perl || letter === 'p' || letter === 'P')) return this.escaped();
    this.at++;
    if (letter === undefined) this.fail('a backslash with nothing after it');
    const code = letters[letter];
    if (code !== undefined) return code;
    if (letter === 'x') return this.hexadecimal();
    if (/[A-Za-z0-9]/.test(letter)) this.fail(`"\\${letter}" is not supported`);
    return letter.codePointAt(0) ?? 0;
  }
}

/** A regular expression as a tree, its number of groups, and their names. Throws PatternError. */
export function readRegular(source: string): {
  readonly tree: Piece;
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
} {
  const reader = new Reader(source);
  const tree = reader.read();
  return { tree, groups: reader.groups, names: reader.names };
}
