// Events inside a chunk: what they are, and their bytes (format.ts).
import type { Told } from '../../ports/recordings.ts';
import type { Size } from '../../ports/shell.ts';
import { shownStatement } from './statement-text.ts';
import { cursorOf, pushVarint } from './varint.ts';

/** `ms` is the time since the session began. */
export type RecordedEvent =
  | {
      readonly kind: 'output';
      readonly ms: number;
      readonly bytes: Uint8Array;
      /** What the bytes were made of, where nobody printed them: it is what is kept. */
      readonly told?: Told;
    }
  | { readonly kind: 'resize'; readonly ms: number; readonly size: Size }
  | { readonly kind: 'join' | 'leave'; readonly ms: number; readonly user: string }
  | { readonly kind: 'gap'; readonly ms: number; readonly lost: number };

const TYPE = {
  output: 1,
  resize: 2,
  join: 3,
  leave: 4,
  gap: 5,
  statement: 6,
  answer: 7,
  request: 8,
  review: 9,
  execution: 10,
  progress: 11,
} as const;

/** The bodies of most chunks fit here: bulk output is not to leave 64 kB of garbage with every chunk, bytes. */
const BODY_MOST_BYTES = 128 * 1024;
/** A recording of single keys needs no more, bytes. */
const BODY_LEAST_BYTES = 4096;

/**
 * Puts the plain bodies of one recording's chunks together. The first event's time goes into the chunk's head, so its own distance is
 * 0. An answer is good until the next call: its memory is used again.
 */
export function createEventWriter(): (events: readonly RecordedEvent[]) => Buffer {
  let body: Buffer = Buffer.alloc(0);
  return events => {
    const parts = partsOf(events);
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length > BODY_MOST_BYTES) return Buffer.concat(parts, length);
    if (length > body.length)
      body = Buffer.allocUnsafeSlow(length <= BODY_LEAST_BYTES ? BODY_LEAST_BYTES : BODY_MOST_BYTES);
    let at = 0;
    for (const part of parts) {
      body.set(part, at);
      at += part.length;
    }
    return body.subarray(0, length);
  };
}

function partsOf(events: readonly RecordedEvent[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let last = events[0]?.ms ?? 0;
  for (const event of events) {
    const told = event.kind === 'output' ? event.told : undefined;
    const head = [TYPE[told ? typeNameOf(told) : event.kind]];
    pushVarint(head, event.ms - last);
    last = event.ms;
    if (told) {
      const { figures, text: words } = written(told);
      for (const figure of figures) pushVarint(head, figure);
      const text = Buffer.from(words);
      pushVarint(head, text.length);
      parts.push(Uint8Array.from(head), text);
    } else if (event.kind === 'output') {
      pushVarint(head, event.bytes.length);
      parts.push(Uint8Array.from(head), event.bytes);
    } else if (event.kind === 'resize') {
      pushVarint(head, event.size.cols);
      pushVarint(head, event.size.rows);
      parts.push(Uint8Array.from(head));
    } else if (event.kind === 'gap') {
      pushVarint(head, event.lost);
      parts.push(Uint8Array.from(head));
    } else {
      const user = Buffer.from(event.user, 'utf8');
      pushVarint(head, user.length);
      parts.push(Uint8Array.from(head), user);
    }
  }
  return parts;
}

/** What stands before the bytes of an output that is alone in its chunk. */
export function outputHead(bytes: number): Uint8Array {
  const head = [TYPE.output, 0];
  pushVarint(head, bytes);
  return Uint8Array.from(head);
}

const typeNameOf = (told: Told): keyof typeof TYPE =>
  told.kind === 'statement' && told.parameters !== undefined ? 'execution' : told.kind;
/** The numbers of what was told, and its one text. */
function written(told: Told): { readonly figures: readonly number[]; readonly text: string } {
  if (told.kind === 'statement')
    return { figures: told.parameters === undefined ? [] : [told.parameters], text: told.text };
  if (told.kind === 'review') return { figures: [], text: told.text };
  if (told.kind === 'request')
    return { figures: [told.status, told.bytes, told.took], text: `${told.method} ${told.path}` };
  const figures = [told.statement, told.took, told.rows === null ? 0 : told.rows + 1];
  return { figures, text: told.kind === 'answer' ? told.error : '' };
}

/** Reads a plain body. `bad` makes the error that is thrown when it is not as `writeEvents` writes. */
export function readEvents(plain: Uint8Array, firstMs: number, bad: (text: string) => Error): RecordedEvent[] {
  const events: RecordedEvent[] = [];
  let ms = firstMs;
  const cursor = cursorOf(plain, bad);
  const { varint, take } = cursor;
  const tell = (told: Told): void => void events.push({ kind: 'output', ms, bytes: shownStatement(told), told });
  while (!cursor.isAtEnd) {
    const type = cursor.byte();
    ms += varint();
    const text = (): string => Buffer.from(take(varint())).toString('utf8');
    if (type === TYPE.output) events.push({ kind: 'output', ms, bytes: take(varint()) });
    else if (type === TYPE.statement) tell({ kind: 'statement', text: text() });
    else if (type === TYPE.review) tell({ kind: 'review', text: text() });
    else if (type === TYPE.execution) {
      const parameters = varint();
      tell({ kind: 'statement', parameters, text: text() });
    } else if (type === TYPE.answer || type === TYPE.progress) {
      const [statement, took, counted] = [varint(), varint(), varint()];
      const [rows, error] = [counted === 0 ? null : counted - 1, text()];
      tell(
        type === TYPE.answer
          ? { kind: 'answer', statement, took, rows, error }
          : { kind: 'progress', statement, took, rows },
      );
    } else if (type === TYPE.request) {
      const [status, bytes, took] = [varint(), varint(), varint()];
      const [method = '', ...path] = text().split(' ');
      tell({ kind: 'request', method, path: path.join(' '), status, bytes, took });
    } else if (type === TYPE.resize) events.push({ kind: 'resize', ms, size: { cols: varint(), rows: varint() } });
    else if (type === TYPE.gap) events.push({ kind: 'gap', ms, lost: varint() });
    else if (type === TYPE.join || type === TYPE.leave)
      events.push({
        kind: type === TYPE.join ? 'join' : 'leave',
        ms,
        user: text(),
      });
    else throw bad(`unknown event ${type}`);
  }
  return events;
}
