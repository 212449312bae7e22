// The recording file, byte by byte. All numbers are little endian.
//
//   file   = "POSTREC1" (8 bytes), chunk*
//   chunk  = head (24 bytes), body (`length` bytes), link (32 bytes)
//   head   = magic u32 "CHNK" | kind u8 | codec u8 | 0 u16 | length u32 | size u32 | ms u32 | sequence u32
//   link   = SHA-256(link of the chunk before | head | body); the first chunk follows 32 zero bytes
//
// kind: 1 header, 2 events, 3 end, 4 chunks of events packed together (pack.ts).
// codec: 0 the body is plain, 1 it is one zstd frame that holds `size` bytes; files of today have it in packs alone.
// ms: time of the chunk's first event since the session began. sequence: 0 for the header, then one more each.
//
//   header body = JSON RecordingHeader; it holds the kind of the recording, and the public half of an Ed25519 key made for it alone
//   events body = of a terminal: event*, each: type u8, ms since the event before it (varint), then
//                 1 output: length varint, bytes    2 resize: cols varint, rows varint
//                 3 join, 4 leave: length varint, user name    5 gap: bytes not recorded, varint (best effort only)
//                 6 statement of a database's client: length varint, text
//                 7 its answer: number of the statement, microseconds, rows + 1 (0: not counted), length varint, error
//                 8 request to an application: status, bytes, microseconds, length varint, method and path
//                 9 what was said of a statement: length varint, sentence
//                 10 a prepared statement that is executed: number of its parameters, length varint, text
//                 11 a statement that goes on: as 7, with the rows so far and no error
//                 of a desktop: the same, and output is what its server sent once the client was let in, without the clipboard
//   pack body   = chunks of events without their links: the chunk behind a pack follows the link of the last chunk in it, so that the
//                 same chunks end in the same link however they are packed, and may be packed better once the session is over
//   end body    = JSON RecordingEnd: the totals, and an Ed25519 signature over `signedText`, which names the link before it
//
// Varints are unsigned LEB128. What a person types is never recorded. A file without an end chunk was not closed: its gateway
// died, or it is still being written. `sid.open` lies beside the file from before its first byte until the audit log holds the
// end of the session. The signature shows that nobody without the key, which is never stored, changed the file; the audit log,
// which chains its own rows, holds the key and the last link (RecordingSeal), so that a whole new file is found as well.
import { hash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import * as z from 'zod/mini';

export const FILE_MAGIC = Buffer.from('POSTREC1', 'latin1');
export const HEAD_BYTES = 24;
export const LINK_BYTES = 32;
/** Most bytes a chunk's body may hold, packed or plain: a larger figure in a file is a lie. */
export const BODY_MOST_BYTES = 1024 * 1024;
const CHUNK_MAGIC = 0x4b4e4843;
/** Times past this (49 days) are kept as this, ms. */
const LAST_MS = 0xffffffff;

export const KIND = { header: 1, events: 2, end: 3, pack: 4 } as const;
export type Kind = (typeof KIND)[keyof typeof KIND];

/** What the event chunks of a recording hold. More kinds come with the protocols that need them. */
const recordingKinds = ['terminal', 'desktop'] as const;
export type RecordingKind = (typeof recordingKinds)[number];

export const recordingHeader = z.object({
  version: z.literal(1),
  /** Files from before there were kinds are of terminals. */
  kind: z._default(z.enum(recordingKinds), 'terminal'),
  sid: z.string(),
  user: z.string(),
  login: z.string(),
  serverId: z.string(),
  hostname: z.string(),
  addr: z.string(),
  clusterName: z.string(),
  cols: z.number(),
  rows: z.number(),
  /** A file may say anything here: what is no time would make every reader that counts from it fail. */
  started: z.iso.datetime(),
  proto: z.enum(['ssh', 'db', 'kube', 'app', 'rdp', 'vnc']),
  mode: z.enum(['strict', 'best_effort']),
  /** Ed25519 public key, 32 raw bytes in base64. */
  key: z.string(),
});
export type RecordingHeader = z.infer<typeof recordingHeader>;

export const recordingEnd = z.object({
  /** 'sealed' by the recorder itself; 'cut' by the next start, after the gateway died: signed with a key of its own. */
  state: z.enum(['sealed', 'cut']),
  ended: z.iso.datetime(),
  ms: z.number(),
  /** Bytes of output in all. */
  bytes: z.number(),
  key: z.string(),
  signature: z.string(),
});
export type RecordingEnd = z.infer<typeof recordingEnd>;

/** What the end's signature is over: every total, and the link that covers all chunks before the end. */
export function signedText(sid: string, end: Omit<RecordingEnd, 'signature'>, previous: Uint8Array): string {
  const link = Buffer.from(previous).toString('hex');
  return ['postern recording end 1', sid, end.state, end.ended, end.ms, end.bytes, end.key, link].join('\n');
}

export interface ChunkHead {
  readonly kind: Kind;
  readonly codec: 0 | 1;
  /** Stored bytes. */
  readonly length: number;
  /** Plain bytes. */
  readonly size: number;
  readonly ms: number;
  readonly sequence: number;
}
export interface NewChunk {
  readonly kind: Kind;
  readonly ms: number;
  readonly sequence: number;
  readonly plain: Uint8Array;
  /** Link of the chunk before, 32 bytes. */
  readonly previous: Uint8Array;
  /** The body as it is stored, where that is not `plain`. */
  readonly packed?: Uint8Array;
}

/** Memory of so many bytes to put something together in. */
export type Memory = (bytes: number) => Buffer;
/** Memory that is used again each time it is asked for, as long as no more than `mostBytes` are wanted. */
export function reusedMemory(mostBytes: number): Memory {
  let memory = Buffer.alloc(0);
  return bytes => {
    if (bytes > mostBytes) return Buffer.allocUnsafeSlow(bytes);
    if (bytes > memory.length) memory = Buffer.allocUnsafeSlow(Math.min(mostBytes, 2 ** Math.ceil(Math.log2(bytes))));
    return memory.subarray(0, bytes);
  };
}

/** One chunk ready to append, and its link for the next one. `memory`: what its bytes are put together in. */
export function encodeChunk(
  chunk: NewChunk,
  memory: Memory = Buffer.allocUnsafe,
): { readonly bytes: Buffer; readonly link: Buffer } {
  const body = chunk.packed ?? chunk.plain;
  const end = LINK_BYTES + HEAD_BYTES + body.length;
  // The link before stands in front, so that one hash call over one piece of memory covers it.
  const all = memory(end + LINK_BYTES);
  all.set(chunk.previous, 0);
  all.writeUInt32LE(CHUNK_MAGIC, 32);
  all[36] = chunk.kind;
  all[37] = chunk.packed ? 1 : 0;
  all.writeUInt16LE(0, 38);
  all.writeUInt32LE(body.length, 40);
  all.writeUInt32LE(chunk.plain.length, 44);
  all.writeUInt32LE(Math.min(LAST_MS, Math.max(0, Math.round(chunk.ms))), 48);
  all.writeUInt32LE(chunk.sequence >>> 0, 52);
  all.set(body, LINK_BYTES + HEAD_BYTES);
  const link = hash('sha256', all.subarray(0, end), 'buffer');
  all.set(link, end);
  return { bytes: all.subarray(LINK_BYTES), link };
}

/** A chunk that is not as the format says. The text says how; the reader adds where. */
export class BadChunk extends Error {
  override readonly name = 'BadChunk';
}
export const badChunk = (text: string): BadChunk => new BadChunk(text);

/** Reads the 24 bytes of a head. Throws BadChunk. */
export function parseHead(bytes: Buffer): ChunkHead {
  const kind = bytes[4];
  const codec = bytes[5];
  const length = bytes.readUInt32LE(8);
  const size = bytes.readUInt32LE(12);
  if (bytes.readUInt32LE(0) !== CHUNK_MAGIC || bytes.readUInt16LE(6) !== 0) throw new BadChunk('no chunk begins here');
  if (kind !== KIND.header && kind !== KIND.events && kind !== KIND.end && kind !== KIND.pack)
    throw new BadChunk(`unknown kind ${kind}`);
  if (codec !== 0 && codec !== 1) throw new BadChunk(`unknown codec ${codec}`);
  if (length > BODY_MOST_BYTES || size > BODY_MOST_BYTES) throw new BadChunk('a chunk larger than any that is written');
  if (codec === 0 && length !== size) throw new BadChunk('two different lengths');
  return { kind, codec, length, size, ms: bytes.readUInt32LE(16), sequence: bytes.readUInt32LE(20) };
}

/** The link that a chunk must carry. */
export function linkOf(previous: Uint8Array, head: Uint8Array, body: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([previous, head, body]), 'buffer');
}

/** The plain body. Throws BadChunk when it does not unpack to the length its head says. */
export function openBody(head: ChunkHead, body: Uint8Array): Uint8Array {
  if (head.codec === 0) return body;
  let plain: Uint8Array;
  try {
    plain = zstdDecompressSync(body, { maxOutputLength: Math.max(1, head.size) });
  } catch (error) {
    throw new BadChunk(`it does not unpack: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (plain.length !== head.size) throw new BadChunk('it unpacks to another length than it says');
  return plain;
}

/** JSON of a header or an end chunk through its schema. Throws BadChunk. */
export function jsonOf<Schema extends z.ZodMiniType>(schema: Schema, plain: Uint8Array): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(plain).toString('utf8'));
  } catch {
    throw new BadChunk('its text is not JSON');
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new BadChunk('its fields are not as the format says');
  return parsed.data;
}
