// Packets of MySQL as they pass: 24-bit length, number, body. A body may take several.
import type { Tap, WaitingTap } from '../../pump.ts';
import { createFrames, createWaitingFrames, Malformed } from '../frames.ts';
import { HEAD_BYTES } from './messages.ts';

/** A body of this length goes on in the next packet. */
const SPLIT_BYTES = 0xffffff;
/** The protocol's own bound of a command, bytes. */
const COMMAND_MOST_BYTES = 0x40000000;
const NOTHING = Buffer.alloc(0);

/** What goes on in the place of a packet; undefined: itself. */
export type Passing = Buffer | undefined | Promise<Buffer | undefined>;
/** What comes of something that may have to be waited for. */
export const onceKnown = <Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next,
): Next | Promise<Awaited<Next>> =>
  value instanceof Promise ? (value.then(next) as Promise<Awaited<Next>>) : next(value);
/**
 * Packets, those of one body joined. `wanted`: of the next one, bytes. `bytes`: all that it took on the way. `holds`: whether the next one waits
 * until it was read, so that another may go on in its place; `isSplit`: it takes several, none of which can wait.
 */
export function packets(
  wanted: () => number,
  on: (sequence: number, body: Buffer, length: number, bytes: number) => Buffer | undefined,
  holds: (isSplit: boolean) => boolean = () => false,
): Tap {
  let goesOn = false;
  let sequence = 0;
  let length = 0;
  let bytes = 0;
  let parts: Buffer[] = [];
  return createFrames(HEAD_BYTES, {
    head(head, at) {
      const part = head.readUIntLE(at, 3);
      const isFirst = !goesOn;
      if (isFirst) {
        sequence = head[at + 3] ?? 0;
        length = 0;
        bytes = 0;
        if (parts.length > 0) parts = [];
      }
      const kept = Math.max(0, wanted() - length);
      length += part;
      bytes += HEAD_BYTES + part;
      if (length > COMMAND_MOST_BYTES) throw new Malformed(`a packet of ${length} bytes`);
      goesOn = part === SPLIT_BYTES;
      return { length: part, wanted: kept, isHeld: isFirst && holds(goesOn) && !goesOn };
    },
    on(body) {
      if (parts.length === 0 && !goesOn) return on(sequence, body, length, bytes);
      if (parts.length === 0 || body.length > 0) parts.push(Buffer.from(body));
      if (!goesOn) on(sequence, Buffer.concat(parts), length, bytes);
      return undefined;
    },
  });
}
/** The same for packets that wait, each as its body begins: what goes on in the place of its first packet goes on in that of all. */
export function heldPackets(
  wanted: number,
  on: (sequence: number, body: Buffer, length: number) => Passing,
): WaitingTap {
  let goesOn = false;
  let isFirst = true;
  let sequence = 0;
  let part = 0;
  let length = 0;
  let isReplaced = false;
  return createWaitingFrames(HEAD_BYTES, {
    head(head, at) {
      part = head.readUIntLE(at, 3);
      isFirst = !goesOn;
      if (isFirst) {
        length = 0;
        sequence = head[at + 3] ?? 0;
      }
      length += part;
      if (length > COMMAND_MOST_BYTES) throw new Malformed(`a packet of ${length} bytes`);
      goesOn = part === SPLIT_BYTES;
      return { length: part, wanted: isFirst ? wanted : 0, isHeld: true };
    },
    on(body) {
      if (!isFirst) return isReplaced ? NOTHING : undefined;
      return onceKnown(on(sequence, body, part), instead => {
        isReplaced = instead !== undefined;
        return instead;
      });
    },
  });
}
