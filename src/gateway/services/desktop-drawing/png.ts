// Writes PNG (ISO/IEC 15948): eight bits of red, green and blue, without alpha, as screens are.
import { constants, crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Each line as its difference to the one above: what screens show packs best so, and fast. */
const UP = 2;

function chunk(name: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(name, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/** `pixels`: red, green, blue and one more byte each, `stride` bytes a line, the first at `at`. `width` and `height` are at least 1. */
export function pngOf(
  pixels: Uint8Array,
  { width, height, stride, at = 0 }: { width: number; height: number; stride: number; at?: number },
): Buffer {
  const line = 1 + 3 * width;
  const raw = Buffer.alloc(line * height);
  for (let y = 0; y < height; y += 1) {
    let to = y * line;
    raw[to] = y === 0 ? 0 : UP;
    to += 1;
    let from = at + y * stride;
    for (let x = 0; x < width; x += 1) {
      for (let part = 0; part < 3; part += 1) {
        const above = y === 0 ? 0 : (pixels[from - stride + part] ?? 0);
        raw[to + part] = (pixels[from + part] ?? 0) - above;
      }
      to += 3;
      from += 4;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const packed = deflateSync(raw, { level: 3, strategy: constants.Z_DEFAULT_STRATEGY });
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))]);
}
