/** A text to look for in recordings may be this long, characters. */
export const NEEDLE_CHARACTERS = 200;
