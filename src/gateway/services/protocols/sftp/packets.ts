// What SFTP version 3 (draft-ietf-secsh-filexfer-02) is made of: packets, their parts and the attributes of a file. Both ends use it.
import { sshUint32, sshUint64 } from '../wire.ts';

/** Kinds of packets. */
export const kinds = {
  init: 1,
  version: 2,
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  lstat: 7,
  fstat: 8,
  setstat: 9,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  rmdir: 15,
  realpath: 16,
  stat: 17,
  rename: 18,
  readlink: 19,
  status: 101,
  handle: 102,
  data: 103,
  name: 104,
  attributes: 105,
  extended: 200,
  extendedReply: 201,
} as const;
/** What a status says. */
export const statuses = { ok: 0, end: 1, missing: 2, denied: 3, failure: 4, badMessage: 5, unsupported: 8 } as const;
/** Ways to open a file. */
export const openFlags = { read: 1, write: 2, create: 8, truncate: 16, exclusive: 32 } as const;
/** A rename that replaces what is there, in one step: what POSIX calls a rename. */
export const POSIX_RENAME = 'posix-rename@openssh.com';
/** How full the file system of a path is, and whether it can be written. */
export const STATVFS = 'statvfs@openssh.com';
/** Bit of its flags: it can only be read. */
export const STATVFS_READ_ONLY = 1n;
/** Largest packet that either end takes, bytes: as OpenSSH has it. */
export const PACKET_MOST_BYTES = 256 * 1024;

const hasSize = 1;
const hasOwner = 2;
const hasMode = 4;
const hasTimes = 8;
const hasMore = 0x8000_0000;

/** Attributes of a file, as far as they were given. */
export interface Attributes {
  /** Bytes. */
  readonly size?: number;
  readonly uid?: number;
  readonly gid?: number;
  /** Kind and permissions, as stat(2) has them. */
  readonly mode?: number;
  /** Last change, seconds since 1970. */
  readonly modified?: number;
}

/** One packet, with its length before it. `id` is absent in the two that begin a connection. */
export function packet(kind: number, id: number | null, ...parts: readonly Uint8Array[]): Buffer {
  const body = [Buffer.of(kind), ...(id === null ? [] : [sshUint32(id)]), ...parts];
  const length = body.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([sshUint32(length), ...body], length + 4);
}

/** All of a packet but its last part, which follows it. */
export function packetBefore(last: Uint8Array, kind: number, id: number, ...parts: readonly Uint8Array[]): Buffer {
  const front = packet(kind, id, ...parts);
  front.writeUInt32BE(front.length - 4 + last.length, 0);
  return front;
}

/** Attributes as they are written. */
export function attributes({ size, uid, gid, mode, modified }: Attributes): Buffer {
  const isOwned = uid !== undefined && gid !== undefined;
  return Buffer.concat([
    sshUint32(
      (size === undefined ? 0 : hasSize) |
        (isOwned ? hasOwner : 0) |
        (mode === undefined ? 0 : hasMode) |
        (modified === undefined ? 0 : hasTimes),
    ),
    ...(size === undefined ? [] : [sshUint64(BigInt(size))]),
    ...(isOwned ? [sshUint32(uid), sshUint32(gid)] : []),
    ...(mode === undefined ? [] : [sshUint32(mode)]),
    ...(modified === undefined ? [] : [sshUint32(modified), sshUint32(modified)]),
  ]);
}

/** Reads one part of a packet after the other. Each throws RangeError where there is no such part. */
export interface Cursor {
  byte(): number;
  uint32(): number;
  bigint(): bigint;
  /** Throws RangeError beyond 2^53 too. */
  uint64(): number;
  string(): Buffer;
  attributes(): Attributes;
  readonly left: number;
}
export function readPacket(bytes: Buffer): Cursor {
  let at = 0;
  const moved = (by: number): number => {
    at += by;
    return at - by;
  };
  const cursor: Cursor = {
    byte: () => bytes.readUInt8(moved(1)),
    uint32: () => bytes.readUInt32BE(moved(4)),
    bigint: () => bytes.readBigUInt64BE(moved(8)),
    uint64() {
      const value = cursor.bigint();
      if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('a number is too large');
      return Number(value);
    },
    string() {
      const length = cursor.uint32();
      if (at + length > bytes.length) throw new RangeError('a string is longer than its packet');
      return bytes.subarray(moved(length), at);
    },
    attributes() {
      const flags = cursor.uint32();
      const read: { -readonly [Key in keyof Attributes]: Attributes[Key] } = {};
      if (flags & hasSize) read.size = cursor.uint64();
      if (flags & hasOwner) [read.uid, read.gid] = [cursor.uint32(), cursor.uint32()];
      if (flags & hasMode) read.mode = cursor.uint32();
      if (flags & hasTimes) {
        cursor.uint32();
        read.modified = cursor.uint32();
      }
      for (let more = flags & hasMore ? cursor.uint32() : 0; more > 0; more--) {
        cursor.string();
        cursor.string();
      }
      return read;
    },
    get left() {
      return bytes.length - at;
    },
  };
  return cursor;
}

/** What stands before the bytes of a packet of data: kind, id and their length. */
const DATA_HEAD_BYTES = 9;

/**
 * Puts packets together from pieces as they come; each is handed on without its length. Of one with data, `data` are its bytes in the
 * pieces that they came in, which nobody may use again: copying them would cost more than all else. Throws RangeError for one that is too
 * large.
 */
export function createAssembly(take: (packet: Buffer, data: readonly Buffer[]) => void): (piece: Buffer) => void {
  const head = Buffer.alloc(5);
  let body = head;
  let have = 0;
  let left = 0;
  let data: Buffer[] = [];
  return piece => {
    for (let at = 0; at < piece.length; ) {
      if (have === body.length) {
        const part = piece.subarray(at, at + left);
        data.push(part);
        at += part.length;
        left -= part.length;
      } else {
        const part = piece.subarray(at, at + body.length - have);
        body.set(part, have);
        at += part.length;
        have += part.length;
        if (have < body.length) continue;
        if (body === head) {
          const length = head.readUInt32BE(0);
          if (length < 1 || length > PACKET_MOST_BYTES) throw new RangeError(`a packet of ${length} bytes`);
          const isData = head[4] === kinds.data && length > DATA_HEAD_BYTES;
          body = Buffer.allocUnsafeSlow(isData ? DATA_HEAD_BYTES : length);
          left = length - body.length;
          body.set(head.subarray(4));
          have = 1;
          if (have < body.length) continue;
        }
      }
      if (left > 0) continue;
      const [packet, pieces] = [body, data];
      body = head;
      have = 0;
      data = [];
      take(packet, pieces);
    }
  };
}
