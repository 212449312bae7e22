// What a Redis server answers, as values: for the prompt, which shows them.
import { Malformed } from '../frames.ts';
import { typed } from '../redis/statements.ts';

export type Value =
  | { readonly kind: 'status' | 'error' | 'text' | 'number'; readonly text: string }
  | { readonly kind: 'nil' }
  | { readonly kind: 'list'; readonly values: readonly Value[] };

const NESTED_MOST = 64;

/** The value that begins at a place, and where the next one does. It must be there whole. Throws Malformed. */
export function readValue(bytes: Buffer, at: number, depth = 0): readonly [Value, number] {
  const end = bytes.indexOf('\r\n', at);
  if (end < 0 || depth > NESTED_MOST) throw new Malformed('an answer that is cut off');
  const type = String.fromCharCode(bytes[at] ?? 0);
  const line = bytes.toString('utf8', at + 1, end);
  const count = Number(line);
  const next = end + 2;
  switch (type) {
    case '+':
      return [{ kind: 'status', text: line }, next];
    case '-':
      return [{ kind: 'error', text: line }, next];
    case '_':
      return [{ kind: 'nil' }, next];
    case ':':
    case ',':
    case '(':
    case '#':
      return [{ kind: 'number', text: line }, next];
    case '$':
    case '=':
    case '!':
      if (count < 0) return [{ kind: 'nil' }, next];
      return [
        { kind: type === '!' ? 'error' : 'text', text: bytes.toString('utf8', next, next + count) },
        next + count + 2,
      ];
    case '*':
    case '~':
    case '>':
    case '%': {
      if (count < 0) return [{ kind: 'nil' }, next];
      const values: Value[] = [];
      let to = next;
      for (let left = type === '%' ? 2 * count : count; left > 0; left--) {
        const [value, after] = readValue(bytes, to, depth + 1);
        values.push(value);
        to = after;
      }
      return [{ kind: 'list', values }, to];
    }
    default:
      throw new Malformed('an answer of no known type');
  }
}

/** As one line says it; lists in brackets. */
export const textOf = (value: Value): string =>
  value.kind === 'nil'
    ? '(nil)'
    : value.kind === 'list'
      ? `[${value.values.map(one => (one.kind === 'text' ? typed(Buffer.from(one.text)) : textOf(one))).join(', ')}]`
      : value.text;
