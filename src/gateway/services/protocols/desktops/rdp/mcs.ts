// What is sent on the channels of an RDP connection (T.125, as MS-RDPBCGR 2.2.1 uses it), read and written.
import { isSlow, TPKT_HEAD_BYTES } from './pdus.ts';

/** Kinds of messages, first byte behind X.224. */
const KIND = { connect: 0x7f, fromClient: 0x64, fromServer: 0x68 } as const;
const AT = TPKT_HEAD_BYTES + 3;
/** Kind, who sends, channel, how urgent. */
const HEAD_BYTES = 6;

export type Side = 'fromClient' | 'fromServer';
interface ChannelData {
  /** Who sends it, as channels know them. */
  readonly user: number;
  readonly channel: number;
  readonly data: Buffer;
  /** All before the length. */
  readonly head: Buffer;
}

/** Whether it is the first message of either side, which says what there will be. */
export const isConnect = (pdu: Buffer): boolean => isSlow(pdu) && pdu[AT] === KIND.connect;

/** What is sent on a channel; null for any other message, and for what is cut short. */
export function readChannelData(pdu: Buffer, side: Side): ChannelData | null {
  if (!isSlow(pdu) || pdu.length < AT + HEAD_BYTES + 2 || pdu[AT] !== KIND[side]) return null;
  const lengthAt = AT + HEAD_BYTES;
  const first = pdu.readUInt8(lengthAt);
  const isLong = (first & 0x80) !== 0;
  const start = lengthAt + (isLong ? 2 : 1);
  const length = isLong ? ((first & 0x7f) << 8) | pdu.readUInt8(lengthAt + 1) : first;
  if (pdu.length < start + length) return null;
  return {
    user: pdu.readUInt16BE(AT + 1),
    channel: pdu.readUInt16BE(AT + 3),
    data: pdu.subarray(start, start + length),
    head: pdu.subarray(0, lengthAt),
  };
}
/** The same message with other data. */
export function withData({ head }: Pick<ChannelData, 'head'>, data: Buffer): Buffer {
  const pdu = Buffer.concat([head, Buffer.of(0x80 | (data.length >> 8), data.length & 255), data]);
  pdu.writeUInt16BE(pdu.length, 2);
  return pdu;
}
/** A message on a channel, of either side. */
export function channelData(side: Side, user: number, channel: number, data: Buffer): Buffer {
  const head = Buffer.from([3, 0, 0, 0, 2, 0xf0, 0x80, KIND[side], 0, 0, 0, 0, 0x70]);
  head.writeUInt16BE(user, AT + 1);
  head.writeUInt16BE(channel, AT + 3);
  return withData({ head }, data);
}
