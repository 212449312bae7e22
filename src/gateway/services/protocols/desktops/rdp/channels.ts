// What else RDP carries beside pictures: text of the clipboard, by its right, and the size of the screen. Nothing else goes through, so that
// nothing is drawn, heard or copied that is in no recording and no audit log.
import { CLIPBOARD_MOST_BYTES } from '../../../../../contract/desktop-sessions.ts';
import type { Side } from './mcs.ts';

/** Length of the whole, and flags (MS-RDPBCGR, 2.2.6.1.1). */
const PIECE_HEAD_BYTES = 8;
const PIECE = { first: 1, last: 2, packed: 0x20_0000 } as const;

/** What becomes of a piece: it goes on or not; `instead` goes on in its place, `answer` goes back to whoever sent it. */
interface Passing {
  readonly goesOn: boolean;
  readonly instead?: Buffer;
  readonly answer?: Buffer;
}
const GOES: Passing = { goesOn: true };
const STAYS: Passing = { goesOn: false };
export type Channel = (data: Buffer, from: Side) => Passing;

function piece(content: Buffer): Buffer {
  const head = Buffer.alloc(PIECE_HEAD_BYTES);
  head.writeUInt32LE(content.length, 0);
  head.writeUInt32LE(PIECE.first | PIECE.last, 4);
  return Buffer.concat([head, content]);
}

// The clipboard: MS-RDPECLIP 2.2.
const CLIP = { wantsData: 4, data: 5, wantsFile: 8, file: 9 } as const;
const CLIP_HEAD_BYTES = 8;
const FAILED = 2;
/** Formats that are text: ANSI, OEM, Unicode. */
const TEXTS: readonly number[] = [1, 7, 13];
/** Text has two bytes for what is counted as one. */
const DATA_MOST_BYTES = 2 * CLIPBOARD_MOST_BYTES + CLIP_HEAD_BYTES;

function failedData(): Buffer {
  const message = Buffer.alloc(CLIP_HEAD_BYTES);
  message.writeUInt16LE(CLIP.data, 0);
  message.writeUInt16LE(FAILED, 2);
  return piece(message);
}

/** Text alone, as long as it may be shared. `copied` hears who sent how much, in bytes of UTF-16. */
export function clipboardChannel(parts: {
  readonly isShared: () => boolean;
  readonly copied: (from: Side, bytes: number) => void;
}): Channel {
  const going = { fromClient: false, fromServer: false };
  return (data, from) => {
    if (data.length < PIECE_HEAD_BYTES) return STAYS;
    const flags = data.readUInt32LE(4);
    if ((flags & PIECE.first) === 0) return going[from] ? GOES : STAYS;
    going[from] = false;
    const message = data.subarray(PIECE_HEAD_BYTES);
    if (!parts.isShared() || message.length < CLIP_HEAD_BYTES || (flags & PIECE.packed) !== 0) return STAYS;
    const kind = message.readUInt16LE(0);
    if (kind === CLIP.wantsFile || kind === CLIP.file) return STAYS;
    if (kind === CLIP.wantsData) {
      const format = message.length >= CLIP_HEAD_BYTES + 4 ? message.readUInt32LE(CLIP_HEAD_BYTES) : 0;
      if (!TEXTS.includes(format)) return { goesOn: false, answer: failedData() };
    }
    if (kind === CLIP.data) {
      // Whoever asked waits for an answer: what is too long comes as none.
      if (data.readUInt32LE(0) > DATA_MOST_BYTES) return { goesOn: false, instead: failedData() };
      const length = message.readUInt32LE(4);
      if ((message.readUInt16LE(2) & FAILED) === 0 && length > 0) parts.copied(from, length);
    }
    going[from] = (flags & PIECE.last) === 0;
    return GOES;
  };
}

// Channels that are opened later: MS-RDPEDYC 2.2.
const DYNAMIC = { create: 1, dataFirst: 2, data: 3, close: 4, packedFirst: 6, packed: 7 } as const;
const OF_ONE: readonly number[] = [DYNAMIC.dataFirst, DYNAMIC.data, DYNAMIC.close, DYNAMIC.packedFirst, DYNAMIC.packed];
/** The one that is let through: the size of the screen (MS-RDPEDISP). */
const SCREEN = 'Microsoft::Windows::RDS::DisplayControl';
/** E_NOTIMPL */
const NOT_HERE = 0x8000_4001;

/** Channels that servers open over this one; those that are not let through are answered as by a client that does not know them. */
export function dynamicChannel(): Channel {
  const open = new Set<number>();
  return (data, from) => {
    const message = data.subarray(PIECE_HEAD_BYTES);
    const flags = data.length >= PIECE_HEAD_BYTES ? data.readUInt32LE(4) : 0;
    const [head] = message;
    // None is longer than a piece.
    if (head === undefined || (flags & 3) !== 3 || (flags & PIECE.packed) !== 0) return STAYS;
    const idBytes = [1, 2, 4][head & 3];
    const kind = head >> 4;
    if (kind !== DYNAMIC.create && !OF_ONE.includes(kind)) return GOES;
    if (idBytes === undefined || message.length < 1 + idBytes) return STAYS;
    const id = message.readUIntLE(1, idBytes);
    if (kind !== DYNAMIC.create || from === 'fromClient') return open.has(id) ? GOES : STAYS;
    const name = message.toString('latin1', 1 + idBytes).replace(/\0.*$/s, '');
    if (name === SCREEN) {
      open.add(id);
      return GOES;
    }
    open.delete(id);
    const answer = Buffer.alloc(1 + idBytes + 4);
    message.copy(answer, 0, 0, 1 + idBytes);
    answer.writeUInt8((DYNAMIC.create << 4) | (head & 3), 0);
    answer.writeUInt32LE(NOT_HERE, 1 + idBytes);
    return { goesOn: false, answer: piece(answer) };
  };
}
