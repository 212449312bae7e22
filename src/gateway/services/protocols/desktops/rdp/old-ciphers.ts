// MD4 (RFC 1320) and RC4: NTLM cannot do without them, and OpenSSL 3 has neither by default. For nothing else.

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by));
const rounds = [
  {
    mix: (b: number, c: number, d: number) => (b & c) | (~b & d),
    add: 0,
    order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    shifts: [3, 7, 11, 19],
  },
  {
    mix: (b: number, c: number, d: number) => (b & c) | (b & d) | (c & d),
    add: 0x5a82_7999,
    order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    shifts: [3, 5, 9, 13],
  },
  {
    mix: (b: number, c: number, d: number) => b ^ c ^ d,
    add: 0x6ed9_eba1,
    order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
    shifts: [3, 9, 11, 15],
  },
] as const;

export function md4(message: Buffer): Buffer {
  const padded = Buffer.alloc(Math.ceil((message.length + 9) / 64) * 64);
  message.copy(padded);
  padded.writeUInt8(0x80, message.length);
  padded.writeBigUInt64LE(BigInt(message.length) * 8n, padded.length - 8);
  let state: readonly [number, number, number, number] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
  for (let block = 0; block < padded.length; block += 64) {
    let [a, b, c, d] = state;
    for (const { mix, add, order, shifts } of rounds)
      for (const [index, word] of order.entries()) {
        const sum = (a + mix(b, c, d) + padded.readUInt32LE(block + 4 * word) + add) | 0;
        [a, b, c, d] = [d, rotated(sum, shifts[index % 4] ?? 0), b, c];
      }
    state = [(state[0] + a) | 0, (state[1] + b) | 0, (state[2] + c) | 0, (state[3] + d) | 0];
  }
  const digest = Buffer.alloc(16);
  for (const [index, word] of state.entries()) digest.writeInt32LE(word, 4 * index);
  return digest;
}

/** Encrypts and decrypts; what it has done before counts. */
export function createRc4(key: Buffer): (bytes: Buffer) => Buffer {
  const box = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number): number => box[index & 255] ?? 0;
  const swap = (one: number, other: number): void => {
    const kept = at(one);
    box[one] = at(other);
    box[other] = kept;
  };
  for (let index = 0, other = 0; index < 256; index += 1) {
    other = (other + at(index) + (key[index % key.length] ?? 0)) & 255;
    swap(index, other);
  }
  let one = 0;
  let other = 0;
  return bytes =>
    Buffer.from(bytes).map(byte => {
      one = (one + 1) & 255;
      other = (other + at(one)) & 255;
      swap(one, other);
      return byte ^ at(at(one) + at(other));
    }) as Buffer;
}
