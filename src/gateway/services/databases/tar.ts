// A tar archive of a few small files (POSIX ustar).

const BLOCK_BYTES = 512;
const OWNER_ONLY = 0o600;

/** Names of at most 100 bytes. */
export function tarOf(files: Readonly<Record<string, string>>, modified: Date): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const body = Buffer.from(text);
    return [
      headOf(name, body.length, modified),
      body,
      Buffer.alloc((BLOCK_BYTES - (body.length % BLOCK_BYTES)) % BLOCK_BYTES),
    ];
  });
  // Two empty blocks end it.
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)]);
}

function headOf(name: string, size: number, modified: Date): Buffer {
  const head = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, at: number, length: number): void =>
    void head.write(value.toString(8).padStart(length - 1, '0'), at);
  head.write(name, 0);
  octal(OWNER_ONLY, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(Math.floor(modified.getTime() / 1000), 136, 12);
  head.write('0', 156);
  head.write('ustar\u000000', 257);
  // Its sum is reckoned as if its own place held spaces.
  head.fill(' ', 148, 156);
  octal(
    head.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return head;
}
