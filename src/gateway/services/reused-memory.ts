// Memory that is used again, such as what a socket reads into: whoever is handed it must have copied what they keep when they return.

/** Test mode: what is given back is overwritten at once, so that whoever kept it without a copy is found. All tests run so. */
const poisons = process.env.POISON_REUSED_MEMORY === '1';
const POISON = 0xdb;

/** Says that these bytes have been used: nobody may read them any more. */
export function givenBack(bytes: Uint8Array): void {
  if (poisons) bytes.fill(POISON);
}

/**
 * The same of memory that nobody else has: where it is that of these bytes alone, it goes at once. Else it waits for V8, which looks through
 * its whole heap each time that some 50 MB have gathered beside it: for each second of bulk, longer than handing it on takes.
 */
export function freed(bytes: Buffer): void {
  givenBack(bytes);
  if (bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength) bytes.buffer.transfer(0);
}
