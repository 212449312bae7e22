// Values in DER (X.690), as RDCleanPath and CredSSP use it: sequences, integers, strings, and explicit tags of one byte.
import { Malformed } from '../passing.ts';

/** Tags that are used. */
export const TAG = { integer: 0x02, octets: 0x04, utf8: 0x0c, sequence: 0x30 } as const;
/** Tag of the member `number` of a sequence. */
export const member = (number: number): number => 0xa0 | number;
/** No length that is read has more bytes. */
const LENGTH_MOST_BYTES = 3;

export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : length < 0x1_0000
          ? [tag, 0x82, length >> 8, length & 255]
          : [tag, 0x83, length >> 16, (length >> 8) & 255, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}
/** A whole number of at most 31 bits. */
export function derInteger(value: number): Buffer {
  const bytes = [value & 255];
  for (let rest = value >> 8; rest > 0; rest >>= 8) bytes.unshift(rest & 255);
  if ((bytes[0] ?? 0) > 127) bytes.unshift(0);
  return der(TAG.integer, Buffer.from(bytes));
}
export const derText = (text: string): Buffer => der(TAG.utf8, Buffer.from(text, 'utf8'));
export const derOctets = (bytes: Buffer): Buffer => der(TAG.octets, bytes);

interface Value {
  readonly tag: number;
  readonly content: Buffer;
  /** Bytes with its head. */
  readonly size: number;
}
/** The value at the start; null where its head has not come in full. `content` is cut short where the rest has not come. Throws Malformed. */
export function readHead(bytes: Buffer): (Value & { readonly isWhole: boolean }) | null {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) return null;
  let length = first;
  let at = 2;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > LENGTH_MOST_BYTES) throw new Malformed('a message has a length that is none');
    if (bytes.length < 2 + count) return null;
    length = bytes.readUIntBE(2, count);
    at += count;
  }
  const size = at + length;
  return { tag, content: bytes.subarray(at, size), size, isWhole: bytes.length >= size };
}
/** The values that stand one behind the other. Throws Malformed. */
export function readValues(bytes: Buffer): readonly Value[] {
  const all: Value[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const value = readHead(rest);
    if (!value?.isWhole) throw new Malformed('a message is shorter than it says');
    all.push(value);
    rest = rest.subarray(value.size);
  }
  return all;
}
/** Members of a sequence of explicitly tagged ones, by number. Throws Malformed. */
export function readMembers(sequence: Buffer): ReadonlyMap<number, Buffer> {
  const [outer] = readValues(sequence);
  if (outer?.tag !== TAG.sequence) throw new Malformed('a message is no sequence');
  return new Map(
    readValues(outer.content).map(({ tag, content }) => {
      const [inner] = readValues(content);
      if ((tag & 0xe0) !== 0xa0 || !inner) throw new Malformed('a message has a member that is none');
      return [tag & 0x1f, inner.tag === TAG.sequence ? content : inner.content];
    }),
  );
}
