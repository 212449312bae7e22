// Durations as people write them in roles, settings and locks: `30h0m0s`, `90s`.

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** Longest duration that makes sense anywhere, ms: ten years. */
const DURATION_MOST_MS = 10 * 365 * 86_400_000;

/** Milliseconds of a duration, or undefined when the text is none. `0` needs no unit. */
export function parseDuration(text: string): number | undefined {
  if (/^0+$/.test(text)) return 0;
  if (!/^(\d{1,12}(\.\d{1,9})?(ns|us|µs|ms|s|m|h|d))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, amount = '0', , unit = 's'] of text.matchAll(/(\d+(\.\d+)?)(ns|us|µs|ms|s|m|h|d)/g))
    sum += Number(amount) * (UNIT_MS[unit] ?? 0);
  return sum <= DURATION_MOST_MS ? Math.round(sum) : undefined;
}
