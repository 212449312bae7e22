// Memory that is used again, such as what a socket reads into: whoever is handed it must have copied what they keep when they return.

/** Test mode: what is given back is overwritten at once, so that whoever kept it without a copy is found. All tests run so. */
const poisons = process.env.POISON_REUSED_MEMORY === '1';
const POISON = 0xdb;

/** Says that these bytes have been used: nobody may read them any more. */
export function givenBack(bytes: Uint8Array): void {
  if (poisons) bytes.fill(POISON);
}

/** Smaller blocks are left to the collector; Node cuts its small buffers from shared ones of 8 kB. */
const BLOCK_LEAST_BYTES = 16 * 1024;
/** What a piece may leave out of its block and still have it to itself, bytes: lengths, padding and the like. */
const AROUND_MOST_BYTES = 64;

/**
 * Frees the block of a large piece at once, where it has it to itself. The collector sees only the small object in front of each block:
 * while a gigabyte passes it lets tens of megabytes of them stand, and then spends more time on looking for them than the copy takes.
 * The piece is empty afterwards.
 */
export function freeNow({ buffer, byteLength }: Uint8Array): void {
  if (byteLength >= BLOCK_LEAST_BYTES && buffer.byteLength - byteLength <= AROUND_MOST_BYTES)
    (buffer as ArrayBuffer).transfer(0);
}
