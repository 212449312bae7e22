// Lists and watches of which a person may see a part: objects that their roles do not name are taken out on the way.

import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import * as z from 'zod/mini';
import { Failure } from '../../../../contract/failure.ts';

/** A list that is larger is asked for in parts (kubectl does, 500 objects each), bytes. */
const LIST_MOST_BYTES = 64 * 1024 * 1024;
/** One event of a watch, characters. */
const EVENT_MOST_CHARACTERS = 16 * 1024 * 1024;

const named = z.object({ metadata: z.object({ name: z.string(), namespace: z.optional(z.string()) }) });
type Keep = (object: { readonly name: string; readonly namespace: string }) => boolean;

function isKept(object: unknown, keep: Keep): boolean {
  const read = z.safeParse(named, object);
  if (!read.success) return false;
  const { name, namespace = '' } = read.data.metadata;
  return keep({ name, namespace });
}
const table = z.looseObject({ kind: z.literal('Table'), rows: z.nullish(z.array(z.looseObject({}))) });
const list = z.looseObject({ items: z.nullish(z.array(z.unknown())), metadata: z.optional(z.looseObject({})) });

/** What of a list, or a table of one, may be seen. */
function partOf(read: unknown, keep: Keep): unknown {
  const asTable = z.safeParse(table, read);
  if (asTable.success)
    return { ...asTable.data, rows: asTable.data.rows?.filter(({ object }) => isKept(object, keep)) ?? [] };
  const asList = z.parse(list, read);
  const { remainingItemCount: _counted, ...metadata } = asList.metadata ?? {};
  return { ...asList, metadata, items: asList.items?.filter(item => isKept(item, keep)) ?? [] };
}
/** What of an event of a watch may be seen; null: nothing. */
function eventPart(read: unknown, keep: Keep): unknown {
  const event = z.parse(z.looseObject({ type: z.string(), object: z.unknown() }), read);
  if (event.type === 'ERROR' || event.type === 'BOOKMARK') return event;
  const asTable = z.safeParse(table, event.object);
  if (!asTable.success) return isKept(event.object, keep) ? event : null;
  const rows = asTable.data.rows?.filter(({ object }) => isKept(object, keep)) ?? [];
  // The first one says which columns there are.
  const hasColumns = Array.isArray(asTable.data.columnDefinitions) && asTable.data.columnDefinitions.length > 0;
  return rows.length > 0 || hasColumns ? { ...event, object: { ...asTable.data, rows } } : null;
}

/** Passes of a JSON answer on what may be seen. It fails with Failure for what cannot be read, and passes nothing of that. */
export function openPart(keep: Keep, isWatch: boolean): Transform {
  const text = new StringDecoder('utf8');
  const pieces: Buffer[] = [];
  let bytes = 0;
  let rest = '';
  const unreadable = (): Failure => new Failure('unavailable', 'the cluster answered what cannot be read in parts');
  const attempt = (done: TransformCallback, make: () => string): void => {
    let made: string;
    try {
      made = make();
    } catch (error) {
      done(error instanceof Failure ? error : unreadable());
      return;
    }
    done(null, made);
  };
  const eventsIn = (lines: readonly string[]): string =>
    lines
      .filter(line => line.trim() !== '')
      .map(line => eventPart(JSON.parse(line), keep))
      .flatMap(event => (event === null ? [] : [`${JSON.stringify(event)}\n`]))
      .join('');
  return isWatch
    ? new Transform({
        transform: (piece: Buffer, _encoding, done) =>
          attempt(done, () => {
            rest += text.write(piece);
            if (rest.length > EVENT_MOST_CHARACTERS) throw unreadable();
            const lines = rest.split('\n');
            rest = lines.pop() ?? '';
            return eventsIn(lines);
          }),
        flush: done => attempt(done, () => eventsIn([rest])),
      })
    : new Transform({
        transform(piece: Buffer, _encoding, done) {
          bytes += piece.length;
          pieces.push(piece);
          done(bytes > LIST_MOST_BYTES ? new Failure('too_large', 'ask for it in smaller parts (--chunk-size)') : null);
        },
        flush: done => attempt(done, () => JSON.stringify(partOf(JSON.parse(Buffer.concat(pieces).toString()), keep))),
      });
}

/** What a client would take, as JSON: what is read in parts cannot be anything else. */
export const acceptingJson = (accept: string): string => {
  const json = accept.split(',').filter(one => one.includes('json') && !/includeObject=None/i.test(one));
  return json.length > 0 ? json.join(',') : 'application/json';
};
