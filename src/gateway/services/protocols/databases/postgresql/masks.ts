// Values that a guard hides, taken out of the rows that pass: which rows belong to which statement is read from the answers in their order,
// as the server gives them.
import type { Masked } from '../../../../ports/databases.ts';
import { Malformed, TooMuch, textAt } from '../frames.ts';
import { message } from './messages.ts';

/** A row in which something is hidden, and a description of rows, bytes: those are held until they are whole. */
const ROW_MOST_BYTES = 64 * 1024 * 1024;
const DESCRIPTION_MOST_BYTES = 1024 * 1024;
const STATEMENTS_MOST = 10_000;
const AWAITED_MOST = 100_000;
/** What stands in the place of a text; values of other types are null. */
const HIDDEN = Buffer.from('****');
/** text, varchar, char(n), name and what has no type: a text is written in the same way in both formats. */
const texts: ReadonlySet<number> = new Set([25, 1043, 1042, 19, 705]);

interface Field {
  readonly name: string;
  /** The table that it is read from; 0: none. */
  readonly table: number;
  readonly type: number;
}
/** What is known of the rows of a statement, or of a portal; null: nothing yet. */
interface Rows {
  fields: readonly Field[] | null;
}
interface Portal extends Rows {
  readonly masked: Masked | null;
  readonly of: Rows | null;
}
/** What a client has sent and the server answers, in this order. */
type Awaited =
  | { readonly kind: 'parse'; readonly name: string }
  | { readonly kind: 'bind'; readonly portal: string; readonly statement: string; readonly masked: Masked | null }
  | { readonly kind: 'describe' | 'close'; readonly what: string; readonly name: string }
  | { readonly kind: 'execute'; readonly portal: string }
  | { readonly kind: 'query'; readonly portal: Portal }
  | { readonly kind: 'call' | 'end' };

export interface Masks {
  /** The client has sent it. Throw TooMuch. */
  sent(awaited: Exclude<Awaited, { readonly kind: 'query' }>): void;
  query(masked: Masked | null): void;
  /** Whether a portal of this name has been asked for. */
  isPortal(name: string): boolean;
  /** How much of a message of this type must be there at once, bytes; 0: it passes as it is. */
  wants(type: string): number;
  /** The server's answer: what goes on in its place, where that is something else. Throws Malformed for what is no answer to what was sent. */
  answer(type: string, body: Buffer, length: number): Buffer | undefined;
}

