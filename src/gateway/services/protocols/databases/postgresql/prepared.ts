// Prepared statements of a session. A name counts once the server has said that it is parsed, and until it has said that it is closed.
import { TooMuch } from '../frames.ts';

/** Of one session, and characters of all their texts. */
const PREPARED_MOST = 10_000;
const PREPARED_MOST_CHARACTERS = 16 * 1024 * 1024;
/** Messages that the server may not have answered yet. */
const AWAITED_MOST = 100_000;

export interface PreparedNames<Statement> {
  /** Sent; answered in the order they were sent. Throw TooMuch. */
  parse(name: string, statement: Statement): void;
  /** Null: a portal of any name. */
  close(name: string | null): void;
  /** The end of a group: behind an error the server reads on there. */
  sync(): void;
  /** The server has parsed or closed the first of those sent. */
  done(): void;
  /** The server has come to the end of a group. */
  ready(): void;
  /** What the name may stand for when the server reads it: the likeliest first; null: nothing. */
  called(name: string): readonly (Statement | null)[];
}

/** A statement is parsed, null: closed. Null in its place: the end of a group. */
type Awaited<Statement> = { readonly name: string | null; readonly statement: Statement | null } | null;

/** `sizeOf`: characters of a statement. */
export function createPreparedNames<Statement>(sizeOf: (statement: Statement) => number): PreparedNames<Statement> {
  const parsed = new Map<string, Statement>();
  const sent = new Map<string, { readonly statement: Statement | null; readonly group: number }[]>();
  let group = 0;
  let parsing = 0;
  const awaited: Awaited<Statement>[] = [];
  let characters = 0;

  function send(one: Awaited<Statement>): void {
    if (awaited.length >= AWAITED_MOST) throw new TooMuch('more statements than may be under way at once');
    awaited.push(one);
    if (typeof one?.name !== 'string') return;
    const under = sent.get(one.name);
    const now = { statement: one.statement, group };
    if (under) under.push(now);
    else sent.set(one.name, [now]);
  }
  function forget(name: string): void {
    const known = parsed.get(name);
    if (known !== undefined) characters -= sizeOf(known);
    parsed.delete(name);
  }
  /** The server has answered it, or read over it. */
  function arrived({ name, statement }: NonNullable<Awaited<Statement>>): void {
    if (statement !== null) parsing -= 1;
    if (name === null) return;
    const under = sent.get(name);
    under?.shift();
    if (under?.length === 0) sent.delete(name);
  }
  return {
    parse(name, statement) {
      characters += sizeOf(statement);
      parsing += 1;
      if (parsed.size + parsing > PREPARED_MOST || characters > PREPARED_MOST_CHARACTERS)
        throw new TooMuch('more prepared statements than one session may have');
      send({ name, statement });
    },
    close: name => send({ name, statement: null }),
    sync() {
      send(null);
      group += 1;
    },
    done() {
      const [first] = awaited;
      if (!first) return;
      awaited.shift();
      arrived(first);
      if (first.name === null) return;
      forget(first.name);
      if (first.statement !== null) parsed.set(first.name, first.statement);
    },
    ready() {
      for (let one = awaited.shift(); one; one = awaited.shift()) {
        arrived(one);
        if (one.statement !== null) characters -= sizeOf(one.statement);
      }
    },
    called(name) {
      const under = (sent.get(name) ?? []).toReversed();
      const [newest] = under;
      // Of the same group: where that was not parsed, the server reads over what names it.
      if (newest?.group === group && newest.statement !== null) return [newest.statement];
      return [...under.map(({ statement }) => statement), ...(parsed.has(name) ? [parsed.get(name) ?? null] : [])];
    },
  };
}
