// What a server draws and says of its screen (MS-RDPBCGR, 2.2.8.1 and 2.2.9.1), mended where the browser's engine would draw it wrongly or die of it.
const SHARE = { demandActive: 1, deactivateAll: 6, data: 7 } as const;
const DATA = { update: 2, saveSession: 0x26 } as const;
const UPDATE = { bitmap: 1 } as const;
/** Length, kind, who sends; then, in messages that carry data, of what and how it is packed. */
const SHARE_HEAD_BYTES = 6;
const DATA_HEAD_BYTES = 18;
const DEACTIVATE_BYTES = 13;
const RECTANGLE_BYTES = 18;
/** Flags of a packed message. */
const PACKED = 0x20;

export interface Drawn {
  /** What is sent on the channel of what is drawn; null: it does not go on. */
  mend(data: Buffer): Buffer | null;
  /** A message of the fast path. */
  mendFast(pdu: Buffer): Buffer;
}

/** One for each connection: what ends a picture names what began it. */
export function createDrawn(): Drawn {
  let shareId = 0;
  return {
    mend(data) {
      if (data.length < SHARE_HEAD_BYTES) return data;
      const kind = data.readUInt16LE(2) & 0xf;
      // Licences have other heads, whose first number is no length.
      const isShare = data.readUInt16LE(0) === data.length || kind === SHARE.deactivateAll;
      if (!isShare) return data;
      if (kind === SHARE.demandActive && data.length >= SHARE_HEAD_BYTES + 4)
        shareId = data.readUInt32LE(SHARE_HEAD_BYTES);
      if (kind === SHARE.deactivateAll && data.length < DEACTIVATE_BYTES) {
        const whole = Buffer.alloc(DEACTIVATE_BYTES);
        data.copy(whole, 0, 0, SHARE_HEAD_BYTES);
        whole.writeUInt16LE(DEACTIVATE_BYTES, 0);
        whole.writeUInt32LE(shareId, SHARE_HEAD_BYTES);
        whole.writeUInt16LE(1, SHARE_HEAD_BYTES + 4);
        return whole;
      }
      if (kind !== SHARE.data || data.length < DATA_HEAD_BYTES) return data;
      const type = data[14];
      // It may hold what lets somebody come back without a password.
      if (type === DATA.saveSession) return null;
      const isPacked = ((data[15] ?? 0) & PACKED) !== 0;
      if (type === DATA.update && !isPacked) return mendBitmaps(data, DATA_HEAD_BYTES);
      return data;
    },
    mendFast(pdu) {
      const start = ((pdu[1] ?? 0) & 0x80) === 0 ? 2 : 3;
      // One update, in one piece, that is not packed.
      const [code = 0, low = 0, high = 0] = pdu.subarray(start);
      const isWhole = start + 3 + (low | (high << 8)) === pdu.length;
      return code === UPDATE.bitmap && isWhole ? mendBitmaps(pdu, start + 3) : pdu;
    },
  };
}

/** A bitmap that is wider than its place comes out sheared: its place is made as wide. */
function mendBitmaps(message: Buffer, at: number): Buffer {
  if (message.length < at + 4 || message.readUInt16LE(at) !== UPDATE.bitmap) return message;
  const mended = Buffer.from(message);
  let place = at + 4;
  for (let left = message.readUInt16LE(at + 2); left > 0; left -= 1) {
    if (place + RECTANGLE_BYTES > mended.length) return message;
    const right = mended.readUInt16LE(place) + mended.readUInt16LE(place + 8) - 1;
    if (right < 0 || right > 0xffff) return message;
    mended.writeUInt16LE(right, place + 4);
    place += RECTANGLE_BYTES + mended.readUInt16LE(place + 16);
  }
  return mended;
}
