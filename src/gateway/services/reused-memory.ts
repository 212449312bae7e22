// Memory that is used again, such as what a socket reads into: whoever is handed it must have copied what they keep when they return.

/** Test mode: what is given back is overwritten at once, so that whoever kept it without a copy is found. All tests run so. */
const poisons = process.env.POISON_REUSED_MEMORY === '1';
const POISON = 0xdb;

/** Says that these bytes have been used: nobody may read them any more. */
export function givenBack(bytes: Uint8Array): void {
  if (poisons) bytes.fill(POISON);
}
