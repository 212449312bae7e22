// Durations as people write them in roles, settings and locks: `30h0m0s`, `90s`. Whatever Go's time.ParseDuration reads is one, days beside it.

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  // The micro sign and the Greek letter, which keyboards give by turns.
  '\u00b5s': 1e-3,
  '\u03bcs': 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** Longest duration that makes sense anywhere, ms: ten years. */
const DURATION_MOST_MS = 10 * 365 * 86_400_000;

const NUMBER = String.raw`\d{1,12}(?:\.\d{0,9})?|\.\d{1,9}`;
const PART = new RegExp(`(${NUMBER})(${Object.keys(UNIT_MS).join('|')})`, 'g');
const WHOLE = new RegExp(`^\\+?(?:${PART.source})+$`);

/** Milliseconds of a duration, or undefined when the text is none. `0` needs no unit. None is negative. */
export function parseDuration(text: string): number | undefined {
  if (/^0+$/.test(text)) return 0;
  if (!WHOLE.test(text)) return undefined;
  let sum = 0;
  for (const [, amount = '0', unit = 's'] of text.matchAll(PART)) sum += Number(amount) * (UNIT_MS[unit] ?? 0);
  return sum <= DURATION_MOST_MS ? Math.round(sum) : undefined;
}
