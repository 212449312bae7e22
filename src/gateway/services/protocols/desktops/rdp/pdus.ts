// Cuts a stream of RDP into its messages (MS-RDPBCGR, 5.3.8 and 2.2.9.1.2): those in TPKT, and the shorter ones of the fast path.
import { Malformed, readBy, type Script, take } from '../passing.ts';

/** First byte of a message in TPKT. */
const TPKT = 3;
export const TPKT_HEAD_BYTES = 4;
export const isSlow = (pdu: Buffer): boolean => pdu[0] === TPKT;

/** Answers what is to be told of each piece of the stream; `pdu` gets each message whole. It throws Malformed, and what `pdu` throws. */
export function readPdus(pdu: (message: Buffer) => void): (piece: Buffer) => void {
  return readBy(script(pdu), () => undefined);
}
function* script(pdu: (message: Buffer) => void): Script {
  for (;;) {
    const head = yield* take(2);
    if (head[0] === TPKT) {
      const more = yield* take(2);
      const rest = more.readUInt16BE(0) - TPKT_HEAD_BYTES;
      if (rest < 3) throw new Malformed('a message is shorter than its head');
      pdu(Buffer.concat([head, more, yield* take(rest)]));
      continue;
    }
    const [first = 0, short = 0] = head;
    if ((first & 3) !== 0) throw new Malformed('what was sent is no RDP');
    let start = head;
    let length = short;
    if ((short & 0x80) !== 0) {
      const low = yield* take(1);
      start = Buffer.concat([head, low]);
      length = ((short & 0x7f) << 8) | (low[0] ?? 0);
    }
    if (length < start.length) throw new Malformed('a message is shorter than its head');
    pdu(Buffer.concat([start, yield* take(length - start.length)]));
  }
}