/** `others`: tables that are not meant though they have columns of a hidden name. */
export function createMasks(others: ReadonlySet<number>): Masks {
  const awaited: Awaited[] = [];
  const statements = new Map<string, Rows>();
  const portals = new Map<string, Portal>();
  const asked = new Set<string>();
  /** Behind an error, the server reads over all up to the end of the group, and answers none of it. */
  let isSkipping = false;

  function push(one: Awaited): void {
    if (isSkipping && one.kind !== 'end') return;
    isSkipping = false;
    if (awaited.length >= AWAITED_MOST) throw new TooMuch('more statements than may be under way at once');
    awaited.push(one);
  }
  /** Whose rows come now; null: nobody's. */
  function current(): Portal | null {
    const [first] = awaited;
    if (first?.kind === 'query') return first.portal;
    return first?.kind === 'execute' ? (portals.get(first.portal) ?? null) : null;
  }
  function answered<Kind extends Awaited['kind']>(...kinds: readonly Kind[]): Awaited & { readonly kind: Kind } {
    const [first] = awaited;
    if (!first || !kinds.some(kind => kind === first.kind)) throw new Malformed('an answer to something else');
    return first as Awaited & { readonly kind: Kind };
  }
  function described(fields: readonly Field[] | null): void {
    const one = answered('describe', 'query');
    if (one.kind === 'query') {
      one.portal.fields = fields;
      return;
    }
    awaited.shift();
    const rows = one.what === 'S' ? statements.get(one.name) : portals.get(one.name);
    if (rows) rows.fields = fields;
  }
  function isHidden({ masked }: Portal, { name, table }: Field): boolean {
    return masked?.hides(name) === true && !others.has(table);
  }
  function rowOf(portal: Portal, body: Buffer): Buffer | undefined {
    const fields = portal.fields ?? portal.of?.fields ?? null;
    const count = body.length < 2 ? -1 : body.readInt16BE(0);
    if (count < 0 || (fields && fields.length !== count)) throw new Malformed('a row of other columns');
    const parts: Buffer[] = [body.subarray(0, 2)];
    let at = 2;
    let isOther = false;
    for (let index = 0; index < count; index++) {
      if (at + 4 > body.length) throw new Malformed('a row that is cut off');
      const length = body.readInt32BE(at);
      const end = at + 4 + Math.max(0, length);
      if (end > body.length) throw new Malformed('a row that is cut off');
      const field = fields?.[index];
      // Where nothing was said of the columns, any of them may be meant.
      const hides = length >= 0 && (!field || isHidden(portal, field));
      isOther ||= hides;
      parts.push(hides ? hiddenValue(field) : body.subarray(at, end));
      at = end;
    }
    return isOther ? message('D', Buffer.concat(parts)) : undefined;
  }
  /** The server is ready for the next group. */
  function ready(status: string): void {
    answered('end', 'query', 'call');
    awaited.shift();
    if (status === 'I') portals.clear();
  }
  function failed(): void {
    const [first] = awaited;
    if (!first || first.kind === 'query' || first.kind === 'call' || first.kind === 'end') return;
    while (awaited.length > 0 && awaited[0]?.kind !== 'end') awaited.shift();
    isSkipping = awaited.length === 0;
  }

  return {
    sent(one) {
      if (one.kind === 'bind') asked.add(one.portal);
      if (asked.size > STATEMENTS_MOST) throw new TooMuch('more portals than one session may have');
      push(one);
    },
    query: masked => push({ kind: 'query', portal: { masked, fields: null, of: null } }),
    isPortal: name => asked.has(name),
    wants(type) {
      if (type === 'T') return DESCRIPTION_MOST_BYTES;
      return type === 'D' && current()?.masked ? ROW_MOST_BYTES : 0;
    },
    answer(type, body, length) {
      switch (type) {
        case '1': {
          const { name } = answered('parse');
          awaited.shift();
          statements.set(name, { fields: null });
          break;
        }
        case '2': {
          const { portal, statement, masked } = answered('bind');
          awaited.shift();
          portals.set(portal, { masked, fields: null, of: statements.get(statement) ?? null });
          break;
        }
        case '3': {
          const { what, name } = answered('close');
          awaited.shift();
          if (what === 'S') statements.delete(name);
          else portals.delete(name);
          break;
        }
        case 'T':
          if (length > DESCRIPTION_MOST_BYTES) throw new TooMuch('more columns than can be looked at');
          described(fieldsOf(body));
          break;
        case 'n':
          described(null);
          break;
        case 'D': {
          answered('execute', 'query');
          const portal = current();
          if (!portal?.masked) return undefined;
          if (length > ROW_MOST_BYTES) throw new TooMuch('a row that is too long for its values to be hidden');
          return rowOf(portal, body);
        }
        case 'C':
        case 'I':
        case 's':
          if (answered('execute', 'query').kind === 'execute') awaited.shift();
          break;
        case 'E':
          if (current()?.masked) {
            failed();
            return withoutDetail(body);
          }
          failed();
          break;
        case 'Z':
          // A server is ready once before it was asked anything.
          if (awaited.length > 0) ready(body.toString('latin1'));
      }
      return undefined;
    },
  };
}

/** With its length. What is known of no column is null. */
function hiddenValue(field: Field | undefined): Buffer {
  const isText = field !== undefined && texts.has(field.type);
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(isText ? HIDDEN.length : -1);
  return isText ? Buffer.concat([bytes, HIDDEN]) : bytes;
}

const FIELD_BYTES = 18;
/** Throws Malformed. */
function fieldsOf(body: Buffer): readonly Field[] {
  const fields: Field[] = [];
  const count = body.length < 2 ? -1 : body.readInt16BE(0);
  let at = 2;
  for (let index = 0; index < count; index++) {
    const [name, next] = textAt(body, at);
    if (next + FIELD_BYTES > body.length) throw new Malformed('a description that is cut off');
    fields.push({ name, table: body.readUInt32BE(next), type: body.readUInt32BE(next + 6) });
    at = next + FIELD_BYTES;
  }
  if (count < 0) throw new Malformed('a description that is cut off');
  return fields;
}

/** An error without what it quotes of a row: `Failing row contains (…)`. */
function withoutDetail(body: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at < body.length && body[at] !== 0; ) {
    const end = body.indexOf(0, at);
    if (end < 0) break;
    if (String.fromCharCode(body[at] ?? 0) !== 'D') kept.push(body.subarray(at, end + 1));
    at = end + 1;
  }
  return message('E', Buffer.concat([...kept, Buffer.alloc(1)]));
}
